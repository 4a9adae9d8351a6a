"""The export dialog, with its form and preview."""
