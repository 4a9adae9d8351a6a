"""Reads what rendered pages loaded, logged and showed, archived responses, and images."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from msgspec import convert

from gossamer.model.accessibility_report import Violation
from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.axe_rules import AXE_RULES, AXE_RULES_BY_NUMBER
from gossamer.model.fields.rendering_fields import RenderOutcome, RenderReason
from gossamer.model.link_kinds import LinkKind
from gossamer.model.rendering import (
    NO_DETAILS,
    ConsoleMessage,
    PageResource,
    RenderingDetails,
)
from gossamer.model.rendering_encoding import decode_details
from gossamer.store.bulk_insert import chunks, marks
from gossamer.store.reading.archive_reader import (
    RemoteArchive,
    RemoteFile,
    read_archive_ends,
    read_dom_record,
    read_remote_archives,
    read_remote_files,
    read_response_record,
    read_unarchived_types,
)
from gossamer.store.reading.project_connection import ProjectConnection
from gossamer.urls.url_folders import section_of
from gossamer.urls.url_parsing import without_fragment

_AT_ONCE: Final = 100
_URLS_AT_ONCE: Final = 10_000
_BYTES = partial(convert, type=tuple[bytes])
_BY_ID = partial(convert, type=tuple[int, bytes])
_WITH_URL = partial(convert, type=tuple[int, str, bytes])
_SCREENSHOTS = partial(convert, type=tuple[str, bytes])
_URLS = partial(convert, type=tuple[int, str])
_COUNT = partial(convert, type=tuple[int])
_COUNTS = partial(convert, type=tuple[int, int])
_WITH_DETAILS: Final = """
    SELECT r.id, u.url, d.details FROM rendering r
    CROSS JOIN rendering_detail d ON d.id = r.id CROSS JOIN url u ON u.id = r.id
    WHERE r.id > ? AND {condition} ORDER BY r.id LIMIT ?
"""


_DIFFERING: Final = """
    SELECT r.id, u.url FROM rendering r CROSS JOIN url u ON u.id = r.id
    WHERE r.id > ? AND r.render_reason = ? ORDER BY r.id LIMIT ?
