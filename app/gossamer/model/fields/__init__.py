"""The declared fields of URLs and links, and the records built from them."""
