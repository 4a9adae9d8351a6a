"""What our processes say to each other."""
