"""Decides whether a finished crawl shows its site, or has failed: no root has responded."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol

from msgspec.structs import replace

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome import Outcome, UrlState, sentence_of
from gossamer.model.project_queries import TreeNode
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


def root_failure(project: Path) -> Translatable | None:
    """`failure_of` the roots of a project; ProjectError if it cannot be read."""
    from gossamer.store.reading.reader import Reader  # noqa: PLC0415 - the window's start does without

    with Reader(project) as reader:
        return failure_of(read_roots(reader))


def comparison_warning(project: Path) -> Translatable | None:
    """The warning for a comparison with a crawl that has failed, or shows a site that has moved.

    None if it has responses of the site.
    """
    try:
        why, moved = root_failure(project), departure(project)
    except ProjectError:
        return None  # it was read a moment ago; what was found is shown
    if why is not None:
        return said("{name} is a crawl that has failed. {reason}", name=project.name, reason=why)
    if moved is not None:
        return said("{name} has no page of the site. {reason}", name=project.name, reason=moved)
    return None


def failure_of(roots: Iterable[UrlRecord]) -> Translatable | None:
    """The sentence that none of a crawl's roots has responded, and why the first has not.

    None if one has, or still may: no others are looked at then, of which there may be a million.
    The crawl has then finished, otherwise it has failed: all shells, schedules and notifications
    use this.
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


def departure(project: Path) -> Translatable | None:
    """The sentence that the site has moved: all roots lead out of the crawl, or fail.

    None if one leads into the site. ProjectError if it cannot be read.
    """
    from gossamer.store.reading.reader import Reader  # noqa: PLC0415 - the window's start does without

    first: UrlRecord | None = None
    with Reader(project) as reader:
        for root in read_roots(reader):
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


def as_told(progress: Progress, *, any_root: bool) -> Progress:
    """The progress as shown to people: finished without a root that responded is failed."""
    if any_root or progress.state is not CrawlState.FINISHED:
        return progress
    return replace(progress, state=CrawlState.FAILED)


def read_roots(rows: RootRows) -> Iterator[UrlRecord]:
    """The roots of a project, in the order of their ids."""
    after = 0
    while nodes := rows.children(None, after):
        after = nodes[-1].id
        yield from rows.records([node.id for node in nodes])
