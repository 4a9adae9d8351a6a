"""Reads two projects side by side, writes and reads comparison files."""