"""


class RenderingReader(ProjectConnection):
    """Reads details of rendered pages, locations of archived responses, and data on images.

    Raises as `Reader` does.
    """

    def archive_record(self, url_id: int) -> ArchiveRecord | None:
        """Where the last response for a URL itself is archived; None if it is not."""
        with self._reading():
            return read_response_record(self._connection, url_id)

    def dom_record(self, url_id: int) -> ArchiveRecord | None:
        """Where the DOM that scripts made of a page is archived; None if it is not."""
        with self._reading():
            return read_dom_record(self._connection, url_id)

    def unarchived_types(self) -> dict[str, int]:
        """How many URLs with a good response are not archived, by content type, most first."""
        with self._reading():
            return read_unarchived_types(self._connection)

    def has_archive(self) -> bool:
        """Whether the project names files of an archive of its own."""
        return self._row("SELECT 1 FROM archive_file LIMIT 1", ()) is not None

    def remote_archives(self) -> list[RemoteArchive]:
        """What of the archive stays on which node of a cluster."""
        with self._reading():
            return read_remote_archives(self._connection)

    def remote_archive_files(self) -> list[RemoteFile]:
        """The files of the archive that stay on nodes of a cluster."""
        with self._reading():
            return read_remote_files(self._connection)

    def archive_ends(self) -> dict[str, int]:
        """Where the last record of each file of the archive ends that the project names."""
        with self._reading():
            return read_archive_ends(self._connection)

    def has_renderings(self) -> bool:
        """Whether any page was rendered, or was to be."""
        return self._row("SELECT 1 FROM rendering LIMIT 1", ()) is not None

    def lacks_browser(self) -> bool:
        """Whether pages were not rendered because no browser started."""
        query = "SELECT 1 FROM rendering WHERE render_outcome = ? LIMIT 1"
        return self._row(query, (RenderOutcome.NO_BROWSER,)) is not None

    def rendered_sections(self) -> Counter[str]:
        """The sections of sites that were rendered because a sample differed, with their pages.

        As the addresses of folders. Memory grows with the sections alone.
        """
        sections: Counter[str] = Counter()
        after = 0
        while rows := self._made(
            _URLS, _DIFFERING, (after, RenderReason.SITE_DIFFERS, _URLS_AT_ONCE)
        ):
            after = rows[-1][0]
            sections.update(f"{'/'.join(section_of(url))}/" for _, url in rows)
        return sections

    def rendering_details(self, url_id: int) -> RenderingDetails:
        """What a page loaded, wrote to the console, shows and tried to open; else nothing."""
        return self.rendering_details_among([url_id]).get(url_id, NO_DETAILS)

    def rendering_details_among(self, ids: Sequence[int]) -> dict[int, RenderingDetails]:
        """Those of these pages that have any."""
        found: dict[int, RenderingDetails] = {}
        for chunk in chunks(ids):
            query = f"SELECT id, details FROM rendering_detail WHERE id IN ({marks(len(chunk))})"  # noqa: S608 - marks only
            rows = self._made(_BY_ID, query, chunk)
            found.update((url_id, decode_details(details)) for url_id, details in rows)
        return found

    def image_inlinks(self) -> dict[int, int]:
        """How many times pages show each image, by its id. Reads all links."""
        query = "SELECT target, count(*) FROM link WHERE kind = ? GROUP BY target"
        return dict(self._made(_COUNTS, query, (int(LinkKind.IMAGE),)))

    def image_sizes(self) -> dict[str, tuple[int, int]]:
        """Width and height of the files of images that rendered pages show, in CSS pixels.

        By address, without fragment. Reads the details of all rendered pages.
        """
        return {
            without_fragment(each.url): (each.natural_width, each.natural_height)
            for _, details in self._details_where("1")
            for each in details.images
            if each.natural_width
        }

    def violation_nodes(self, rule: int, ids: Sequence[int]) -> dict[int, tuple[int, str]]:
        """How many nodes of these pages break an accessibility rule, and the first one's selector.

        `rule` is the number of its issue.
        """
        axe = AXE_RULES_BY_NUMBER[rule]
        return {
            url_id: (each.count, each.nodes[0].selector if each.nodes else "")
            for url_id, details in self.rendering_details_among(ids).items()
            for each in details.violations
            if each.rule == axe.id
        }

    def screenshot(self, url_id: int) -> bytes | None:
        """The screenshot of a rendered page, a JPEG; None if there is none."""
        found = self._made(_BYTES, "SELECT jpeg FROM screenshot WHERE id = ?", (url_id,))
        return found[0][0] if found else None

    def first_screenshots(self, limit: int) -> list[tuple[str, bytes]]:
        """The addresses of the pages found first, each with its screenshot, a JPEG."""
        query = (
            "SELECT u.url, s.jpeg FROM screenshot s JOIN url u ON u.id = s.id ORDER BY s.id LIMIT ?"
        )
        return self._made(_SCREENSHOTS, query, (limit,))

    def screenshot_count(self) -> int:
        """How many pages have a screenshot."""
        return int(self._made(_COUNT, "SELECT count(*) FROM screenshot", ())[0][0])

    def blocked_resources(self) -> Iterator[tuple[str, list[PageResource]]]:
        """The addresses of pages, by discovery, each with the requests that were not made for it.

        In constant memory, as the following.
        """
        for url, details in self._details_where("r.blocked_requests > 0"):
            blocked = [each for each in details.resources if each.blocked_by is not None]
            if blocked:
                yield url, blocked

    def console_messages(self) -> Iterator[tuple[str, list[ConsoleMessage]]]:
        """The addresses of pages, each with its errors and warnings on the console."""
        for url, details in self._details_where("r.console_errors + r.console_warnings > 0"):
            if details.console:
                yield url, details.console

    def violations(self) -> Iterator[tuple[str, list[Violation]]]:
        """The addresses of pages, each with the accessibility rules that it breaks."""
        for url, details in self._details_where("r.violations > 0"):
            known = [each for each in details.violations if each.rule in AXE_RULES]
            if known:
                yield url, known

    def _details_where(self, condition: str) -> Iterator[tuple[str, RenderingDetails]]:
        after = 0
        query = _WITH_DETAILS.format(condition=condition)
        while rows := self._made(_WITH_URL, query, (after, _AT_ONCE)):
            for url_id, url, details in rows:
                after = url_id
                yield url, decode_details(details)
