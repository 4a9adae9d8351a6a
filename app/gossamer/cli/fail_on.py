"""Parses and checks `--fail-on` thresholds, so that scripts can fail on crawl findings."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from gossamer.cli.terminal import listed
from gossamer.model.errors import UsageError
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.number_format import number
from gossamer.model.outcome import Outcome

_TOTALS: Final = ("errors", "redirects", "skipped")
"""Counts of the report, by their keys in --json."""
_OUTCOMES: Final = {outcome.name.lower(): outcome for outcome in Outcome}


class FailThreshold(Struct, frozen=True):
    """A threshold: at most `most` URLs under `name`, a total or an outcome."""

    name: str
    most: int = 0

    def count(self, progress: Progress) -> int:
        """How many there are."""
        if self.name in _TOTALS:
            total: int = getattr(progress, self.name)
            return total
        return progress.outcomes.get(_OUTCOMES[self.name], 0)


def bounds_of(texts: Sequence[str]) -> tuple[FailThreshold, ...]:
    """Parse NAME or NAME:N options; UsageError if malformed. Called before a crawl starts."""
    return tuple(map(_bound, texts))


def exceeded(bounds: Sequence[FailThreshold], progress: Progress) -> list[str]:
    """A sentence for each exceeded threshold."""
    counted = ((bound, bound.count(progress)) for bound in bounds)
    return [
        f"--fail-on {bound.name}: {number(count)} found, {number(bound.most)} allowed."
        for bound, count in counted
        if count > bound.most
    ]


def _bound(text: str) -> FailThreshold:
    name, colon, most = text.partition(":")
    name = name.strip().lower().replace("-", "_")
    if name not in _TOTALS and name not in _OUTCOMES:
        raise UsageError(
            f"--fail-on takes {listed(_TOTALS, 'or')}, or an outcome such as client_error,"
            f" server_error or timeout, not {text!r}."
        )
    if colon and not most.strip().isdecimal():
        raise UsageError(f"--fail-on {text!r} needs a whole number after the colon.")
    return FailThreshold(name, int(most) if colon else 0)
