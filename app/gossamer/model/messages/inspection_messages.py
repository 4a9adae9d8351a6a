"""The messages between a shell and an inspector, which examines single pages."""

from msgspec import Struct

from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.custom_definitions import CustomResult
from gossamer.model.messages.page_contents_messages import (
    ComparePages,
    PageComparison,
    PageContents,
    PageFetchOutcome,
    ReadPage,
    SideBySide,
)
from gossamer.model.messages.page_image_messages import (
    FetchImage,
    ImageFile,
    PageImages,
    ReadImages,
)
from gossamer.model.messages.page_load_messages import LoadReport, MeasurePage
from gossamer.model.messages.page_rendering_messages import (
    CompareStoredDom,
    RenderingReport,
    RenderPage,
    StoredDomComparison,
)
from gossamer.model.messages.stored_page_messages import ViewedPage, ViewStored
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail
from gossamer.model.translatable import Translatable

SOURCE_BYTES = 2 * 1024 * 1024
"""Bytes of a decoded body that are shown."""
MAX_MATCHES = 200
"""Matches of a rule that are listed."""


class InspectPage(Struct, tag=True, frozen=True, array_like=True):
    """Request `url` once, as the crawl does, unless it was the last one requested; or `again`.

    `target` is a URL whose links are to be found in the source, "" for none.
    """

    number: int
    url: str
    target: str = ""
    again: bool = False


class TestSelector(Struct, tag=True, frozen=True, array_like=True):
    """Find what a CSS selector matches in the last source, or in `text` if that is given."""

    number: int
    selector: str
    text: str = ""


class SuggestWords(Struct, tag=True, frozen=True, array_like=True):
    """Suggest replacements from the dictionary of this name for a word that it does not know."""

    number: int
    word: str
    dictionary: str


class PageSource(Struct, tag=True, frozen=True):
    """The page's source: `text` is the readable body; `detail` says why it is missing or partial.

    Lines end with a line feed, and very long ones are broken. Control and bidirectional characters,
    which could mislead the eye, are U+FFFD. `truncated` texts are cut. `spans` are the start and
    end positions of links to the target, in characters. Secret values are left out of `request`.
    """

    number: int
    url: str
    outcome: Outcome
    status: int | None = None
    reason: str = ""
    detail: Detail | None = None
    content_type: str = ""
    charset: str = ""
    text: str = ""
    is_text: bool = True
    """False if there is a body of a type that is not for reading."""
    truncated: bool = False
    spans: list[tuple[int, int]] = []
    request: list[tuple[str, str]] = []
    headers: list[tuple[str, str]] = []


class ReadStored(Struct, tag=True, frozen=True, array_like=True):
    """Read what the archive in `folder` has of `url`; `compare` it with the server's response now.

    For that, `url` is requested unless it was the last one requested; `again` in any case.
    """

    number: int
    url: str
    folder: str
    record: ArchiveRecord
    compare: bool = False
    again: bool = False


class StoredSource(Struct, tag=True, frozen=True):
    """The source of a page as archived, or the `reason` why there is none.

    `date` is when it was fetched, in ISO 8601; `repeats` says that the body is in an earlier
    record. `now` is the present response of the server, if requested, and `difference` has the
    lines of both sources.
    """

    number: int
    url: str
    source: PageSource | None = None
    date: str = ""
    repeats: bool = False
    reason: Translatable | None = None
    now: PageFetchOutcome | None = None
    difference: SideBySide = SideBySide()


class Match(Struct, frozen=True, array_like=True):
    """An element that a rule matches: start tag and text, both cut; line from 1, 0 if unknown."""

    tag: str
    text: str
    line: int


class SelectorResult(Struct, tag=True, frozen=True):
    """What a rule matches: `count` elements, the first of them listed. `error` is one line."""

    number: int
    count: int = 0
    matches: list[Match] = []
    error: str = ""


class Suggestions(Struct, tag=True, frozen=True):
    """Words similar to the requested one, the most likely first, or why there are none."""

    number: int
    words: list[str] = []
    reason: Translatable | None = None


class TryDefinitions(Struct, tag=True, frozen=True, array_like=True):
    """Apply the custom definitions of the settings to `url`, or to the page it redirects to."""

    number: int
    url: str


class TrialResult(Struct, tag=True, frozen=True):
    """Their results on the page at `url`; none unless it is a page with a status of success.

    `elapsed_ms` has how long each took, by number, as far as they finished.
    """

    number: int
    url: str
    outcome: Outcome
    status: int | None = None
    detail: Detail | None = None
    results: list[CustomResult] = []
    elapsed_ms: dict[int, float] = {}


Request = (
    InspectPage
    | ReadPage
    | ComparePages
    | ReadImages
    | FetchImage
    | RenderPage
    | MeasurePage
    | TryDefinitions
)
"""Messages whose reply may require a request to a server."""
Question = Request | ReadStored | ViewStored | CompareStoredDom | TestSelector | SuggestWords
InspectionFinding = (
    PageSource
    | StoredSource
    | ViewedPage
    | SelectorResult
    | PageContents
    | PageComparison
    | PageImages
    | ImageFile
    | RenderingReport
    | StoredDomComparison
    | LoadReport
    | Suggestions
    | TrialResult
)
