"""Measures how a page loads: the lab metrics of web.dev, from what the browser observes.

The definitions are those of web.dev/articles/{fcp,lcp,cls,tbt}, as the library web-vitals and
Lighthouse have them.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from gossamer.render.page_scripts import PageScript

QUIET_S: Final = 1.0
"""A page has loaded when it has requested nothing for so long, and had no long task."""
LONG_TASK_MS: Final = 50.0
"""The time that a task takes beyond this blocks the page."""
_INTERACTIVE_MS: Final = 5_000.0
"""After so much time without long tasks, a page is interactive: later ones are not counted
(web.dev/articles/tti)."""
_SHIFT_GAP_MS: Final = 1_000.0
_SHIFT_WINDOW_MS: Final = 5_000.0
"""A session window of layout shifts ends with such a gap, and is no longer than that."""
_PLACES: Final = 4

OBSERVE_LOAD: Final = PageScript(
    r"""
function () {
  if (window !== window.top) return;
  const seen = {fcp: 0, lcp: 0, shifts: [], tasks: []};
  const MOST = 5000;
  const add = (list, pair) => { if (list.length < MOST) list.push(pair); };
  const note = {
    'paint': each => { if (each.name === 'first-contentful-paint') seen.fcp = each.startTime; },
    'largest-contentful-paint': each => { seen.lcp = each.startTime; },
    // Nobody touches the page: what counts as input here is that a phone sets its viewport.
    'layout-shift': each => add(seen.shifts, [each.startTime, each.value]),
    'longtask': each => add(seen.tasks, [each.startTime, each.duration]),
  };
  const observers = Object.entries(note).map(([type, take]) => {
    const observer = new PerformanceObserver(list => list.getEntries().forEach(take));
    observer.observe({type, buffered: true});
    return () => observer.takeRecords().forEach(take);
  });
  globalThis.gossamerLoad = () => { observers.forEach(flush => flush()); return seen; };
}
"""
)
"""Notes what is painted, moved and computed. It runs before the page's scripts."""

READ_LOAD: Final = PageScript(
    r"""
async function (options) {
  if (!globalThis.gossamerLoad) return null;
  const given = performance.now() + options.most;
  let seen = gossamerLoad();
  for (;;) {
    const busy = Math.max(0, ...seen.tasks.map(([start, duration]) => start + duration));
    const now = performance.now();
    if (now - busy >= options.quiet || now >= given) break;
    await new Promise(done => setTimeout(done, 50));
    seen = gossamerLoad();
  }
  const navigation = performance.getEntriesByType('navigation')[0];
  return {...seen, responded: navigation ? navigation.responseStart : 0};
}
"""
)
"""Returns what `OBSERVE_LOAD` has noted, as a `LoadObserved`, once no task has been long for
`quiet` ms, or after `most` ms."""


class LayoutShift(NamedTuple):
    """The time and score of a layout shift."""

    at_ms: float
    score: float


class LongTask(NamedTuple):
    """A task that took more than 50 ms."""

    started_ms: float
    elapsed_ms: float


class LoadObserved(Struct):
    """What a browser has observed; times since the navigation began, 0 for what never happened."""

    fcp: float
    lcp: float
    shifts: list[LayoutShift]
    tasks: list[LongTask]
    responded: float
    """When the response for the page began."""


class LoadMetrics(Struct, frozen=True):
    """The lab metrics of a page: milliseconds since its request, None for what never happened."""

    fcp_ms: int | None
    lcp_ms: int | None
    cls: float
    tbt_ms: int


def load_metrics(observed: LoadObserved, document_ms: float) -> LoadMetrics:
    """The metrics of a page whose response took `document_ms` to reach the browser."""
    offset_ms = document_ms - observed.responded

    def since_asked(at_ms: float) -> int | None:
        return round(at_ms + offset_ms) if at_ms else None

    return LoadMetrics(
        since_asked(observed.fcp),
        since_asked(observed.lcp),
        round(cumulative_layout_shift(observed.shifts), _PLACES),
        round(total_blocking_ms(observed.tasks, observed.fcp)),
    )


def cumulative_layout_shift(shifts: Iterable[LayoutShift]) -> float:
    """The largest session window of layout shifts, which are in order."""
    largest = score = first_ms = last_ms = 0.0
    for shift in shifts:
        is_same_window = (
            shift.at_ms - last_ms < _SHIFT_GAP_MS and shift.at_ms - first_ms < _SHIFT_WINDOW_MS
        )
        if is_same_window and score:
            score += shift.score
        else:
            score, first_ms = shift.score, shift.at_ms
        last_ms = shift.at_ms
        largest = max(largest, score)
    return largest


def total_blocking_ms(tasks: Sequence[LongTask], since_ms: float) -> float:
    """By how much long tasks, in order, exceed 50 ms from `since_ms` until it is interactive."""
    total_ms, free_since_ms = 0.0, since_ms
    for task in tasks:
        ended_ms = task.started_ms + task.elapsed_ms
        if ended_ms <= since_ms:
            continue
        if task.started_ms - free_since_ms >= _INTERACTIVE_MS:
            break
        elapsed_ms = ended_ms - max(task.started_ms, since_ms)
        total_ms += max(0.0, elapsed_ms - LONG_TASK_MS)
        free_since_ms = ended_ms
    return total_ms
