"""Decides whether a finished crawl shows its site, or has failed.

It has failed if no root has responded, or if the site has moved: all roots lead out of the crawl.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from msgspec.structs import replace

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome import PAGES, Outcome, UrlState, sentence_of
from gossamer.model.outcome_counts import count
from gossamer.model.project_queries import TreeNode
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable, said
from gossamer.urls.url_folders import display_url

IN_VAIN: Final = frozenset({UrlState.FAILED, UrlState.SKIPPED, UrlState.CANCELLED})
"""States of URLs without a response, now or later."""


class RootRows(Protocol):
    """A source of the URLs of a project: a Reader, or that of the window."""

    def children(self, parent: int | None, after: int = ...) -> list[TreeNode]:
        """URLs first found on `parent` (None: the roots), by id, with ids above `after`."""

    def records(self, ids: Sequence[int]) -> list[UrlRecord]:
        """The URLs with these ids, in their order."""


class CrawlRows(RootRows, Protocol):
    """A source of the roots of a project, and of its counts."""

    def outcome_counts(self) -> Mapping[Outcome, int]:
        """How many URLs have each outcome."""


def crawl_failure(project: Path) -> Translatable | None:
    """`failure_in` a project; ProjectError if it cannot be read."""
    from gossamer.store.reading.reader import Reader  # noqa: PLC0415 - the window's start does without

    with Reader(project) as reader:
        return failure_in(reader, reader.summary().settings)


def failure_in(rows: CrawlRows, settings: CrawlSettings) -> Translatable | None:
    """Why a finished crawl with these settings has failed; None if it shows its site.

    All shells, schedules, series and notifications use this.
    """
    return failure_of(read_roots(rows)) or _departure(rows, settings)


def comparison_warning(project: Path) -> Translatable | None:
    """The warning for a comparison with a crawl that has failed; None if it shows its site."""
    try:
        why = crawl_failure(project)
    except ProjectError:
        return None  # it was read a moment ago; what was found is shown
    if why is None:
        return None
    return said("{name} is a crawl that has failed. {reason}", name=project.name, reason=why)


def failure_of(roots: Iterable[UrlRecord]) -> Translatable | None:
    """The sentence that none of a crawl's roots has responded, and why the first has not.

    None if one has, or still may: no others are looked at then, of which there may be a million.
    """
    first: UrlRecord | None = None
    for root in roots:
        if root.outcome.state not in IN_VAIN:
            return None
        first = first or root
    if first is None:
        return None
    return said(
        "None of the start URLs responded. {url}: {reason}",
        url=display_url(first.url),
        reason=reason_of(first),
    )


def _departure(rows: CrawlRows, settings: CrawlSettings) -> Translatable | None:
    """The sentence that the site has moved: all roots lead out of the crawl, or fail.

    None if one leads into the site, if there are pages of it all the same, as from sitemaps, and
    if only a list is crawled: of old URLs that redirect, say, which is then what was asked for.
    """
    if settings.list_only or count(rows.outcome_counts(), PAGES):
        return None
    first: UrlRecord | None = None
    for root in read_roots(rows):
        if root.outcome is Outcome.REDIRECT_OUT_OF_SCOPE:
            first = first or root
        elif root.outcome.state not in IN_VAIN:
            return None
    if first is None:
        return None
    return said(
        "{url} redirects to {target}, outside this crawl; crawl that URL instead.",
        url=display_url(first.url),
        target=display_url(first.redirect or ""),
    )


def reason_of(root: UrlRecord) -> Translatable:
    """Why a root has not responded, with what is known beyond its outcome."""
    sentence = Translatable(sentence_of(root.outcome, root.status))
    if root.detail is None:
        return sentence
    return said("{sentence} ({detail})", sentence=sentence, detail=root.detail.said)


def as_told(progress: Progress, *, shows_site: bool) -> Progress:
    """The progress as shown to people: finished without showing its site is failed."""
    if shows_site or progress.state is not CrawlState.FINISHED:
        return progress
    return replace(progress, state=CrawlState.FAILED)


def read_roots(rows: RootRows) -> Iterator[UrlRecord]:
    """The roots of a project, in the order of their ids."""
    after = 0
    while nodes := rows.children(None, after):
        after = nodes[-1].id
        yield from rows.records([node.id for node in nodes])
