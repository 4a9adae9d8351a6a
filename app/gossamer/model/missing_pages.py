"""What has become of pages that only the earlier of two crawls has."""

from typing import Final

from gossamer.model.comparison_results import ComparedPage
from gossamer.model.outcome import FORMER_PAGES, Outcome, sentence_of
from gossamer.model.translatable import Translatable, said

_SUCCESS: Final = range(200, 300)


def fate_of(page: ComparedPage) -> Translatable:
    """What the later crawl knows of a missing page, in a sentence."""
    if page.moved_url is not None and page.moved_by is not None:
        reason = Translatable(page.moved_by.label)
        return said("Probably moved to {url} ({reason}).", url=page.moved_url, reason=reason)
    if page.fate is None:
        return said("Not found: nothing that the later crawl has read leads there.")
    if page.fate_status is None and page.fate is Outcome.NO_LONGER_LINKED:
        return said(
            "No longer linked; whether it is still there is unknown: robots.txt forbids the "
            "request, or no server responds."
        )
    if page.fate_status is None or page.fate not in FORMER_PAGES:
        return Translatable(sentence_of(page.fate, page.fate_status))
    return _fate_of_former_page(page, page.fate_status)


def _fate_of_former_page(page: ComparedPage, status: int) -> Translatable:
    if page.fate is Outcome.GONE:
        return said("Gone: the server returns status {status}.", status=status)
    if page.fate_url:
        return said("No longer linked; redirects to {url}.", url=page.fate_url)
    if status in _SUCCESS:
        return said(
            "No longer linked, but still there: the server returns status {status}.", status=status
        )
    return said("No longer linked; the server returns status {status}.", status=status)
