"""The settings of a crawl, each declared once on the field that holds it."""
