"""Warnings about responses that were read nevertheless, such as truncated or malformed ones.

A URL has any number of warnings. They are stored, exported and filtered by these codes.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, TypeAlias

from gossamer.model.translatable import Sentence


class ResponseWarning(StrEnum):
    """A warning, by its code."""

    SIZE_LIMIT = "size-limit"
    LINK_LIMIT = "link-limit"
    ELEMENT_LIMIT = "element-limit"
    SITEMAP_INCOMPLETE = "sitemap-incomplete"
    SITEMAP_EMPTY = "sitemap-empty"
    INCOMPLETE = "incomplete-response"
    PARTIAL_CONTENT = "partial-content"

    INVALID_CERTIFICATE = "invalid-certificate"

    STATUS_LINE = "malformed-status-line"
    NO_STATUS = "missing-status-code"
    HEADER_LINE = "malformed-header"
    HEADER_SPACE = "space-before-colon"
    HEADER_NUL = "nul-in-headers"
    HEADER_LINE_END = "bare-cr-in-headers"
    LARGE_HEADER = "large-header"
    MANY_HEADERS = "many-headers"
    LENGTH_TWICE = "duplicate-content-length"
    LENGTH_BESIDE_CHUNKS = "content-length-with-chunks"
    BAD_LENGTH = "invalid-content-length"
    TRANSFER_ENCODING = "unknown-transfer-encoding"
    CHUNK_EXTENSION = "space-before-chunk-extension"
    CHUNK_LINE_END = "bare-lf-in-chunks"
    MALFORMED = "malformed-response"
    """As no standard has it, in another way."""

    @property
    def label(self) -> str:
        """The warning in a few words, in English."""
        return LABELS[self]


Warnings: TypeAlias = tuple[ResponseWarning, ...]
"""The warnings of one URL, each once, in the order of `ResponseWarning`."""

LABELS: Final[dict[ResponseWarning, Sentence]] = {
    ResponseWarning.SIZE_LIMIT: "Cut at the size limit",
    ResponseWarning.LINK_LIMIT: "More links than the link limit",
    ResponseWarning.ELEMENT_LIMIT: "More HTML elements than the limit",
    ResponseWarning.SITEMAP_INCOMPLETE: "Sitemap not fully read",
    ResponseWarning.SITEMAP_EMPTY: "Sitemap without URLs",
    ResponseWarning.INCOMPLETE: "Incomplete response",
    ResponseWarning.PARTIAL_CONTENT: "Unrequested partial content (206)",
    ResponseWarning.INVALID_CERTIFICATE: "Certificate not valid",
    ResponseWarning.STATUS_LINE: "Malformed status line",
    ResponseWarning.NO_STATUS: "No status code, taken as 200",
    ResponseWarning.HEADER_LINE: "Malformed header line, ignored",
    ResponseWarning.HEADER_SPACE: "Space before the colon of a header",
    ResponseWarning.HEADER_NUL: "NUL characters in the headers, removed",
    ResponseWarning.HEADER_LINE_END: "Bare carriage return in the headers",
    ResponseWarning.LARGE_HEADER: "Header of more than 64 KB",
    ResponseWarning.MANY_HEADERS: "More than 1,000 headers",
    ResponseWarning.LENGTH_TWICE: "Duplicate Content-Length",
    ResponseWarning.LENGTH_BESIDE_CHUNKS: "Content-Length with chunked encoding, ignored",
    ResponseWarning.BAD_LENGTH: "Invalid Content-Length, ignored",
    ResponseWarning.TRANSFER_ENCODING: "Unknown Transfer-Encoding, ignored",
    ResponseWarning.CHUNK_EXTENSION: "Space before a chunk extension",
    ResponseWarning.CHUNK_LINE_END: "Bare line feeds between chunks",
    ResponseWarning.MALFORMED: "Otherwise malformed",
}


def in_order(found: Iterable[ResponseWarning]) -> Warnings:
    """These warnings, each once."""
    known = set(found)
    return tuple(filter(known.__contains__, ResponseWarning)) if known else ()


def codes(warnings: Warnings) -> str:
    """The warnings as one text: their codes with a space between; "" for none."""
    return " ".join(warnings)


def known_codes(text: str | None) -> Warnings:
    """The same for a text that may be damaged: invalid codes are left out."""
    return in_order(each for each in ResponseWarning if each in (text or "").split())


def from_codes(text: str | None) -> Warnings:
    """The warnings that `codes` encoded. ValueError or TypeError for anything else."""
    return tuple(map(ResponseWarning, str.split(text))) if text else ()
