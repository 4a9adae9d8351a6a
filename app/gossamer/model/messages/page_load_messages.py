"""The messages about how one page loads, measured several times."""

from msgspec import Struct

from gossamer.model.messages.page_contents_messages import PageFetchOutcome
from gossamer.model.translatable import Translatable


class MeasurePage(Struct, tag=True, frozen=True, array_like=True):
    """Request `url`, load it in a browser with nothing cached, and do so `runs` times."""

    number: int
    url: str
    runs: int


class LoadRun(Struct, frozen=True):
    """The measurements of one load: see the fields of the same names of a URL."""

    ttfb_ms: float
    fcp_ms: float | None
    lcp_ms: float | None
    cls: float | None
    tbt_ms: float | None
    dom_elements: float | None
    page_requests: float | None
    page_bytes: float | None
    third_party_requests: float | None
    third_party_bytes: float | None


class LoadReport(Struct, tag=True, frozen=True):
    """The result of measuring a page: the `runs` in which it was loaded.

    `fetched` is the outcome of the last fetch. Without runs, it or `reason` shows why there are
    none.
    """

    number: int
    url: str
    fetched: PageFetchOutcome
    runs: list[LoadRun] = []
    reason: Translatable | None = None

    def median(self, name: str) -> float | None:
        """The median of the runs that have a value of this name; None if there is none."""
        from statistics import median  # noqa: PLC0415 - few pages are measured

        values = self.values(name)
        return median(values) if values else None

    def values(self, name: str) -> list[float]:
        """The values of the runs that have any, in order."""
        found = (getattr(run, name) for run in self.runs)
        return [value for value in found if value is not None]
