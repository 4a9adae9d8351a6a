"""Reads and writes the project file; the only importer of sqlite3."""
