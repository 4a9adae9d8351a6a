"""The declared fields of a URL and of a link, and the records made of them."""
