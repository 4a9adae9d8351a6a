"""Locks: one writer for each project file, whatever name it goes by."""
