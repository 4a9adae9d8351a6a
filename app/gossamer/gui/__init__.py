"""The window: a shell over the session; the only importer of PySide6."""
