"""The settings of a crawl: each is declared once, on the field that holds it."""
