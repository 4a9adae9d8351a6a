"""Measured values and what is made of them: medians, spreads, ratios to the product."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

PRODUCT: Final = "Gossamer"


@dataclass(frozen=True, slots=True)
class Series:
    """One quantity of one contestant, once per round, in the order of the rounds.

    `what` names the quantity and what it was measured on; the same `what` of several contestants
    may be compared. `target` says what is wanted, in words.
    """

    what: str
    who: str
    unit: str
    values: tuple[float, ...]
    target: str = ""

    @property
    def median(self) -> float:
        """The middle value; the mean of the two middle ones of an even number."""
        return median(self.values)

    @property
    def spread(self) -> float:
        """Largest less smallest value, as a share of the median; 0 for a median of 0."""
        return (max(self.values) - min(self.values)) / self.median if self.median else 0.0


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that at least `share` (0 to 1) of the values do not exceed.

    ValueError without values.
    """
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values")
    rank = -(-len(ordered) * share // 1)  # rounded up
    return ordered[max(int(rank), 1) - 1]


def ratio(ours: Series, theirs: Series) -> float | None:
    """The median over the rounds of our value divided by theirs; None where theirs are all 0.

    Compared round by round, because what else the machine does changes from round to round and
    hits both. Rounds in which theirs is 0, such as the time of a thread that had nothing to do, do
    not count. ValueError if they differ in quantity, unit or number of rounds.
    """
    if (ours.what, ours.unit) != (theirs.what, theirs.unit):
        raise ValueError(f"{ours.what} in {ours.unit} is not {theirs.what} in {theirs.unit}")
    pairs = zip(ours.values, theirs.values, strict=True)
    compared = [our / their for our, their in pairs if their]
    return median(compared) if compared else None


def ratios(series: Sequence[Series]) -> dict[tuple[str, str], float]:
    """`ratio` of the product to each other contestant that measured the same: (what, who) to it."""
    ours = {(one.what, one.unit): one for one in series if one.who == PRODUCT}
    compared = {
        (one.what, one.who): ratio(ours[one.what, one.unit], one)
        for one in series
        if one.who != PRODUCT and (one.what, one.unit) in ours
    }
    return {names: value for names, value in compared.items() if value is not None}
