"""The desktop window, a shell over the session API and the only importer of PySide6."""
