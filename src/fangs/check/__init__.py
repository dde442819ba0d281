"""What is checked at the door (arguments, labels, names), and the words of complaints."""
