"""The messages between a page worker and its pattern process."""

from typing import Final

from msgspec import Struct

from gossamer.model.custom_definitions import CustomExtraction, CustomResult, CustomSearch
from gossamer.model.settings.request_settings import Parser

READY: Final = 0
"""The page number of the message, without results, that reports readiness for pages."""


class ConfigurePatterns(Struct, tag=True, frozen=True, array_like=True):
    """The first message to a pattern process: what it will have to apply."""

    searches: tuple[CustomSearch, ...]
    extractions: tuple[CustomExtraction, ...]
    parser: Parser


class ApplyPatterns(Struct, tag=True, frozen=True, array_like=True):
    """Apply these definitions, identified by their numbers, to a page, in this order.

    Results may come in several messages: with `one_by_one`, one for each.
    """

    page: int
    body: bytes
    charset: str | None
    definitions: list[int]
    one_by_one: bool = False


class PatternResults(Struct, tag=True, frozen=True, array_like=True):
    """The next results for a page, in the requested order, and how long each took."""

    page: int
    results: list[CustomResult]
    elapsed_ms: list[float]


PatternJob = ConfigurePatterns | ApplyPatterns
