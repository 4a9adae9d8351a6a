"""The help, the keyboard shortcuts, and what the program is."""
