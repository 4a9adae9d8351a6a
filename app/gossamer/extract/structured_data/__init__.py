"""Structured data of pages: JSON-LD, Microdata, RDFa Lite, and its faults."""
