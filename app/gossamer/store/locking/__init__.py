"""Locks that give each project file one writer at a time, under whatever path."""
