"""Lists the crawls of a series with their notes, for the history of a site."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gossamer.gui.history.chart_dates import local_day
from gossamer.gui.history.crawl_table import ListedCrawl
from gossamer.gui.history.trend_chart import ChartNote
from gossamer.gui.text import local_formatting as formatting
from gossamer.model.series_contents import BETWEEN_NOTES, CrawlSnapshot, Note, NoteSubject
from gossamer.model.timestamps import is_time
from gossamer.session.project_locations import location_of

if TYPE_CHECKING:
    from datetime import date


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
            location_of(each),
            is_open=each.created_at == shown,
            notes=BETWEEN_NOTES.join(note.text for note in of_crawls.get(each.created_at, ())),
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
    days = [local_day(each.created_at) for each in crawls]
    for note in notes:
        if note.subject is NoteSubject.CRAWL:
            found[_number(note.about)].append(note)
        elif (day := note.day) is not None:
            at = min(bisect_left(days, day), len(crawls) - 1)
            found[crawls[at].created_at].append(note)
    return found


def chart_notes(notes: Sequence[Note]) -> list[ChartNote]:
    """The flags of charts: the notes about each day, and about the crawls of that day."""
    found: dict[date, list[Note]] = defaultdict(list)
    for note in notes:
        if note.day is not None:
            found[note.day].append(note)
        elif note.subject is NoteSubject.CRAWL and (begun := _number(note.about)):
            found[local_day(begun)].append(note)
    return [
        ChartNote(
            day,
            formatting.date_words(day),
            tuple(each.text for each in some),
            tuple(each.id for each in some),
        )
        for day, some in sorted(found.items())
    ]


def _number(text: str) -> float:
    """The time of a crawl that a note is about; 0 if the text is not ours."""
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if is_time(number) else 0.0
