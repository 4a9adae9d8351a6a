"""The exception of an interrupted query."""


class ReadInterrupted(Exception):  # noqa: N818 - not an error: somebody asked for it
    """A query ended because `Reader.interrupt` was called."""
