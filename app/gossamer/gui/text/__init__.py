"""Numbers, dates and sentences in the person's language."""
