"""What narrows the rows of a table: text, facets, chips."""
