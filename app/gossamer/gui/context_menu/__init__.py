"""The context menu of a URL in any view."""
