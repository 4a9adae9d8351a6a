"""The messages about what a browser makes of one page, next to what its HTML says."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec import Struct

from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.fields.rendering_fields import RenderingFields, RenderOutcome
from gossamer.model.link_kinds import OUTLINK_KINDS
from gossamer.model.link_traits import LinkOrigin, origin_of
from gossamer.model.messages.page_contents_messages import PageFetchOutcome, SideBySide
from gossamer.model.rendering import Rendering
from gossamer.model.translatable import Translatable

COMPARED: Final = ("title", "description", "h1", "canonical", "robots", "word_count")
"""The fields of a page that are compared: those for which `RenderingFields` has an `html_`
field."""
MAX_LINKS_SHOWN: Final = 500
_SHOWN: Final = frozenset({RenderOutcome.RENDERED, RenderOutcome.TIMED_OUT})


class RenderPage(Struct, tag=True, frozen=True, array_like=True):
    """Request `url` and render it; compare its DOM with the one that `dom` of an archive has."""

    number: int
    url: str
    folder: str = ""
    dom: ArchiveRecord | None = None


class CompareStoredDom(Struct, tag=True, frozen=True, array_like=True):
    """Compare what the archive in `folder` has of `url`: its HTML, and its DOM as rendered."""

    number: int
    url: str
    folder: str
    html: ArchiveRecord
    dom: ArchiveRecord


class ComparedFact(Struct, frozen=True, array_like=True):
    """A page's value of the field `name`: in its HTML, and as rendered; None for nothing."""

    name: str
    html: str | int | None
    rendered: str | int | None

    @property
    def differs(self) -> bool:
        """Whether the two differ."""
        return (self.html or None) != (self.rendered or None)


class RenderedLink(Struct, frozen=True, array_like=True):
    """A hyperlink that is in the HTML alone, or in the rendered page alone."""

    url: str
    text: str
    origin: LinkOrigin


class LinkTally(Struct, frozen=True, array_like=True):
    """The hyperlinks of a page by their origin, and the first of those that are not in both."""

    html_only: int = 0
    rendered_only: int = 0
    both: int = 0
    differing: list[RenderedLink] = []


class RenderingReport(Struct, tag=True, frozen=True):
    """The result of rendering a page. `redirect` is where its scripts sent the browser.

    `texts` and `dom` have the HTML on the left, and the rendered page on the right. Pages rendered
    earlier have neither: the archive may have them. `dom_changes` has the stored DOM on the left,
    and the present one on the right; `why_no_changes` says why a stored one could not be read.

    For a page that was not rendered, only `fetched`, `rendering` and, if rendering could not be
    tried, `reason` are set.
    """

    number: int
    url: str
    fetched: PageFetchOutcome
    rendering: Rendering = Rendering()
    redirect: str = ""
    facts: list[ComparedFact] = []
    links: LinkTally = LinkTally()
    texts: SideBySide | None = None
    dom: SideBySide | None = None
    dom_changes: SideBySide | None = None
    why_no_changes: Translatable | None = None
    reason: Translatable | None = None

    @property
    def is_rendered(self) -> bool:
        """Whether a browser showed the page."""
        return self.rendering.render_outcome in _SHOWN


class StoredDomComparison(Struct, tag=True, frozen=True):
    """Text and DOM of a page as archived: its HTML on the left, as rendered on the right.

    `date` is when it was requested, in ISO 8601; `reason` is why there is nothing.
    """

    number: int
    url: str
    texts: SideBySide = SideBySide()
    dom: SideBySide = SideBySide()
    date: str = ""
    reason: Translatable | None = None


class OriginLink(NamedTuple):
    """A link of a page, as far as its origin is concerned."""

    url: str
    text: str
    kind: int
    traits: int


def compared_facts(page: object, rendering: RenderingFields) -> list[ComparedFact]:
    """The facts of a rendered `page` (with the fields `COMPARED`) next to those of its HTML."""
    found = []
    for name in COMPARED:
        rendered, html = getattr(page, name), getattr(rendering, f"html_{name}")
        found.append(ComparedFact(name, rendered if html is None else html, rendered))
    return found


def tally_links(links: Iterable[OriginLink]) -> LinkTally:
    """Count the hyperlinks among `links`."""
    counts = dict.fromkeys(LinkOrigin, 0)
    differing: list[RenderedLink] = []
    for link in links:
        if link.kind not in OUTLINK_KINDS:
            continue
        origin = origin_of(link.traits)
        counts[origin] += 1
        is_odd = origin in {LinkOrigin.HTML_ONLY, LinkOrigin.RENDERED}
        if is_odd and len(differing) < MAX_LINKS_SHOWN:
            differing.append(RenderedLink(link.url, link.text, origin))
    return LinkTally(
        counts[LinkOrigin.HTML_ONLY],
        counts[LinkOrigin.RENDERED],
        counts[LinkOrigin.BOTH] + counts[LinkOrigin.HTML],
        differing,
    )
