"""Makes the lines of the charts from the snapshots of the crawls of a site."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gossamer.gui.look.theme import Role
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import translator
from gossamer.model.series_contents import CrawlSnapshot

NOTHING: Final = "\N{EN DASH}"
"""Stands for a value that there is not."""
_MINUS: Final = "\N{MINUS SIGN}"
_tr = translator("CrawlHistory")


@dataclass(frozen=True, slots=True)
class TrendLine:
    """One figure over all crawls: its name, its colour, and a value for each crawl.

    None is drawn as a gap. `words` says a value with its unit. `is_bad` says whether it is bad if
    there is more of it; None if it is neither bad nor good.
    """

    name: str
    role: Role
    values: Sequence[int | None]
    words: Callable[[int], str] = formatting.number
    is_bad: bool | None = None

    def text(self, place: int) -> str:
        """The value of a crawl in words; a dash if there is none."""
        value = self.values[place]
        return NOTHING if value is None else self.words(value)

    def change(self, place: int) -> "tuple[str, Role] | None":
        """How it differs from the crawl before, and the colour of that; None if it does not."""
        value = self.values[place]
        before = next((each for each in reversed(self.values[:place]) if each is not None), None)
        if value is None or before in {None, value}:
            return None
        more = value - (before or 0)
        text = f"{'+' if more > 0 else _MINUS}{self.words(abs(more))}"
        if self.is_bad is None:
            return text, "muted"
        return text, "error" if (more > 0) is self.is_bad else "ok"


def issue_lines(crawls: Sequence[CrawlSnapshot]) -> list[TrendLine]:
    """Issues by priority."""
    return [
        _line(_tr("High"), "error", _figures(crawls, lambda crawl: crawl.high)),
        _line(_tr("Medium"), "warning", _figures(crawls, lambda crawl: crawl.medium)),
        _line(_tr("Low"), "muted", _figures(crawls, lambda crawl: crawl.low)),
    ]


def page_lines(crawls: Sequence[CrawlSnapshot]) -> list[TrendLine]:
    """Pages."""
    return [TrendLine(_tr("Pages"), "accent", _figures(crawls, lambda crawl: crawl.pages))]


def error_lines(crawls: Sequence[CrawlSnapshot]) -> list[TrendLine]:
    """Errors."""
    return [_line(_tr("Errors"), "error", _figures(crawls, lambda crawl: crawl.errors))]


def time_lines(crawls: Sequence[CrawlSnapshot]) -> list[TrendLine]:
    """Median and 90th percentile of the response times."""
    of = formatting.duration
    return [
        _line(_tr("Median"), "accent", _figures(crawls, lambda crawl: crawl.median_ms), of),
        _line(_tr("90th percentile"), "redirect", _figures(crawls, lambda crawl: crawl.p90_ms), of),
    ]


def chosen_lines(
    name: str, crawls: Sequence[CrawlSnapshot], urls: Mapping[float, int]
) -> list[TrendLine]:
    """An issue, or all issues of a tab: `created_at` of the crawl → URLs."""
    return [_line(name, "accent", _figures(crawls, lambda crawl: urls.get(crawl.created_at, 0)))]


def _figures(
    crawls: Sequence[CrawlSnapshot], of: Callable[[CrawlSnapshot], int | None]
) -> list[int | None]:
    """A figure of each crawl; a gap if a crawl has failed, and so says nothing about its site."""
    return [None if each.has_failed else of(each) for each in crawls]


def _line(
    name: str,
    role: Role,
    values: Sequence[int | None],
    words: Callable[[int], str] = formatting.number,
) -> TrendLine:
    return TrendLine(name, role, values, words, is_bad=True)
