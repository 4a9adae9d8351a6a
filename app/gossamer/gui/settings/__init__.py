"""The settings dialog and its profiles."""
