"""Writes a project file: batches of visits and links, counts and indexes."""
