"""Declares what is measured of how a page loads, and which values are good.

The limits are those of the library web-vitals (web.dev/articles/{ttfb,fcp,lcp,cls}), which are the
same for all devices (web.dev/articles/defining-core-web-vitals-thresholds). That of Total Blocking
Time is Lighthouse's for phones (developer.chrome.com/docs/lighthouse/performance/lighthouse-total-
blocking-time); for desktops Lighthouse is stricter, with 150 and 350 ms. Compared in November 2026.
"""

from typing import Final, NamedTuple

from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.translatable import Sentence, Word, word


class LoadRating(Word):
    """How good a value is."""

    GOOD = word("good")
    NEEDS_IMPROVEMENT = word("needs improvement")
    POOR = word("poor")


class RatingLimits(NamedTuple):
    """A value up to `good` is good, one above `poor` is poor."""

    good: float
    poor: float


class LoadMeasure(NamedTuple):
    """Something measured of a load: the field `name` of `LoadRun`, and what it is called."""

    name: str
    label: Sentence
    kind: FieldKind
    limits: RatingLimits | None = None

    def rating(self, value: float | None) -> LoadRating | None:
        """How good a value of it is; None where that is not said."""
        if value is None or self.limits is None:
            return None
        if value <= self.limits.good:
            return LoadRating.GOOD
        return LoadRating.POOR if value > self.limits.poor else LoadRating.NEEDS_IMPROVEMENT


LOAD_MEASURES: Final = (
    LoadMeasure("ttfb_ms", "Time to First Byte", FieldKind.DURATION, RatingLimits(800, 1800)),
    LoadMeasure("fcp_ms", "First Contentful Paint", FieldKind.DURATION, RatingLimits(1800, 3000)),
    LoadMeasure("lcp_ms", "Largest Contentful Paint", FieldKind.DURATION, RatingLimits(2500, 4000)),
    LoadMeasure("cls", "Cumulative Layout Shift", FieldKind.DECIMAL, RatingLimits(0.1, 0.25)),
    LoadMeasure("tbt_ms", "Total Blocking Time", FieldKind.DURATION, RatingLimits(200, 600)),
    LoadMeasure("dom_elements", "DOM elements", FieldKind.NUMBER),
    LoadMeasure("page_requests", "Requests", FieldKind.NUMBER),
    LoadMeasure("page_bytes", "Transferred", FieldKind.SIZE),
    LoadMeasure("third_party_requests", "Third-party requests", FieldKind.NUMBER),
    LoadMeasure("third_party_bytes", "Third-party size", FieldKind.SIZE),
)
"""In the order shown."""
