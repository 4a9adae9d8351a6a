"""Whether old addresses redirect to the expected new ones: the dialog, and its list of results."""
