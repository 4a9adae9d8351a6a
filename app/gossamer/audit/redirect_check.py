"""Decides whether old addresses lead to the new ones that are expected."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, Protocol

from msgspec import Struct

from gossamer.model.outcome import AWAITING_LOGIN, ERROR_OUTCOMES, UrlState
from gossamer.model.project_queries import ChainHop
from gossamer.model.redirect_types import BAD_TYPES, ChainType, chain_type
from gossamer.urls.expected_redirects import ExpectedRedirect

_ANSWERED: Final = frozenset({UrlState.DONE, UrlState.FAILED})


class RedirectRows(Protocol):
    """The crawl that decides; `store.reading.reader.Reader` is one."""

    def lookup(self, url: str) -> int | None:
        """The id of a serialised URL; None if unknown."""
        ...

    def chain(self, url_id: int) -> list[ChainHop]:
        """The redirect chain through a URL."""
        ...


class RedirectResult(StrEnum):
    """What became of an expected redirect. The first that holds applies."""

    NOT_CHECKED = "not checked"
    """The crawl has not requested it, or not its target; or a login has expired."""
    BROKEN = "broken"
    """It leads to an error, in a circle, or nowhere."""
    RIGHT = "right"
    """It leads to the expected address, which works."""
    NOT_REDIRECTED = "not redirected"
    """It has a response of its own."""
    WRONG_TARGET = "wrong target"
    """It leads to another address that works."""


class CheckedRedirect(Struct, frozen=True):
    """An expected redirect, what became of it, and the URLs from the old address to the end."""

    expected: ExpectedRedirect
    result: RedirectResult
    chain: tuple[ChainHop, ...] = ()

    @property
    def redirects(self) -> int:
        """How many redirects are on the way."""
        return max(0, len(self.chain) - 1)

    @property
    def type(self) -> ChainType | None:
        """The type of the chain; None if there is no redirect."""
        redirects = [hop for hop in self.chain if hop.outcome.is_redirect]
        if not redirects:
            return None
        return chain_type({hop.outcome for hop in self.chain}, [hop.status for hop in redirects])

    @property
    def is_right(self) -> bool:
        """Whether the address leads where it should."""
        return self.result is RedirectResult.RIGHT

    @property
    def is_chain(self) -> bool:
        """Whether it leads there by more than one redirect."""
        return self.is_right and self.redirects > 1

    @property
    def is_temporary(self) -> bool:
        """Whether it leads there, but any redirect on the way is temporary."""
        return self.is_right and self.type in {ChainType.TEMPORARY, ChainType.MIXED}


def check_redirects(
    rows: RedirectRows, expected: Iterable[ExpectedRedirect]
) -> Iterator[CheckedRedirect]:
    """Check each, by what the crawl has found; ProjectError if it cannot be read."""
    return (checked(each, _chain(rows, each.old)) for each in expected)


def checked(expected: ExpectedRedirect, chain: Sequence[ChainHop]) -> CheckedRedirect:
    """Check one by its chain, from the old address on; empty if that is unknown."""
    return CheckedRedirect(expected, _result(expected, chain), tuple(chain))


def _result(expected: ExpectedRedirect, chain: Sequence[ChainHop]) -> RedirectResult:
    if not chain:
        return RedirectResult.NOT_CHECKED
    end = chain[-1]
    if end.repeats or chain_type({hop.outcome for hop in chain}, ()) in BAD_TYPES:
        return RedirectResult.BROKEN
    if end.outcome.state not in _ANSWERED or end.outcome in AWAITING_LOGIN:
        return RedirectResult.NOT_CHECKED
    if end.outcome in ERROR_OUTCOMES or end.outcome.is_redirect:  # too long to follow
        return RedirectResult.BROKEN
    if end.url == expected.new:
        return RedirectResult.RIGHT
    return RedirectResult.WRONG_TARGET if len(chain) > 1 else RedirectResult.NOT_REDIRECTED


def _chain(rows: RedirectRows, url: str) -> list[ChainHop]:
    url_id = rows.lookup(url)
    if url_id is None:
        return []
    through = rows.chain(url_id)
    place = next((place for place, hop in enumerate(through) if hop.id == url_id), len(through))
    return through[place:]
