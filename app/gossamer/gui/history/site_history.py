"""What the history of a site shows, read from its series: figures and notes, and no project."""

from collections.abc import Sequence
from dataclasses import dataclass

from gossamer.gui.history.crawl_table import ListedCrawl
from gossamer.gui.history.crawls_with_notes import chart_notes, listed_crawls
from gossamer.gui.history.trend_chart import ChartNote
from gossamer.model.series_contents import Note
from gossamer.store.series_file import Series


@dataclass(frozen=True, slots=True)
class SiteHistory:
    """Crawls with their notes, all notes, the flags of charts, and the rules that ever held."""

    crawls: Sequence[ListedCrawl]
    notes: Sequence[Note]
    flags: Sequence[ChartNote]
    rules: Sequence[int]


def read_history(series: Series, shown: float) -> SiteHistory:
    """Read it; `shown` is `created_at` of the crawl that is open. Looks whether files are there."""
    crawls, notes = series.crawls(), series.notes()
    return SiteHistory(
        listed_crawls(crawls, notes, shown), notes, chart_notes(notes), series.rules()
    )
