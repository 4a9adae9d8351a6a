"""The URLs a crawl knows: recent ones with their ranks, older ones as hashes."""
