"""What the fetcher is given to read bodies and headers with."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from gossamer.model.custom_definitions import CustomResult
from gossamer.model.outcome_details import Detail
from gossamer.model.visit import Extract, PageLinks

Headers = Sequence[tuple[str, str]]
"""Names and values."""


class ExtractPage(Protocol):
    """Extracts facts and links from pages."""

    def __call__(
        self, body: bytes, url: str, charset: str | None, /, *, headers: Headers
    ) -> Extract:
        """Those of `body`, at `url`; `charset` is what its Content-Type names, if anything."""


HeaderLinks = Callable[[Headers, str], tuple[list[str], PageLinks]]
"""The targets and links in the headers of an answer that is no page, and its URL."""


class FileContents(Protocol):
    """What a file leads to: targets and links as in `Extract`, and why it is not all, if so."""

    @property
    def targets(self) -> list[str]:
        """URLs, each once."""

    @property
    def links(self) -> PageLinks:
        """Links to them, in order."""

    @property
    def damage(self) -> Detail | None:
        """What keeps the rest from being read."""


ApplyPatterns = Callable[[bytes, str | None], Awaitable[list[CustomResult]]]
"""Applies custom searches and extractions to a page: its body, and the charset that its
Content-Type names."""

ReadSitemap = Callable[[bytes, str], FileContents]
"""A sitemap's bytes and its URL."""

ReadStyleSheet = Callable[[bytes, str, str | None, Headers], FileContents]
"""A style sheet's bytes and URL, the charset that its Content-Type names, and its headers."""
