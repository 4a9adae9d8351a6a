"""Structured data of pages: JSON-LD, Microdata, RDFa Lite, and what is wrong with it."""
