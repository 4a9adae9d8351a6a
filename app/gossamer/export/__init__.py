"""One output format per file, written as a stream."""
