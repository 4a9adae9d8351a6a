"""The project file; the only importer of sqlite3."""
