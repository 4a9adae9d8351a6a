"""Full-text search: the index of a project's texts, and searching it."""
