"""Renders pages in a Chromium of the system, which has no network of its own."""
