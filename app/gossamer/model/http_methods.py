"""The HTTP methods that are safe (RFC 9110 §9.2.1)."""

from typing import Final

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""They are to change nothing on the server, and are sent without a body. TRACE is missing: no page
may send it."""
