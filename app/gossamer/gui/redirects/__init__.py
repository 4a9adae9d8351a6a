"""The check of redirects from old to new addresses: the dialog and its list of results."""
