"""Decides which responses an archive keeps: by settings, type and status."""

from collections.abc import Sequence
from typing import Final

from gossamer.fetch.http_response import HttpResponse
from gossamer.fetch.http_statuses import NO_CONTENT, SUCCESS
from gossamer.fetch.response_head import BodyHandling, ResponseHead
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.settings.archive_settings import ArchiveContent
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import FetchMode, Visit

_RESOURCES: Final = lazy_pattern(
    r"image/.*|font/.*|text/css|.*/(?:x-)?(?:java|ecma)script|application/(?:x-)?font.*"
    r"|application/manifest\+json|application/wasm|text/vtt"
)
_READ: Final = frozenset(
    {
        *(BodyHandling.PAGE, BodyHandling.ERROR_PAGE, BodyHandling.SNIFFED),
        *(BodyHandling.WHOLE, BodyHandling.ARCHIVED, BodyHandling.STYLE_SHEET),
    }
)


class KeptResponses:
    """Which responses are kept, as the settings want it."""

    def __init__(self, settings: CrawlSettings) -> None:
        self._content = settings.archive_content
        self._types = tuple(each.lower() for each in settings.archive_types)

    def keeps(self, response: HttpResponse, visit: Visit) -> bool:
        """Whether the response counts and is to be kept."""
        return _is_to_keep(response) and self._is_of_kept_type(response, visit)

    def body_handling(self, head: ResponseHead, handling: BodyHandling) -> BodyHandling:
        """Have bodies read that are kept but not read otherwise."""
        if handling is not BodyHandling.NONE:
            return handling
        is_file = head.status // 100 == SUCCESS and head.status not in NO_CONTENT
        is_kept = not is_file or self.wants_body(head)
        return BodyHandling.ARCHIVED if is_kept else handling

    def wants_body(self, head: ResponseHead) -> bool:
        """Whether this is a file that is kept."""
        if head.status // 100 != SUCCESS or head.is_html or head.status in NO_CONTENT:
            return False
        is_kept = is_file_kept(head.content_type, self._content)
        return is_kept and is_type_kept(head.content_type, self._types)

    def _is_of_kept_type(self, response: HttpResponse, visit: Visit) -> bool:
        """Whether its type is kept; for sitemaps and responses without content, any type is."""
        head = response.head
        if head is None or head.status // 100 != SUCCESS or head.status in NO_CONTENT:
            return True
        if response.reading is BodyHandling.WHOLE:
            return True
        if response.reading is BodyHandling.STYLE_SHEET:
            return self.wants_body(head)
        is_unnamed_page = response.reading is BodyHandling.SNIFFED and visit.facts is not None
        return is_type_kept("text/html" if is_unnamed_page else head.content_type, self._types)


def _is_to_keep(response: HttpResponse) -> bool:
    """Whether the response counts, and its body was read, or not sent again."""
    wire, head = response.wire, response.head
    if wire is None or wire.message is None or head is None:
        return False
    if response.repeat_mode is not FetchMode.USUAL or wire.request.startswith(b"HEAD "):
        return False
    return response.reading in _READ


def is_file_kept(content_type: str, content: ArchiveContent) -> bool:
    """Whether a file of this MIME type, other than a page, is kept."""
    match content:
        case ArchiveContent.HTML:
            return False
        case ArchiveContent.RESOURCES:
            return _RESOURCES.fullmatch(content_type) is not None
        case ArchiveContent.EVERYTHING:
            return True


def is_type_kept(content_type: str, types: Sequence[str]) -> bool:
    """Whether a MIME type is among these, in lower case, or all are kept.

    A type such as "image/*" matches all of its subtypes.
    """
    whole = f"{content_type.partition('/')[0]}/*"
    return not types or content_type in types or whole in types
