"""Full-text search: the index of the texts of a project, and what is found in it."""
