"""Makes the lines of the charts from the snapshots of the crawls of a site."""

from collections.abc import Callable, Mapping, Sequence

from gossamer.gui.history.trend_chart import TrendLine
from gossamer.gui.look.theme import Role
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import translator
from gossamer.model.series_contents import CrawlSnapshot

_tr = translator("CrawlHistory")


def issue_lines(crawls: Sequence[CrawlSnapshot]) -> list[TrendLine]:
    """Issues by priority."""
    return [
        _counts(_tr("High"), "error", crawls, lambda crawl: crawl.high),
        _counts(_tr("Medium"), "warning", crawls, lambda crawl: crawl.medium),
        _counts(_tr("Low"), "muted", crawls, lambda crawl: crawl.low),
    ]


def page_lines(crawls: Sequence[CrawlSnapshot]) -> list[TrendLine]:
    """Pages."""
    return [_counts(_tr("Pages"), "accent", crawls, lambda crawl: crawl.pages)]


def error_lines(crawls: Sequence[CrawlSnapshot]) -> list[TrendLine]:
    """Errors."""
    return [_counts(_tr("Errors"), "error", crawls, lambda crawl: crawl.errors)]


def time_lines(crawls: Sequence[CrawlSnapshot]) -> list[TrendLine]:
    """Median and 90th percentile of the response times."""
    return [
        _times(_tr("Median"), "accent", crawls, lambda crawl: crawl.median_ms),
        _times(_tr("90th percentile"), "redirect", crawls, lambda crawl: crawl.p90_ms),
    ]


def chosen_lines(
    name: str, crawls: Sequence[CrawlSnapshot], urls: Mapping[float, int]
) -> list[TrendLine]:
    """An issue, or all issues of a tab: `created_at` of the crawl → URLs."""
    return [_counts(name, "accent", crawls, lambda crawl: urls.get(crawl.created_at, 0))]


def _counts(
    name: str, role: Role, crawls: Sequence[CrawlSnapshot], of: Callable[[CrawlSnapshot], int]
) -> TrendLine:
    values = [of(crawl) for crawl in crawls]
    return TrendLine(name, role, values, [formatting.number(value) for value in values])


def _times(
    name: str,
    role: Role,
    crawls: Sequence[CrawlSnapshot],
    of: Callable[[CrawlSnapshot], int | None],
) -> TrendLine:
    values = [of(crawl) for crawl in crawls]
    texts = ["" if value is None else formatting.duration(value) for value in values]
    return TrendLine(name, role, values, texts)
