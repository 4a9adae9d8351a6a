"""Reads and writes archives of websites: WARC files and what holds them."""
