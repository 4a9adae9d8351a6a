"""What the methods of HTTP requests say of them."""

from typing import Final

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""Those that are to change nothing on the server (RFC 9110 §9.2.1); they are sent without a body.
TRACE is missing: no page may send it."""
