"""What tests share: random draws, a browser, statistical tests."""
