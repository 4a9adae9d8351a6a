"""Exports: streams rows of a project into CSV, Excel, JSON Lines, HTML and XML sitemap files."""
