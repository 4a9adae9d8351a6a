"""The SQL console of the window: an editor for queries, and what the project answers."""
