"""Objects and tables of other libraries, in and out."""
