"""Tables over the project file: columns, rows, selection, clipboard."""
