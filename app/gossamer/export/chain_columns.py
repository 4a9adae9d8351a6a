"""The columns of redirect chains: a row from its source to its end, with every hop."""

from enum import StrEnum

from gossamer.export.sheet import Cell, Row
from gossamer.model.outcome import Outcome
from gossamer.model.views import Hop

_PERMANENT = frozenset({301, 308})
_FIRST = (
    "Source Address",
    "Source Status Code",
    "Number of Redirects",
    "Chain Type",
    "Final Address",
    "Final Status Code",
    "Final Outcome",
)


class ChainType(StrEnum):
    """What kind of chain it is. What breaks a chain is said first."""

    LOOP = "loop"
    LIMIT = "limit"
    """Longer than the crawl's redirect limit."""
    BROKEN = "broken"
    """A redirect without a usable Location."""
    PERMANENT = "permanent"
    """301 and 308 only."""
    TEMPORARY = "temporary"
    """None of these."""
    MIXED = "mixed"


def chain_columns(hops: int) -> tuple[str, ...]:
    """The columns for chains of up to `hops` hops. Hop 1 is where the source leads."""
    names = [
        f"Hop {number} {what}"
        for number in range(1, hops + 1)
        for what in ("Address", "Status Code")
    ]
    return (*_FIRST, *names)


def chain_row(chain: list[Hop], hops: int) -> Row:
    """The row of a chain. Of one that is longer by now, the hops beyond `hops` are left out."""
    source, final = chain[0], chain[-1]
    cells: list[Cell] = [
        source.url,
        source.status,
        len(chain) - 1,
        chain_type(chain).value,
        final.url,
        final.status,
        final.outcome.sentence,
    ]
    for hop in chain[1 : hops + 1]:
        cells += (hop.url, hop.status)
    cells += [None] * (len(_FIRST) + 2 * hops - len(cells))
    return tuple(cells)


def chain_type(chain: list[Hop]) -> ChainType:
    """What kind of chain this is; its hops are as `Reader.chains` gives them."""
    outcomes = {hop.outcome for hop in chain}
    if len({hop.id for hop in chain}) < len(chain):
        return ChainType.LOOP
    if Outcome.REDIRECT_LIMIT in outcomes:
        return ChainType.LIMIT
    if outcomes & {Outcome.REDIRECT_WITHOUT_LOCATION, Outcome.REDIRECT_BAD_LOCATION}:
        return ChainType.BROKEN
    permanent = {hop.status in _PERMANENT for hop in chain if hop.outcome.is_redirect}
    if len(permanent) > 1:
        return ChainType.MIXED
    return ChainType.PERMANENT if True in permanent else ChainType.TEMPORARY
