"""What the site audit reads of a project file, as columns of numbers, and writes into it."""
