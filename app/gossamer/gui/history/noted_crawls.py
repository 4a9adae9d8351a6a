"""Lists the crawls of a series with their notes, for the history of a site."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Final

from gossamer.gui.history.crawl_table import ListedCrawl
from gossamer.model.series_contents import CrawlSnapshot, Note, NoteSubject

_BETWEEN: Final = " · "


def listed_crawls(
    crawls: Sequence[CrawlSnapshot], notes: Sequence[Note], shown: float
) -> list[ListedCrawl]:
    """The crawls in their order; `shown` is `created_at` of the one that is open. Looks at files.

    A crawl has its own notes, and those about days since the crawl before. Notes about days after
    the last crawl are with the last one.
    """
    of_crawls = notes_of_crawls(crawls, notes)
    return [
        ListedCrawl(
            each,
            exists=bool(each.project) and Path(each.project).exists(),
            is_open=each.created_at == shown,
            notes=_BETWEEN.join(note.text for note in of_crawls.get(each.created_at, ())),
        )
        for each in crawls
    ]


def notes_of_crawls(
    crawls: Sequence[CrawlSnapshot], notes: Sequence[Note]
) -> dict[float, list[Note]]:
    """The notes about crawls and days by `created_at` of their crawl."""
    found: dict[float, list[Note]] = defaultdict(list)
    if not crawls:
        return found
    days = [datetime.fromtimestamp(each.created_at).astimezone().date() for each in crawls]
    for note in notes:
        if note.subject is NoteSubject.CRAWL:
            found[_number(note.about)].append(note)
        elif note.subject is NoteSubject.DATE:
            day = date.fromisoformat(note.about)
            at = next((at for at, each in enumerate(days) if each >= day), len(crawls) - 1)
            found[crawls[at].created_at].append(note)
    return found


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
