"""The issues of the site, the rules that find them, and what is ignored."""
