"""What is read back from a project file: views, filters, orders, and the rows they give."""

from dataclasses import dataclass, field
from enum import StrEnum

from app.model.outcome import ERROR_OUTCOMES, Outcome, UrlState, Verdict, verdict
from app.model.page import LinkAction, LinkKind, RedirectKind


class View(StrEnum):
    """A set of URLs, told apart by outcome. See `VIEW_OUTCOMES`."""

    ALL = "all"
    """Every known URL."""
    PAGES = "pages"
    FILES = "files"
    """Addresses that work and are no pages: images, style sheets, downloads, checked targets."""
    REDIRECTS = "redirects"
    ERRORS = "errors"
    SKIPPED = "skipped"
    """Never asked: skipped by a rule, or cancelled."""

    @property
    def outcomes(self) -> frozenset[Outcome]:
        """The outcomes of the URLs in this view."""
        return VIEW_OUTCOMES[self]


VIEW_OUTCOMES: dict[View, frozenset[Outcome]] = {
    View.ALL: frozenset(Outcome),
    View.PAGES: frozenset({Outcome.PAGE}),
    View.FILES: frozenset({Outcome.FILE, Outcome.CHECKED}),
    View.REDIRECTS: frozenset(o for o in Outcome if o.is_redirect),
    View.ERRORS: ERROR_OUTCOMES,
    View.SKIPPED: frozenset(
        o for o in Outcome if o.state in {UrlState.SKIPPED, UrlState.CANCELLED}
    ),
}


class Column(StrEnum):
    """A column that a table of URLs can show and sort by."""

    ADDRESS = "address"
    STATUS = "status"
    OUTCOME = "outcome"
    CONTENT_TYPE = "content_type"
    TITLE = "title"
    H1 = "h1"
    DESCRIPTION = "description"
    DEPTH = "depth"
    WORDS = "words"
    SIZE = "size"
    TIME = "time"
    """Milliseconds from the request to the last byte (`elapsed_ms`)."""
    INLINKS = "inlinks"
    UNIQUE_INLINKS = "unique_inlinks"
    OUTLINKS = "outlinks"
    REDIRECT = "redirect"
    LANGUAGE = "language"
    CANONICAL = "canonical"
    LAST_MODIFIED = "last_modified"
    FETCHED_AT = "fetched_at"


@dataclass(frozen=True, slots=True)
class Filter:
    """Which URLs of a view to give. The default gives them all; conditions add up.

    `text` is a substring of address or title; case does not matter for ASCII letters. An empty
    `outcomes` or `statuses` means any. `folder` is the id of a folder; the folders below count.
    """

    text: str = ""
    outcomes: frozenset[Outcome] = frozenset()
    folder: int | None = None
    statuses: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Order:
    """What URLs are sorted by. Without a column: by discovery, which is by id.

    Equal values are in order of discovery; URLs without a value come last either way.
    """

    column: Column | None = None
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Exactly what a table of URLs shows: which rows, in which order, with which columns."""

    view: View
    filter_: Filter = field(default_factory=Filter)
    order: Order = field(default_factory=Order)
    columns: tuple[Column, ...] = (Column.ADDRESS,)


@dataclass(frozen=True, slots=True)
class UrlRecord:
    """All that is known of one URL.

    `parent` is the id of the URL it was first found on, None for a root. Fields from `status` on
    up to `detail` are None as long as nothing was asked; `status` also when no usable answer
    came. `content_type`, `charset` and `detail` are None rather than empty. Texts of the page
    (`title`, `h1`, `description`, `robots`, `canonical`, `language`) are None when the element is
    missing and "" when it is there but empty. `redirect` is where the answer leads, resolved.
    `redirect_kind`
    says by what means. `robots_header` is X-Robots-Tag, `detail` the technical detail of a
    failure or what a refusal is due to. `depth` is None where no clicks lead to the URL.
    `last_modified` is ISO 8601 in UTC, `fetched_at` Unix time in seconds. `inlinks` counts links
    to this URL of any kind, `unique_inlinks` the URLs they are on, `outlinks` links on it.
    """

    id: int
    url: str
    state: UrlState
    outcome: Outcome
    depth: int | None
    hops: int
    parent: int | None
    status: int | None = None
    reason: str | None = None
    content_type: str | None = None
    charset: str | None = None
    language: str | None = None
    size_bytes: int | None = None
    raw_bytes: int | None = None
    ttfb_ms: int | None = None
    elapsed_ms: int | None = None
    fetched_at: float | None = None
    tries: int | None = None
    truncated: bool | None = None
    title: str | None = None
    h1: str | None = None
    description: str | None = None
    robots: str | None = None
    canonical: str | None = None
    word_count: int | None = None
    content_hash: bytes | None = None
    redirect: str | None = None
    redirect_kind: RedirectKind | None = None
    robots_header: str | None = None
    last_modified: str | None = None
    detail: str | None = None
    inlinks: int = 0
    unique_inlinks: int = 0
    outlinks: int = 0

    @property
    def verdict(self) -> Verdict:
        """What a person should think of this URL."""
        return verdict(self.outcome, self.status)


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A URL as a node of a tree.

    `children` is the number of URLs first found there; `redirect` is as in `UrlRecord`.
    """

    id: int
    url: str
    parent: int | None
    outcome: Outcome
    status: int | None = None
    title: str | None = None
    children: int = 0
    redirect: str | None = None

    @property
    def verdict(self) -> Verdict:
        """What a person should think of this URL."""
        return verdict(self.outcome, self.status)


@dataclass(frozen=True, slots=True)
class FolderNode:
    """A folder of URL paths. Folders without a parent are origins ("https://example.com").

    `urls` and `errors` count the folder and all below it; `direct` counts the URLs in the folder
    itself, `subfolders` the folders directly below. URLs never asked because a rule refused them
    are in no folder.
    """

    id: int
    parent: int | None
    name: str
    urls: int
    errors: int
    subfolders: int
    direct: int


@dataclass(frozen=True, slots=True)
class LinkRecord:
    """A link with both its ends. `position` is its index in the source, in document order."""

    source_id: int
    source_url: str
    target_id: int
    target_url: str
    position: int
    kind: LinkKind
    action: LinkAction
    text: str
    rel: str
    element: str
    fragment: str
    target_outcome: Outcome
    target_status: int | None = None
    source_title: str | None = None


@dataclass(frozen=True, slots=True)
class Hop:
    """One URL of a redirect chain. `redirect_kind` says by what means it leads on, if it does."""

    id: int
    url: str
    status: int | None
    outcome: Outcome
    elapsed_ms: int | None = None
    redirect_kind: RedirectKind | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """How many URLs there are: by outcome, by HTTP status, and, of those asked, by depth."""

    outcomes: dict[Outcome, int] = field(default_factory=dict)
    statuses: dict[int, int] = field(default_factory=dict)
    depths: dict[int, int] = field(default_factory=dict)
