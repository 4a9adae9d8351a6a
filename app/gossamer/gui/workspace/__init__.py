"""The body of the window while a project is open: trees, table, details, overview."""
