"""The SQL console of the window: an editor for queries, and their results."""
