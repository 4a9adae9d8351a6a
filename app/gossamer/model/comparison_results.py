"""The results of comparing two projects, as values of a comparison file."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Final, NamedTuple

from msgspec import Struct

from gossamer.model.crawl_state import CrawlState
from gossamer.model.fields.indexability import Indexability
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Facet, Value
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Sentence


class PageChange(IntEnum):
    """How a URL differs. Stored in `page.change`."""

    NONE = 0
    """It has moved between filters, though nothing that is compared has changed."""
    NEW = 1
    """Only the later crawl has it."""
    MISSING = 2
    """Only the earlier crawl has it."""
    CHANGED = 3
    """Both have it: a field or an issue has changed."""

    @property
    def label(self) -> Sentence:
        """As a word for exports."""
        return _CHANGE_LABELS[self]


_CHANGE_LABELS: Final[dict[PageChange, Sentence]] = {
    PageChange.NONE: "Moved",
    PageChange.NEW: "New",
    PageChange.MISSING: "Missing",
    PageChange.CHANGED: "Changed",
}


class FilterMove(IntEnum):
    """How a URL came into a filter or issue, or left it. Stored in `issue_change.move`."""

    ADDED = 1
    """It was there before; now the filter has it."""
    NEW = 2
    """It is new, and the filter has it."""
    BEGAN = 3
    """It was no indexable page before, and is one now: the issue applies to it since."""
    REMOVED = 4
    """It is still there, but the filter no longer has it."""
    MISSING = 5
    """The filter had it; it is gone."""
    ENDED = 6
    """It was an indexable page and no longer is: the issue does not apply to it."""
    UNKNOWN = 7
    """The filter had it. Whether it still has it is unknown: nothing has decided that, or another
    threshold."""
    UNKNOWN_BEFORE = 8
    """The filter has it. Whether it had it before is unknown."""

    @property
    def label(self) -> Sentence:
        """As a word."""
        return _MOVE_LABELS[self]

    @property
    def is_in(self) -> bool:
        """Whether the filter has it after, but not before."""
        return self <= FilterMove.BEGAN

    @property
    def is_out(self) -> bool:
        """Whether the filter had it, but no longer has it."""
        return FilterMove.REMOVED <= self <= FilterMove.ENDED

    @property
    def is_known(self) -> bool:
        """Whether both sides are known."""
        return self <= FilterMove.ENDED

    @property
    def held(self) -> tuple[Sentence, Sentence]:
        """Whether the issue held before, and whether it does after."""
        return _HELD.get(self, ("No", "Yes") if self.is_in else ("Yes", "No"))


_MOVE_LABELS: Final[dict[FilterMove, Sentence]] = {
    FilterMove.ADDED: "Added",
    FilterMove.NEW: "New",
    FilterMove.BEGAN: "Began",
    FilterMove.REMOVED: "Removed",
    FilterMove.MISSING: "Missing",
    FilterMove.ENDED: "Ended",
    FilterMove.UNKNOWN: "Unknown",
    FilterMove.UNKNOWN_BEFORE: "Unknown before",
}


_HELD: Final[dict[FilterMove, tuple[Sentence, Sentence]]] = {
    FilterMove.NEW: ("New page", "Yes"),
    FilterMove.BEGAN: ("Not applicable", "Yes"),
    FilterMove.MISSING: ("Yes", "Page missing"),
    FilterMove.ENDED: ("Yes", "Not applicable"),
    FilterMove.UNKNOWN: ("Yes", "Unknown"),
    FilterMove.UNKNOWN_BEFORE: ("Unknown", "Yes"),
}


class MovedBy(IntEnum):
    """The sign by which a page is known to have moved. Stored in `page.moved_by`."""

    REDIRECT = 1
    TEXT = 2
    HEADINGS = 3
    PATH = 4

    @property
    def label(self) -> Sentence:
        """In a few words."""
        return _MOVED_LABELS[self]


_MOVED_LABELS: Final[dict[MovedBy, Sentence]] = {
    MovedBy.REDIRECT: "Redirects there",
    MovedBy.TEXT: "Same text",
    MovedBy.HEADINGS: "Same title and H1",
    MovedBy.PATH: "Same location in a folder that has moved",
}


class PathRewrite(NamedTuple):
    """A folder whose pages have moved to another folder, as a prefix for a mapping.

    It is added to the existing mapping: `before` is an address of the earlier side.
    """

    before: str
    after: str
    pages: int


class FilterCounts(Struct, frozen=True, array_like=True):
    """How many URLs a filter has before and after, and how many came and went.

    `section` is "view", "scope" or a facet, `value` its value for URLs in the filter: see
    `model.comparison_filters`. For an issue, the section is "issue" and the value the rule's
    number. Only issues can begin, end or be unknown.
    """

    section: Facet
    value: Value
    before: int = 0
    after: int = 0
    added: int = 0
    new: int = 0
    began: int = 0
    removed: int = 0
    missing: int = 0
    ended: int = 0
    unknown: int = 0
    unknown_before: int = 0

    def of(self, move: FilterMove) -> int:
        """How many URLs have moved in this way."""
        return self.moves[move - 1]

    @property
    def moves(self) -> tuple[int, ...]:
        """How many URLs have moved in each way, in the order of FilterMove."""
        gone = self.removed, self.missing, self.ended
        return self.added, self.new, self.began, *gone, self.unknown, self.unknown_before

    @property
    def gained(self) -> int:
        """How many URLs came into the filter."""
        return self.added + self.new + self.began

    @property
    def lost(self) -> int:
        """How many URLs left the filter."""
        return self.removed + self.missing + self.ended

    @property
    def has_unknown(self) -> bool:
        """Whether the move of some URLs is unknown."""
        return bool(self.unknown or self.unknown_before)

    @property
    def is_changed(self) -> bool:
        """Whether any URL came or went, or may have."""
        return any(self.moves)


class ComparedSide(Struct, frozen=True, array_like=True):
    """One of the two projects, as it was when compared.

    `urls` counts those that were requested, `pages` the HTML pages among them, `pending` those
    still waiting, which are not compared.
    """

    path: str
    program: str
    created_at: float
    state: CrawlState
    root: str
    urls: int
    pages: int
    pending: int
    page_rules: bool
    """Whether the issues of single pages are up to date; `stages`: those of the whole crawl."""
    stages: bool
    settings: CrawlSettings
    """Without roots."""
    series: str = ""
    unseen: int = 0
    """The number of requested URLs unknown to the last audit, because they were fetched later."""

    @property
    def is_finished(self) -> bool:
        """Whether the crawl finished."""
        return self.state is CrawlState.FINISHED and not self.pending

    @property
    def is_audited(self) -> bool:
        """Whether its issues cover all that was crawled."""
        return self.page_rules and self.stages


class SettingChange(NamedTuple):
    """A setting that differs between the two crawls; values as in JSON."""

    name: str
    before: Any
    after: Any


class ComparisonSummary(Struct, frozen=True):
    """A comparison as a whole. `new`, `missing` and `changed` count URLs.

    `fields` counts the URLs in which each field has changed, by its name; `mapped` counts the URLs
    of the earlier side whose address was mapped. `fates` counts missing URLs that the later crawl
    knows, but did not request, by their outcome there.
    """

    before: ComparedSide
    after: ComparedSide
    compared_at: float
    mapping: tuple[tuple[str, str], ...]
    mapped: int
    new: int
    missing: int
    changed: int
    fields: Mapping[str, int]
    fates: Mapping[int, int]
    settings: tuple[SettingChange, ...]
    name_other_copy: int = 0
    """How many pages of either side have their canonical on the other copy of a mapped site."""
    moved: int = 0
    """How many pages have probably moved."""
    rewrites: tuple[PathRewrite, ...] = ()
    """Folders that have probably moved."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not (self.new or self.missing or self.changed)


