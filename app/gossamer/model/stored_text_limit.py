"""What is kept of the texts of pages if settings have them kept for full-text search."""

from typing import Final

MAX_TEXT_BYTES: Final = 512 * 1024
"""Of the text of one page, in UTF-8; the rest cannot be found."""
