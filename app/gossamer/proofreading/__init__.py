"""Proofreads the texts of pages: dictionaries, words, languages."""
