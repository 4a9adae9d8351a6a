"""Formats and translates numbers, dates and sentences for the user's language."""
