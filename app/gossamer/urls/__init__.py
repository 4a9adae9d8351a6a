"""Pure functions on URLs: WHATWG parsing and joining, scope, folders; safe regular expressions."""
