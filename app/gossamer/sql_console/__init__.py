"""The SQL console: queries the views of a project, in its own process, and only reads."""
