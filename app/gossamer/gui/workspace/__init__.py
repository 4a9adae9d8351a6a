"""The body of the window while there is a project: trees, table over details, overview."""
