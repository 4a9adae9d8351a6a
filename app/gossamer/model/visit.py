"""The result of one hop: the response, and the facts and links extracted from it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Annotated, NamedTuple, Self, TypeVar

from msgspec import Meta, Struct, field

from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.custom_definitions import CustomResult
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.response_fields import ResponseFields
from gossamer.model.freshness import UNCHANGED
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import is_truncated
from gossamer.model.outcome_details import Detail
from gossamer.model.rendering import Rendering
from gossamer.model.response_warnings import Warnings

T = TypeVar("T")
_SUCCESS = 2


class Link(NamedTuple):
    """One link as found in a page.

    `target` indexes `Visit.targets`. `text` is the anchor text, or the alternative text of an
    image; white space collapsed, at most 500 characters. `rel` is the attribute's tokens in lower
    case, separated by one space. `element` names where it was found: an element (`a`), an element
    and attribute (`img srcset`), or a header (`Link header`). `fragment` is the URL's fragment,
    percent-encoded as the standard serialises it: `#top`, `#` if it is empty, "" if there is none.
    `traits` has the bits of `model.link_traits`: position, type of path, LinkTrait. `path` is a
    short CSS path to it, `window` its attribute `target` as written.
    """

    target: int
    kind: LinkKind
    text: str = ""
    rel: str = ""
    element: str = ""
    fragment: str = ""
    traits: int = 0
    path: str = ""
    window: str = ""


_KINDS = bytes(LinkKind)


class SparseColumn(Struct, frozen=True, array_like=True, gc=False):
    """A text for each link of a page, nearly always the same: `usual`, except for the others.

    `positions` are those of the others, ascending, and `others` their texts.
    """

    usual: str = ""
    positions: list[int] = []
    others: list[str] = []

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """The column of these texts; the one in the middle is taken for the usual one."""
        usual = texts[len(texts) // 2] if texts else ""
        if texts.count(usual) == len(texts):
            return cls(usual)
        positions = [position for position, text in enumerate(texts) if text != usual]
        return cls(usual, positions, [texts[position] for position in positions])

    def spread(self, count: int, usual: T, others: Iterable[T]) -> list[T]:
        """A text for each of `count` links: `usual`, except for the others."""
        column = [usual] * count
        for position, other in zip(self.positions, others, strict=True):
            column[position] = other
        return column

    def where(self, holds: Callable[[str], bool], count: int) -> list[int]:
        """The positions, among `count`, of the texts for which it holds."""
        if holds(self.usual):
            texts = self.spread(count, self.usual, self.others)
            return [position for position, text in enumerate(texts) if holds(text)]
        pairs = zip(self.positions, self.others, strict=True)
        return [position for position, text in pairs if holds(text)]

    def fits(self, count: int) -> bool:
        """Whether these can be the texts of `count` links."""
        positions = self.positions
        if not positions:
            return not self.others
        return len(positions) == len(self.others) and max(positions) < count


class IndexedColumn(Struct, frozen=True, array_like=True, gc=False):
    """A text for each link of a page, one of a few: `texts`, each once.

    `indexes` has one for each link; if it is empty, all texts are.
    """

    texts: list[str] = []
    indexes: list[Annotated[int, Meta(ge=0)]] = []

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """The column of these texts."""
        if not any(texts):
            return cls()
        known = {text: index for index, text in enumerate(dict.fromkeys(texts))}
        return cls(list(known), [known[text] for text in texts])

    def spread(self, count: int) -> list[str]:
        """The text for each of `count` links."""
        return [self.texts[index] for index in self.indexes] or [""] * count

    def fits(self, count: int) -> bool:
        """Whether these can be the texts of `count` links."""
        indexes = self.indexes
        if not indexes:
            return True
        return len(indexes) == count and max(indexes) < len(self.texts)


class PageLinks(Struct, frozen=True, array_like=True, gc=False):
    """The links of a page, in document order: the attributes of `Link`, as columns.

    Making an object for each of a hundred links on every page, passing it on and taking it apart
    would cost the crawl host more than all it does with them. `kinds` has a byte for each.
    ValueError if a column is longer than another, or a kind is not in `LinkKind`.
    """

    targets: list[int] = []
    kinds: bytes = b""
    texts: list[str] = []
    rels: SparseColumn = SparseColumn()
    elements: SparseColumn = SparseColumn()
    fragments: SparseColumn = SparseColumn()
    traits: list[int] = []
    """Empty if no link has any."""
    paths: IndexedColumn = IndexedColumn()
    windows: SparseColumn = SparseColumn()

    @classmethod
    def of(cls, links: Iterable[Link | tuple[int, LinkKind, str, str, str, str]]) -> Self:
        """The columns of these links; plain tuples will do."""
        columns = tuple(zip(*links, strict=True))
        if not columns:
            return cls()
        targets, kinds, texts, rels, elements, fragments, *more = columns
        traits, paths, windows = more or ((), (), ())
        return cls(
            list(targets),
            bytes(kinds),
            list(texts),
            SparseColumn.of(rels),
            SparseColumn.of(elements),
            SparseColumn.of(fragments),
            list(traits) if any(traits) else [],
            IndexedColumn.of(paths),
            SparseColumn.of(windows),
        )

    def __post_init__(self) -> None:
        count = len(self.kinds)
        if not (
            len(self.targets) == len(self.texts) == count
            and (len(self.traits) == count or not self.traits)
            and self.rels.fits(count)
            and self.elements.fits(count)
            and self.fragments.fits(count)
            and self.paths.fits(count)
            and self.windows.fits(count)
        ):
            raise ValueError("columns of links differ in length")
        if self.kinds.translate(None, _KINDS):
            raise ValueError("links of unknown kinds")

    def __len__(self) -> int:
        return len(self.targets)

    def __iter__(self) -> Iterator[Link]:
        kinds = map(LinkKind, self.kinds)
        mostly = (self.rels, self.elements, self.fragments, self.windows)
        *columns, windows = [
            column.spread(len(self), column.usual, column.others) for column in mostly
        ]
        traits = self.traits or [0] * len(self)
        paths = self.paths.spread(len(self))
        return map(Link, self.targets, kinds, self.texts, *columns, traits, paths, windows)


NO_LINKS = PageLinks()


class Refresh(Struct, frozen=True, array_like=True, gc=False):
    """A refresh as the HTML standard reads it. `url` is resolved, without fragment."""

    delay_s: int
    url: str


class Extract(Struct, frozen=True, gc=False):
    """What a page's bytes yield: facts, distinct targets, links.

    `targets` are WHATWG-serialised URLs without fragment, each once, in order of first appearance;
    what cannot be parsed as a URL is kept as written.
    """

    facts: PageFacts
    charset: str
    targets: list[str]
    links: PageLinks
    refresh: Refresh | None = None
    """The `<meta http-equiv=refresh>` that counts, if it leads to another URL."""
    cut: Detail | None = None
    """What was left out of an oversized page; None if all was read."""
    limits: Warnings = ()
    """Which limits it was cut by."""
    outcome: Outcome = Outcome.PAGE
    """What the page counts as, if it came completely and with a status of success."""
    text: bytes | None = None
    """Its content, in UTF-8, if texts are kept."""
    acts: dict[str, str] = {}
    """Targets with links that, besides their texts, say that they sign out or delete, with the
    words."""
    acts_by_method: dict[str, str] = {}
    """Targets to which scripts send a method other than GET, with its name; "" if another link of
    the page leads there."""


class FetchMode(IntEnum):
    """How a URL is requested."""

    USUAL = 0
    BY_GET = 1
    """For its headers, but with GET: the response to HEAD may be wrong or incomplete."""
    UNCOMPRESSED = 2
    """The compressed response was damaged."""


class CountedResponse(NamedTuple):
    """A response as far as it is counted: status, bytes received, and whether it is unchanged.

    `status` is None if there was no usable response.
    """

    status: int | None
    received_bytes: int
    is_unchanged: bool


class Visit(ResponseFields, frozen=True, array_like=True):
    """One hop: the result of requesting one URL once, as the page worker reports it for a job.

    `status` is None if there was no usable response. `headers` are as received, in order.
    `location` is the redirect's target, resolved and serialised without fragment; None unless
    `outcome` is REDIRECT; `redirect_kind` says by what means. A refresh is a redirect that comes
    with a page: then there are facts and links too. `robots_header` has the values of X-Robots-Tag
    that concern us, joined with commas, in lower case.
    """

    reason: str = ""
    robots_header: str = ""
    content_type: str = ""
    charset: str = ""
    content_type_header: str = ""
    http_version: str = ""
    cookies: str = ""
    size_bytes: int | None = None
    """None if neither a length was stated nor the body read."""
    raw_bytes: int = 0
    ttfb_ms: int = 0
    elapsed_ms: int = 0
    fetched_at: float = 0.0
    headers: list[tuple[str, str]] = field(default_factory=list)
    location: str | None = None
    facts: PageFacts | None = None
    canonical_header: str | None = None
    """That of a file, which has no facts; None for a page."""
    targets: list[str] = field(default_factory=list)
    links: PageLinks = NO_LINKS
    transient: bool = False
    """Worth another try: the failure may pass."""
    retry_after_s: float | None = None
    """Retry-After of a 429 or 503 as seconds from now, as sent by the server, not negative."""
    cookies_told: int = 0
    """Stands for the cookies that the request for a redirect carried; 0 for none."""
    cookies_ahead: int = 0
    """Likewise for those that a request for `location` would carry now."""
    not_modified: bool = False
    """The response to a conditional request: the result of an earlier one still holds."""
    again: FetchMode = FetchMode.USUAL
    """Unless USUAL, this response does not count: the URL is to be requested again in this mode."""
    issues: list[int] = field(default_factory=list)
    """The numbers of the audit's page rules that hold for it."""
    link_issues: list[tuple[int, int]] = field(default_factory=list)
    """The rules that hold for what it links to: their numbers and the positions of the links."""
    resource_issues: list[int] = field(default_factory=list)
    """The numbers of the rules that hold for it if a page is displayed with it."""
    background_issues: list[int] = field(default_factory=list)
    """Likewise if a style of an indexable page, or a style sheet, names it."""
    custom: list[CustomResult] = field(default_factory=list)
    """What the custom searches and extractions gave, in no order."""

    rendering: Rendering | None = None
    """What a browser made of it, if pages are rendered: facts and links are then those of that."""
    text: bytes | None = None
    """The content of the page in UTF-8, a line per block, if the settings have texts kept."""
    archived: list[ArchiveRecord] = field(default_factory=list)
    """Where the archive has the response, and those for what the page loads."""
    acts: dict[str, str] = field(default_factory=dict)
    """As `Extract.acts`, in a crawl with a login."""
    acts_by_method: dict[str, str] = field(default_factory=dict)
    """As `Extract.acts_by_method`, likewise."""
    archive_errno: int = 0
    """Why the archive has no record of it: the system's error when it was to be written."""

    @property
    def is_page_read(self) -> bool:
        """Whether it is a page with a status of success: what page rules and patterns apply to."""
        return self.facts is not None and self.status is not None and self.status // 100 == _SUCCESS

    @property
    def received_bytes(self) -> int:
        """Bytes of bodies received over the wire: of the page, and of what it loads.

        There are none for a page that is not modified.
        """
        own_bytes = 0 if self.freshness in UNCHANGED else self.raw_bytes
        return own_bytes + (self.resource_bytes or 0)

    @property
    def counted(self) -> CountedResponse:
        """What the counters of a crawl need of it."""
        return CountedResponse(self.status, self.received_bytes, self.freshness in UNCHANGED)

    @property
    def truncated(self) -> bool:
        """Whether the body was cut, by a limit or by the server, or not read to its end."""
        return is_truncated(self.warnings)
