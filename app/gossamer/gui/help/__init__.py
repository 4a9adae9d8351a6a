"""The help window, the list of keyboard shortcuts, and the About dialog."""
