"""Declares what is measured of how a page loads, and which values are good.

The limits are those of the library web-vitals (web.dev/articles/{ttfb,fcp,lcp,cls}), which are the
same for all devices (web.dev/articles/defining-core-web-vitals-thresholds). That of Total Blocking
Time is Lighthouse's for phones (developer.chrome.com/docs/lighthouse/performance/lighthouse-total-
blocking-time); for desktops Lighthouse is stricter, with 150 and 350 ms. Compared in November 2026.
"""

from typing import Final, NamedTuple

from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.translatable import Sentence, Word, word


class PageLoadRating(Word):
    """How good a value is."""

    GOOD = word("good")
    NEEDS_IMPROVEMENT = word("needs improvement")
    POOR = word("poor")


class RatingLimits(NamedTuple):
    """A value up to `good` is good, one above `poor` is poor."""

    good: float
    poor: float


class PageLoadMetric(NamedTuple):
    """A measurement of a load: the field `name` of `LoadRun`, and its label."""

    name: str
    label: Sentence
    kind: FieldKind
    limits: RatingLimits | None = None

    def rating(self, value: float | None) -> PageLoadRating | None:
        """The rating of a value; None if there is none."""
        if value is None or self.limits is None:
            return None
        if value <= self.limits.good:
            return PageLoadRating.GOOD
        return PageLoadRating.POOR if value > self.limits.poor else PageLoadRating.NEEDS_IMPROVEMENT


PAGE_LOAD_METRICS: Final = (
    PageLoadMetric("ttfb_ms", "Time to First Byte", FieldKind.DURATION, RatingLimits(800, 1800)),
    PageLoadMetric(
        "fcp_ms", "First Contentful Paint", FieldKind.DURATION, RatingLimits(1800, 3000)
    ),
    PageLoadMetric(
        "lcp_ms", "Largest Contentful Paint", FieldKind.DURATION, RatingLimits(2500, 4000)
    ),
    PageLoadMetric("cls", "Cumulative Layout Shift", FieldKind.DECIMAL, RatingLimits(0.1, 0.25)),
    PageLoadMetric("tbt_ms", "Total Blocking Time", FieldKind.DURATION, RatingLimits(200, 600)),
    PageLoadMetric("dom_elements", "DOM elements", FieldKind.NUMBER),
    PageLoadMetric("page_requests", "Requests", FieldKind.NUMBER),
    PageLoadMetric("page_bytes", "Transferred", FieldKind.SIZE),
    PageLoadMetric("third_party_requests", "Third-party requests", FieldKind.NUMBER),
    PageLoadMetric("third_party_bytes", "Third-party size", FieldKind.SIZE),
)
"""In the order shown."""
