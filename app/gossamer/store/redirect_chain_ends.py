"""How far redirects lead, and where to, as SQL: columns, orders and facets of them.

The steps of each chain are read anew, which takes some microseconds for each of them; only
redirects have any.
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import convert, structs

from gossamer.model.fields.url_record import URL_FIELDS, UrlRecord
from gossamer.model.outcome_counts import REDIRECTS
from gossamer.model.redirect_types import BREAKS, PERMANENT_STATUSES, ChainType
from gossamer.store.bulk_insert import listed, marks
from gossamer.store.redirect_chains import MAX_URLS, ONWARD

_DECLARED: Final = {each.name: each for each in URL_FIELDS}
_MOST_HOPS: Final = MAX_URLS - 1
_REDIRECTS: Final = listed(REDIRECTS)
_BREAKING: Final = " ".join(
    f"WHEN max(o.outcome IN ({listed(outcomes)})) THEN '{kind.value}'" for kind, outcomes in BREAKS
)
_PERMANENT: Final = (
    f"CASE WHEN o.outcome IN ({_REDIRECTS})"
    f" THEN coalesce(w.status, 0) IN ({listed(PERMANENT_STATUSES)}) END"
)
_TYPE: Final = (
    f"CASE {_BREAKING} WHEN max({_PERMANENT}) > min({_PERMANENT}) THEN '{ChainType.MIXED.value}'"
    f" WHEN max({_PERMANENT}) THEN '{ChainType.PERMANENT.value}'"
    f" ELSE '{ChainType.TEMPORARY.value}' END"
)
# `mark` is the URL at the last place that is a power of two: a loop comes by it again (Brent's
# algorithm), however long the way into it is.
_ENDS: Final = f"""
    WITH RECURSIVE step (start, id, target, place, mark) AS (
        SELECT u.id, u.id, {ONWARD.format(id="u.id")}, 1, u.id
        FROM url u WHERE u.outcome IN ({_REDIRECTS}) {{among}}
        UNION ALL
        SELECT s.start, s.target, {ONWARD.format(id="s.target")}, s.place + 1,
            CASE WHEN s.place & (s.place + 1) THEN s.mark ELSE s.target END
        FROM step s WHERE s.target != s.mark AND s.place < {_MOST_HOPS}
    )
    SELECT step.start AS id,
        count(DISTINCT CASE WHEN step.target IS NOT NULL THEN step.id END) AS length,
        {_TYPE} AS type,
        CASE WHEN coalesce(max(step.target = step.mark), 0) = 0 THEN coalesce(
            max(CASE WHEN step.target IS NULL THEN step.id END),
            max(CASE WHEN step.place = {_MOST_HOPS} THEN step.target END)
        ) END AS final
    FROM step JOIN url o ON o.id = step.id LEFT JOIN visit w ON w.id = step.id GROUP BY step.start
"""  # noqa: S608 - our own words

CHAIN_JOINS: Final = {
    "ch": f" LEFT JOIN ({_ENDS.format(among='')}) ch ON ch.id = u.id",
    "fu": " LEFT JOIN url fu ON fu.id = ch.final",
    "fv": " LEFT JOIN visit fv ON fv.id = ch.final",
}
"""What can be joined to a URL `u`: `length` and `type` of its chain, the URL and visit at its end.

The end is what leads no further; a loop has none.
"""
_CHAIN_FIELDS: Final = tuple(
    (place, each.field.sql)
    for place, each in enumerate(map(_DECLARED.get, UrlRecord.__struct_fields__))
    if each is not None and each.field.sql.startswith(tuple(f"{alias}." for alias in CHAIN_JOINS))
)
"""The fields of a record that tell of its chain: their places in it, and their SQL."""
_CHAIN_ENDS: Final = (
    f"SELECT ch.id, {', '.join(sql for _, sql in _CHAIN_FIELDS)} FROM"  # noqa: S608 - our own words
    f" ({_ENDS.replace('{among}', 'AND u.id IN ({marks})')}) ch"
    f"{CHAIN_JOINS['fu']}{CHAIN_JOINS['fv']}"
)


def chain_ends(number: int) -> str:
    """The same of the redirects among so many URLs, whose ids are the parameters."""
    return _CHAIN_ENDS.format(marks=marks(number))


def with_chain(known: Mapping[int, UrlRecord], row: tuple[Any, ...]) -> UrlRecord:
    """The record of a redirect with what a row of `chain_ends` tells of it; ValueError."""
    url_id, *ends = row
    values = list(structs.astuple(known[url_id]))
    for (place, _), end in zip(_CHAIN_FIELDS, ends, strict=True):
        values[place] = end
    return convert(values, UrlRecord)
