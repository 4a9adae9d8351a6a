"""The view of redirect chains: one row per chain, with every hop."""

from typing import Final

from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.sheet import Cell, Row, Sheet
from gossamer.model.project_queries import ChainHop
from gossamer.model.redirect_types import ChainType, chain_type
from gossamer.store.reading.reader import Reader

_FIRST = (
    "Address",
    "Status Code",
    "Number of Redirects",
    "Chain Type",
    "Final Address",
    "Final Status Code",
    "Final Outcome",
)


def chain_columns(hops: int) -> tuple[str, ...]:
    """The columns for chains of up to `hops` hops. Hop 1 is where the source leads."""
    names = [
        f"Hop {number} {what}"
        for number in range(1, hops + 1)
        for what in ("Address", "Status Code")
    ]
    return (*_FIRST, *names)


def chain_row(chain: list[ChainHop], hops: int) -> Row:
    """The row of a chain. If it is longer by now, the hops beyond `hops` are left out."""
    source = chain[0]
    final = None if chain[-1].repeats else chain[-1]  # a loop has no end
    cells: list[Cell] = [
        source.url,
        source.status,
        len(chain) - 1,
        type_of(chain).value,
        None if final is None else final.url,
        None if final is None else final.status,
        chain[-1].outcome.sentence,
    ]
    for hop in chain[1 : hops + 1]:
        cells += (hop.url, hop.status)
    cells += [None] * (len(_FIRST) + 2 * hops - len(cells))
    return tuple(cells)


def type_of(chain: list[ChainHop]) -> ChainType:
    """The type of a chain; its hops are as returned by `Reader.chains`."""
    redirects = [hop.status for hop in chain if hop.outcome.is_redirect]
    return chain_type({hop.outcome for hop in chain}, redirects)


def _redirects(reader: Reader, _selection: ExportSelection, check: Check) -> Sheet:
    """As many hop columns as the longest chain has hops: that requires a first pass over all."""
    longest = chains = 0
    for chain in reader.chains():
        check()
        chains += 1
        longest = max(longest, len(chain) - 1)
    rows = (chain_row(chain, longest) for chain in reader.chains())
    return Sheet(chain_columns(longest), rows, chains, is_exact=True)


REDIRECTS: Final = ExportView("redirects", "Redirects, one row per chain", _redirects)
