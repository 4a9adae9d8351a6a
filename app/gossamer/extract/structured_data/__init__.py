"""Structured data of pages: JSON-LD, Microdata, RDFa, and its faults."""
