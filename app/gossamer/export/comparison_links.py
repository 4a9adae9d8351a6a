"""The cells of exports about links that differ between two crawls."""

from typing import Final

from gossamer.export.sheet import Cell
from gossamer.model.comparison_results import BrokenLinkChange, ComparedPage, FieldChange
from gossamer.model.outcome import Outcome
from gossamer.model.shortened_listing import shortened

_SHOWN: Final = 10
"""Targets that are listed in a cell."""


def outlink_cells(page: ComparedPage, change: FieldChange) -> tuple[str | None, str | None]:
    """The targets that a page no longer links to, and those that it has begun to link to."""
    lost = [each.url for each in page.links if not each.is_gained]
    gained = [each.url for each in page.links if each.is_gained]
    return _listed(lost, change.before), _listed(gained, change.after)


def _listed(urls: list[str], count: int) -> str | None:
    """Addresses have no spaces, so spaces can separate them."""
    return str(shortened(urls, _SHOWN, count, " ")) if count else None


def response_cell(outcome: Outcome | None, status: int | None) -> Cell:
    """What a crawl knows of the target of a link: its status, or why there is none."""
    if status is not None or outcome is None:
        return status
    return outcome.sentence


def broken_link_cells(link: BrokenLinkChange) -> tuple[Cell, ...]:
    """A row of the table of broken links."""
    return (
        link.source,
        link.target,
        link.move.label,
        response_cell(link.before, link.before_status),
        response_cell(link.after, link.after_status),
    )
