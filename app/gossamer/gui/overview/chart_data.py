"""Computes the data of each overview chart and the rows that a click on it shows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gossamer.gui.filters.facet_menu import span_text
from gossamer.gui.look import outcome_style, theme
from gossamer.gui.overview.chart_widget import ChartMark, RowsTarget
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import decimal, translator
from gossamer.gui.text.translated_sentences import listed
from gossamer.model.facets import time_step
from gossamer.model.fields.derived_freshness_fields import UNCHANGED_STATUSES
from gossamer.model.messages.crawl_messages import HostState, Progress
from gossamer.model.number_format import clock
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import FORMER, QUEUED
from gossamer.model.overview_data import ExtremePage, by_step, percentile
from gossamer.model.project_queries import NO_RESPONSE, Filter, View, facet_values
from gossamer.urls.url_folders import display_url

MAX_SPANS: Final = 48


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A time span, in seconds of crawling, and how many were done per second."""

    start_s: float
    end_s: float
    per_second: float


class Throughput:
    """Collects counters into time spans. When there are too many, spans double in length."""

    def __init__(self) -> None:
        self._first: tuple[float, int] | None = None
        self._span_s = 1.0
        self._last: dict[int, tuple[float, int]] = {}
        """The last counters of each span: seconds and URLs done."""

    def clear(self) -> None:
        """Forget the crawl."""
        self._first = None
        self._span_s = 1.0
        self._last = {}

    def add(self, seconds: float, done: int) -> bool:
        """Add the counters at a time; returns whether a span is complete, so the chart changes."""
        if self._first is None or seconds < self._first[0]:
            self.clear()
            self._first = (seconds, done)
            return True
        before = len(self._last)
        self._last[int((seconds - self._first[0]) / self._span_s)] = (seconds, done)
        while len(self._last) > MAX_SPANS:
            self._span_s *= 2
            self._last = {n // 2: counters for n, counters in self._last.items()}
        return len(self._last) != before

    def spans(self) -> list[TimeSpan]:
        """The spans that have ended, in order; longer where nothing was reported."""
        found = []
        before = self._first
        for counters in list(self._last.values())[:-1]:
            if before is not None and counters[0] > before[0]:
                elapsed_s, done = counters[0] - before[0], counters[1] - before[1]
                found.append(TimeSpan(before[0], counters[0], max(0.0, done / elapsed_s)))
                before = counters
        return found


_tr = translator("OverviewMarks")

DEPTHS: Final = 12
"""Depths that get a column of their own; deeper ones share the last."""
TOP: Final = 6
_PERCENTS: Final = (50, 90, 99)
_CLASSES: Final[dict[int, theme.Role]] = {2: "ok", 3: "redirect", 4: "error", 5: "warning"}


def responses(progress: Progress) -> list[ChartMark]:
    """URLs by class of HTTP status; none before the first response."""
    if not progress.fetched:
        return []
    classes = dict.fromkeys(_CLASSES, 0)
    for status, count in progress.statuses.items():
        if status // 100 in classes:
            classes[status // 100] += count
    names = {
        2: _tr("2xx Successful"),
        3: _tr("3xx Redirection"),
        4: _tr("4xx Client error"),
        5: _tr("5xx Server error"),
    }
    marks = [
        _counted(
            names[digit],
            classes[digit],
            role,
            RowsTarget(View.ALL, Filter(facets=facet_values(status_class={digit}))),
        )
        for digit, role in _CLASSES.items()
    ]
    silent = max(0, progress.fetched - sum(progress.statuses.values()))
    none = RowsTarget(View.ERRORS, Filter(facets=facet_values(status_class={NO_RESPONSE})))
    marks.append(_counted(_tr("No response"), silent, "skipped", none))
    return [_explained(mark, progress.fetched) for mark in marks]


def _explained(mark: ChartMark, fetched: int) -> ChartMark:
    share = _share(int(mark.value), fetched) if mark.value else ""
    if mark.role != "redirect":
        return replace(mark, hint=share)
    refreshes = _tr(
        "Meta refresh and Refresh header redirects have another status code; the Redirects tab "
        "lists them all.",
    )
    if not share:
        return replace(mark, hint=refreshes)
    both = _tr("{share}. Note: {refreshes}")
    return replace(mark, hint=both.format(share=share, refreshes=refreshes))


def outcomes(progress: Progress) -> list[ChartMark]:
    """The most frequent outcomes, most frequent first; queued URLs are left out.

    For a recrawl, last, what did not change; before that, pages that only the crawl before has.
    """
    known = [(Outcome(number), count) for number, count in progress.outcomes.items() if count]
    known.sort(key=lambda entry: (entry[0] in FORMER, -entry[1], entry[0]))
    marks = [
        _counted(
            outcome_style.label(outcome),
            count,
            outcome_style.role(outcome, None),
            RowsTarget(
                View.FORMER if outcome in FORMER else View.ALL,
                Filter(facets=facet_values(outcome={outcome})),
            ),
            hint=outcome_style.sentence(outcome),
        )
        for outcome, count in known
        if outcome not in QUEUED
    ][:TOP]
    if progress.unchanged:
        rows = RowsTarget(
            View.ALL, Filter(facets=facet_values(since_last_crawl=UNCHANGED_STATUSES))
        )
        name = _tr("Unchanged since last crawl")
        marks.append(_counted(name, progress.unchanged, "muted", rows))
    return marks


def depths(counts: Mapping[int, int]) -> list[ChartMark]:
    """Pages by clicks from a root; the last column stands for all deeper ones too."""
    deepest = max(counts, default=-1)
    marks = []
    for depth in range(min(deepest, DEPTHS) + 1):
        here = {depth} if depth < DEPTHS else {each for each in counts if each >= DEPTHS}
        name = str(depth) if here == {depth} else f"{depth}+"
        count = sum(counts.get(each, 0) for each in here)
        marks.append(
            ChartMark(
                _tr("Depth: {n}").format(n=name),
                count,
                formatting.number(count),
                target=RowsTarget(View.PAGES, Filter(facets=facet_values(depth=frozenset(here))))
                if count
                else None,
                text=name,
            )
        )
    return marks


def times(counts: Mapping[int, int]) -> list[ChartMark]:
    """Responses by response time."""
    if not counts:
        return []
    return [
        ChartMark(
            span_text(*time_step(low)),
            count,
            formatting.number(count),
            target=RowsTarget(View.ALL, Filter(time_ms=time_step(low))) if count else None,
            text=_tick(*time_step(low)),
        )
        for low, count in by_step(counts).items()
    ]


def percentiles(counts: Mapping[int, int]) -> list[ChartMark]:
    """Times within which half, nine tenths, and 99 of a hundred responses came."""
    marks = []
    for percent in _PERCENTS:
        time = percentile(counts, percent)
        if time is None:
            return []
        name = _tr("Median") if percent == _PERCENTS[0] else _tr("{n}%").format(n=percent)
        marks.append(
            ChartMark(
                name,
                time,
                formatting.duration(time),
                target=RowsTarget(View.ALL, Filter(time_ms=(time, None))),
                hint=_tr(
                    "{n}% of responses arrived within this time. Click to show slower ones.",
                ).format(n=percent),
            )
        )
    return marks


def types(counts: Mapping[str, int]) -> list[ChartMark]:
    """Responses by MIME type, the commonest first."""
    return [
        _counted(
            formatting.clean(name),
            count,
            "accent",
            RowsTarget(View.ALL, Filter(facets=facet_values(content_type={name}))),
        )
        for name, count in list(counts.items())[:TOP]
    ]


def slowest(pages: Sequence[ExtremePage]) -> list[ChartMark]:
    """Pages and their response times."""
    return _extreme(pages, formatting.duration)


def largest(pages: Sequence[ExtremePage]) -> list[ChartMark]:
    """Pages and their sizes."""
    return _extreme(pages, formatting.size)


def speed(spans: Sequence[TimeSpan], *, average: bool = False) -> list[ChartMark]:
    """URLs per second over the time of the crawl; or their `average`, if no more is known."""
    words = _tr("{n} URLs/s")
    if average:
        words = _tr("average: {n} URLs/s")
    return [
        ChartMark(
            f"{clock(span.start_s)} \N{EN DASH} {clock(span.end_s)}",
            span.per_second,
            words.format(n=decimal(span.per_second)),
            text=clock(span.start_s if n == 0 else span.end_s),
        )
        for n, span in enumerate(spans)
    ]


def hosts(progress: Progress) -> list[ChartMark]:
    """Hosts and their activity: those that are left alone first."""
    return [
        ChartMark(
            formatting.clean(host.host),
            host.active,
            _state(host),
            "warning" if host.rests_s else "ok",
            RowsTarget(
                View.ALL,
                Filter(
                    facets=facet_values(origin=frozenset({f"{s}://{host.host}" for s in _SCHEMES}))
                ),
            ),
            hint=_pace(host),
        )
        for host in progress.hosts[:TOP]
    ]


_SCHEMES: Final = ("http", "https")


def _state(host: HostState) -> str:
    if host.rests_s:
        return _tr("backing off, {n} s").format(n=formatting.number(round(host.rests_s)))
    if host.active:
        return _tr("{n} in flight").format(n=formatting.number(host.active))
    return _tr("waiting")


def _pace(host: HostState) -> str:
    queued = _tr("{n} queued").format(n=formatting.number(host.queued))
    if not host.delay_s:
        return queued
    pace = _tr("one request every {n} s").format(n=decimal(host.delay_s))
    return listed((queued, pace))


def _extreme(pages: Sequence[ExtremePage], words: Callable[[int], str]) -> list[ChartMark]:
    return [
        ChartMark(
            formatting.clean(_path(page.url)),
            page.value,
            words(page.value),
            target=page.id,
            hint=display_url(page.url),
        )
        for page in pages
    ]


def _counted(
    name: str, count: int, role: theme.Role, target: RowsTarget, *, hint: str = ""
) -> ChartMark:
    return ChartMark(
        name, count, formatting.number(count), role, target if count else None, hint=hint
    )


def _share(part: int, whole: int) -> str:
    return _tr("{n} of all requests").format(n=formatting.share(part, whole))


def _tick(low: int, high: int | None) -> str:
    """The end of a step, in seconds, as short as possible."""
    end_ms = low if high is None else high
    sign = ">" if high is None else "<"
    return f"{sign}{decimal(end_ms / 1000, 0 if end_ms % 1000 == 0 else 1)}"


def _path(url: str) -> str:
    """A URL for people without its origin, which most share."""
    shown = display_url(url)
    parts = shown.split("/", 3)
    return f"/{parts[-1]}" if len(parts) == 4 else shown  # noqa: PLR2004 - scheme, "", host, path
