"""The parts of the window that show the project file: trees, table, details."""
