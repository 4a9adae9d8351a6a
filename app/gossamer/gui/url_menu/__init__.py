"""What can be done with a URL in any view."""