class FieldChange(NamedTuple):
    """A field of a page that has changed: its name, and values as `UrlRecord` has them."""

    field: str
    before: Any
    after: Any


class IssueMove(NamedTuple):
    """An issue that a page has gained or lost, by the number of the rule."""

    rule: int
    move: FilterMove


class LinkChange(NamedTuple):
    """A target that a page has begun to link to (`is_gained`), or no longer links to."""

    url: str
    is_gained: bool


class BrokenLinkChange(Struct, frozen=True):
    """A link to a broken URL that is on one side alone. Addresses before are mapped.

    `move` says whether its page has gained it (ADDED; NEW with the page) or lost it (REMOVED;
    MISSING with the page). Outcomes and statuses are those of the target, None if a crawl does not
    know it, or had no response.
    """

    id: int
    move: FilterMove
    source: str
    target: str
    before: Outcome | None = None
    before_status: int | None = None
    after: Outcome | None = None
    after_status: int | None = None


class BrokenLinkFilter(Struct, frozen=True):
    """Which links to return: by what became of them, and by a part of either address."""

    moves: frozenset[FilterMove] = frozenset(FilterMove)
    text: str = ""


class ComparedPage(Struct, frozen=True):
    """A URL that differs. `url` is its address after; for a missing one that before, mapped.

    `before_url` is its address before, if different. `before_id` and `after_id` are its ids in the
    projects. For a missing URL that the later crawl knows but did not request, `fate` says why; if
    that crawl requested what only the earlier one had, `fate_status` is the status, and `fate_url`
    the target of a redirect. For a new or missing page, `status` and `reason` say how the crawl
    that has it found it.
    """

    id: int
    url: str
    change: PageChange
    before_url: str | None = None
    before_id: int | None = None
    after_id: int | None = None
    fate: Outcome | None = None
    fate_status: int | None = None
    fate_url: str | None = None
    status: int | None = None
    reason: Indexability | None = None
    fields: tuple[FieldChange, ...] = ()
    issues: tuple[IssueMove, ...] = ()
    links: tuple[LinkChange, ...] = ()
    """The first in each direction; the field of outlinks counts all."""
    moved_url: str | None = None
    """Where the page probably is now; for a new one, where it was (mapped). `moved_by` says why."""
    moved_by: MovedBy | None = None


class FolderCounts(Struct, frozen=True, array_like=True):
    """How many URLs are in a folder and below it, before and after; `address` ends with a slash."""

    address: str
    level: int
    before: int
    after: int


class ComparisonFilter(Struct, frozen=True):
    """Which pages of a comparison to return; conditions add up. The default returns all changes.

    `field` is the name of a changed field. `moved` is a filter or issue (section and value) and how
    a page moved in or out of it; None for any way. With `has_moved`, pages that have probably moved
    to another address, as they were before. `text` is a part of the address or of a changed value,
    whatever its case in ASCII.
    """

    changes: frozenset[PageChange] = frozenset(
        {PageChange.NEW, PageChange.MISSING, PageChange.CHANGED}
    )
    field: str = ""
    moved: tuple[Facet, Value, FilterMove | None] | None = None
    text: str = ""
    has_moved: bool = False


class ComparisonOrder(Struct, frozen=True):
    """How pages of a comparison are sorted: by "address", "change", "before" or "after".

    The last two are values of the field that the filter names. Without a column, pages are in order
    of discovery: those of the later crawl first, then the missing ones.
    """

    column: str = ""
    descending: bool = False
