"""Finds the links of URLs that show why an audit rule applies."""

from collections.abc import Iterator, Sequence
from typing import Final

from gossamer.model.evidence_links import LinkTest
from gossamer.model.link_traits import PATH_TYPE_SHIFT, PLACE_BITS
from gossamer.store.bulk_insert import Value, listed
from gossamer.store.reading.filter_conditions import EXTERNAL

MOST_LINKS: Final = 3
"""Links of one URL that are told of."""
_REL: Final = "(' ' || lower(coalesce((SELECT value FROM text WHERE id = l.rel), '')) || ' ')"
_FROM: Final = {
    False: "link l CROSS JOIN url u ON u.id = l.target WHERE l.source = ?1",
    True: (
        "inlink i CROSS JOIN link l ON l.source = i.source AND l.target = i.target"
        " CROSS JOIN url u ON u.id = l.source WHERE i.target = ?1"
    ),
}


def links_sql(test: LinkTest) -> tuple[str, tuple[Value, ...]]:
    """The query for one URL, whose id is the first parameter and the number of the rule the second.

    Its rows are the address at the other end, and the text of the link; then the other parameters.
    """
    conditions = list(_conditions(test))
    values = [*test.targets]
    globs = " OR ".join(f"u.url GLOB ?{place}" for place in range(3, 3 + len(values)))
    where = " AND ".join([*conditions, *([f"({globs})"] if globs else [])]) or "1"
    limit = f" LIMIT {MOST_LINKS + 1}" if test.accepts is None else ""
    sql = (
        "SELECT u.url || CASE WHEN ?2 THEN coalesce(f.value, '') ELSE '' END, x.value"  # noqa: S608 - our own words
        f" FROM {_FROM[test.inbound]} AND {where}{limit}"
    )
    joins = " LEFT JOIN text x ON x.id = l.text LEFT JOIN text f ON f.id = l.fragment WHERE "
    return sql.replace(" WHERE ", joins, 1), tuple(values)


def told_links(rows: Sequence[tuple[str, str | None]], *, with_text: bool) -> str:
    """These links as one text; of more than MOST_LINKS, the first."""
    told = [
        f'"{text}" {url}' if with_text and text else url
        for url, text in dict.fromkeys(rows[:MOST_LINKS])
    ]
    return " | ".join([*told, *(["…"] if len(rows) > MOST_LINKS else [])])


def _conditions(test: LinkTest) -> Iterator[str]:
    """The conditions that need no parameters."""
    yield from _written(test)
    if test.is_internal is not None:
        yield f"NOT {EXTERNAL}" if test.is_internal else EXTERNAL
    if not test.to_itself:
        yield "l.target <> l.source"
    if test.to_measured:
        yield "l.fragment IS NOT NULL"
        yield "l.target = (SELECT value FROM issue WHERE rule = ?2 AND id = ?1)"


def _written(test: LinkTest) -> Iterator[str]:
    """Those about how a link is written."""
    if test.kinds:
        yield f"l.kind IN ({listed(test.kinds)})"
    if test.traits:
        yield f"l.traits & {int(test.traits)} = {int(test.traits)}"
    if test.path_type:
        yield f"l.traits >> {PATH_TYPE_SHIFT} & {PLACE_BITS} = {int(test.path_type)}"
    if test.rel:
        yield f"instr(replace({_REL}, ',', ' '), ' {test.rel} ')"
    for word in test.not_rel:
        yield f"NOT instr({_REL}, ' {word} ')"
    if test.is_textless:
        yield "coalesce((SELECT value FROM text WHERE id = l.text), '') = ''"
