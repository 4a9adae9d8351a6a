"""The settings dialog and the profiles in it."""
