"""Pure functions on URLs: WHATWG parsing and joining, scope, tree paths."""
