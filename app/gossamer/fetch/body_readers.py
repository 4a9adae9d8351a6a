"""Types of the functions that read bodies and headers for the fetcher."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from gossamer.model.custom_definitions import CustomResult
from gossamer.model.outcome_details import Detail
from gossamer.model.visit import Extract, PageLinks

HeaderPairs = Sequence[tuple[str, str]]
"""Names and values."""


class ExtractPage(Protocol):
    """Extracts facts and links from pages."""

    def __call__(
        self, body: bytes, url: str, charset: str | None, /, *, headers: HeaderPairs
    ) -> Extract:
        """Those of `body`, at `url`; `charset` is what its Content-Type names, if anything."""


HeaderLinks = Callable[[HeaderPairs, str], tuple[list[str], PageLinks]]
"""The targets and links in the headers of a response that is no page, for its URL."""


class FileLinks(Protocol):
    """The links of a file: targets and links as in `Extract`, and why some are missing, if so."""

    @property
    def targets(self) -> list[str]:
        """URLs, each once."""

    @property
    def links(self) -> PageLinks:
        """Links to them, in order."""

    @property
    def damage(self) -> Detail | None:
        """Why the rest cannot be read; None if nothing is missing."""


PatternApplier = Callable[[bytes, str | None], Awaitable[list[CustomResult]]]
"""Applies custom searches and extractions to a page: its body, and the charset that its
Content-Type names."""

ReadSitemap = Callable[[bytes, str], FileLinks]
"""A sitemap's bytes and its URL."""

ReadStyleSheet = Callable[[bytes, str, str | None, HeaderPairs], FileLinks]
"""A style sheet's bytes and URL, the charset that its Content-Type names, and its headers."""
