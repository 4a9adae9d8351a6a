"""Translates views and filters into SQL conditions and joins.

Rows are those of `url u`, or of `link l` with its target as `u`.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from gossamer.model.content_types import (
    KIND_OF_PART,
    KIND_OF_TYPE,
    XML_ENDING,
    ContentKind,
)
from gossamer.model.custom_definitions import CustomOutcome, outcome_and_number
from gossamer.model.facets import (
    CONTENT_KIND,
    CUSTOM,
    FACET_FIELDS,
    IGNORED,
    ISSUE,
    OF_LINKS,
    ORIGIN,
    STATUS_CLASS,
    TIME,
)
from gossamer.model.fields.field_declaration import DeclaredField
from gossamer.model.outcome import REFUSED_STATUSES, Outcome, Verdict, verdict
from gossamer.model.outcome_counts import FORMER, KNOWN
from gossamer.model.overview_data import TIME_STEPS_MS
from gossamer.model.project_queries import NO_RESPONSE, Facet, Filter, View
from gossamer.model.text_cleaning import clean_text
from gossamer.store.bulk_insert import Value, listed, marks
from gossamer.store.field_sql import LINK_JOINS, URL_JOINS, joins_of, read_sql, with_needed
from gossamer.store.reading.ignored_rows import IGNORED_ROWS, IS_OPEN

_BELOW: Final = (
    "(WITH RECURSIVE below(id) AS ({start} UNION"
    " SELECT f.id FROM below b JOIN folder f ON f.parent = b.id) SELECT id FROM below)"
)
_FOLDERS_BELOW: Final = _BELOW.format(start="SELECT ?")
_OTHER_HOSTS: Final = "SELECT id FROM folder WHERE parent IS NULL AND is_external(name || '/')"
EXTERNAL: Final = (
    f"(u.outcome = {int(Outcome.OUT_OF_SCOPE)} OR CASE WHEN u.folder IS NULL"
    f" THEN is_external(u.url) ELSE u.folder IN {_BELOW.format(start=_OTHER_HOSTS)} END)"
)
"""On a host that is not crawled. `is_external` is a function of ours; URLs in a folder are spared
it."""
_BY_HOST: Final = {View.INTERNAL: f"NOT {EXTERNAL}", View.EXTERNAL: EXTERNAL}
_WARNED: Final = "u.id IN (SELECT id FROM visit WHERE warnings IS NOT NULL)"
"""With any warnings at all: an index has these, who are few."""
_IS_HIT: Final = "u.id IN (SELECT id FROM temp.search_hit)"
"""In the results of the latest search on the connection, see `SearchHits`."""


FOUND_SQL: Final[dict[CustomOutcome, str]] = {
    CustomOutcome.FOUND: "failure IS NULL AND value IS NOT NULL AND value <> 0",
    CustomOutcome.MISSING: "failure IS NULL AND (value IS NULL OR value = 0)",
    CustomOutcome.FAILED: "failure IS NOT NULL",
}
"""The rows of `custom_value` at position 0 that have an outcome."""


class Condition(Struct, frozen=True):
    """The joins and conditions of a SELECT, made of our own SQL and parameter marks."""

    sql: str
    values: tuple[Value, ...]
    joins: frozenset[str]


class LinkSelectivity(Struct, frozen=True):
    """Which parts of a filter of links leave few of them. See `link_reach`.

    With `targets` what is asked of the targets, with `text` the text, which then is in no anchor.
    """

    targets: bool = False
    text: bool = False


FAR: Final = LinkSelectivity()
"""Nothing is known to leave few."""


def condition(view: View, filter_: Filter, reach: LinkSelectivity = FAR) -> Condition:
    """The rows of a view that pass the filter. Of links, it takes no joins."""
    if view.is_of_links:
        return _of_links(view, filter_, reach)
    return _of_urls(view, filter_)


def _of_urls(view: View, filter_: Filter, *, as_targets: bool = False) -> Condition:
    """See `condition`. `as_targets`: of links, none of which leads to a former page."""
    built = _Builder()
    if view in _BY_HOST:
        built.add(_BY_HOST[view])
    chosen = filter_.values(_OUTCOME)
    if chosen or view.outcomes != KNOWN:
        built.add(_one_of("u.outcome", view.outcomes & (chosen or view.outcomes)))
    elif not as_targets:
        built.add(f"u.outcome NOT IN ({listed(FORMER)})")
    if filter_.text:
        text, values = text_condition(("u.url", "v.title"), filter_)
        custom, in_custom = text_condition(("value",), filter_)
        extracted = f"SELECT id FROM custom_value WHERE typeof(value) = 'text' AND {custom}"  # noqa: S608 - our own words
        built.add(f"({text} OR u.id IN ({extracted}))", *values, *in_custom, joins=("u", "v"))
    if filter_.search is not None:
        built.add(_IS_HIT)
    if filter_.folder is not None:
        built.add(f"u.folder IN {_FOLDERS_BELOW}", filter_.folder)
    if filter_.found_on is not None:
        built.add("u.parent = ?", filter_.found_on)
    built.add_facets(filter_)
    return built.condition()


def _of_links(view: View, filter_: Filter, reach: LinkSelectivity) -> Condition:
    """What is asked of the ends of a link is asked of each URL and text once, not of each link.

    A site has twenty times as many links as URLs: to join both ends to each of them would take
    minutes where this takes seconds.
    """
    built = _Builder()
    if kinds := filter_.values(_KIND):
        built.add(_one_of("l.kind", kinds), joins=())
    for facet in OF_LINKS - {_KIND}:
        if chosen := sorted(filter_.values(facet)):
            expression, _ = FACET_SQL[facet]
            built.add(f"{expression} IN ({marks(len(chosen))})", *chosen, joins=())
    if filter_.found_on is not None:
        built.add("l.source = ?", filter_.found_on, joins=())
    if filter_.folder is not None:
        sources = f"SELECT id FROM url WHERE folder IN {_FOLDERS_BELOW}"  # noqa: S608 - our own words
        built.add(f"l.source IN ({sources})", filter_.folder, joins=())
    if filter_.text:
        text, values = _text_of_links(filter_, reach)
        built.add(text, *values, joins=())
    targets = _of_urls(view.targets, of_targets(filter_), as_targets=True)
    if targets.joins:
        table = joined(view.targets, targets.joins)
        ids = f"SELECT u.id FROM {table} WHERE {targets.sql}"  # noqa: S608 - our own words
        built.add(_leads_to(ids, few=reach.targets), *targets.values, joins=())
    return built.condition()


def _text_of_links(filter_: Filter, reach: LinkSelectivity) -> tuple[str, tuple[str, ...]]:
    url, in_url = text_condition(("url",), filter_)
    urls = f"SELECT id FROM url WHERE {url}"  # noqa: S608 - our own words
    at_ends = f"l.source IN ({urls}) OR {_leads_to(urls, few=reach.text)}"
    if reach.text:
        return f"({at_ends})", (*in_url, *in_url)
    anchor, in_anchor = text_condition(("value",), filter_)
    anchors = f"SELECT id FROM text WHERE {anchor}"  # noqa: S608 - our own words
    return f"({at_ends} OR l.text IN ({anchors}))", (*in_url, *in_url, *in_anchor)


def _leads_to(ids: str, *, few: bool) -> str:
    """That the target is one of these; where they are `few`, so that they are where to begin."""
    if not few:
        return f"l.target IN ({ids})"
    # SQLite looks links up by a list of two columns, unless that is a compound SELECT itself.
    return (
        f"(l.source, l.position) IN (SELECT source, position FROM (WITH wanted (id) AS ({ids})"  # noqa: S608 - our own words
        " SELECT k.source, k.position FROM inlink i"
        " CROSS JOIN link k ON k.source = i.source AND k.target = i.target"
        " WHERE i.target IN wanted"
        " UNION ALL SELECT k.source, k.position FROM unindexed_source n"
        " CROSS JOIN link k ON k.source = n.source WHERE k.target IN wanted))"
    )


def of_targets(filter_: Filter) -> Filter:
    """What a filter of links asks of their targets, apart from the text."""
    facets = tuple(each for each in filter_.facets if each[0] not in OF_LINKS)
    return replace(filter_, facets=facets, text="", expression=False, folder=None, found_on=None)


def text_condition(texts: Collection[str], filter_: Filter) -> tuple[str, tuple[str, ...]]:
    """That the text of a filter is in one of these columns, in any case; SQL, then its values."""
    if filter_.expression:
        return f"({' OR '.join(f'is_found({text})' for text in texts)})", ()
    wanted = clean_text(filter_.text)
    if wanted.isascii():
        found, value = r"{} LIKE ? ESCAPE '\'", f"%{_escaped(wanted)}%"
    else:
        found, value = f"instr({casefold_sql(wanted)}, ?)", wanted.casefold()
    either = " OR ".join(found.replace("{}", text) for text in texts)
    return f"({either})", (value,) * len(texts)


def casefold_sql(wanted: str) -> str:
    """The SQL of a text, `{}`, without case as far as matters for what is looked for in it.

    SQLite knows no case but that of ASCII. A function that does takes five times as long, so texts
    are spared it that are ASCII throughout, as most URLs are.
    """
    if wanted.isascii():
        return "lower({})"
    if wanted.casefold().isascii():  # as that of "ß" is
        return "casefold({})"
    return "CASE WHEN length({}) < length(CAST({} AS BLOB)) THEN casefold({}) ELSE lower({}) END"


def joined(view: View, joins: Collection[str], links: str = "link l") -> str:
    """The FROM clause of a view with these joins; its own table may be named among them.

    `links` are those of a view of links.
    """
    known = LINK_JOINS if view.is_of_links else URL_JOINS
    needed = with_needed(joins)
    start = links if view.is_of_links else "url u"
    return start + "".join(sql for name, sql in known.items() if name in needed)


class _Builder:
    def __init__(self) -> None:
        self.conditions: list[str] = []
        self.values: list[Value] = []
        self.joins: frozenset[str] = frozenset()
        self._special: dict[Facet, Callable[[Sequence[Value]], None]] = {
            _WARNING: self._add_warnings,
            ORIGIN: self._add_origins,
            ISSUE: self._add_issues,
            IGNORED: self._add_ignored,
            CUSTOM: self._add_custom,
        }

    def add(self, sql: str, *values: Value, joins: Collection[str] = ("u",)) -> None:
        self.conditions.append(sql)
        self.values += values
        self.joins |= frozenset(joins)

    def condition(self) -> Condition:
        return Condition(" AND ".join(self.conditions) or "1", tuple(self.values), self.joins)

    def add_facets(self, filter_: Filter) -> None:
        for facet, values in filter_.facets:
            if (add := self._special.get(facet)) is not None:
                add(sorted(values))
            elif facet != _OUTCOME and facet not in OF_LINKS:
                expression, joins = FACET_SQL[facet]
                self.add(f"{expression} IN ({marks(len(values))})", *sorted(values), joins=joins)
        if filter_.time_ms:
            self._add_time(*filter_.time_ms)

    def _add_ignored(self, rules: Sequence[Value]) -> None:
        """One at least of these rules holds, and is ignored."""
        ignored = f"SELECT id FROM ({IGNORED_ROWS}) WHERE rule IN ({marks(len(rules))})"  # noqa: S608 - our own words
        self.add(f"u.id IN ({ignored})", *rules)

    def _add_issues(self, rules: Sequence[Value]) -> None:
        """One at least of these rules holds, and is not ignored."""
        found = f"SELECT i.id FROM issue i WHERE i.rule IN ({marks(len(rules))}) AND {IS_OPEN}"  # noqa: S608 - our own words
        self.add(f"u.id IN ({found})", *rules)

    def _add_custom(self, values: Sequence[Value]) -> None:
        """One at least of these is what came of a definition."""
        found = [outcome_and_number(str(value)) for value in values]
        rows = " OR ".join(f"definition = ? AND {FOUND_SQL[outcome]}" for outcome, _ in found)
        ids = f"SELECT id FROM custom_value WHERE position = 0 AND ({rows})"  # noqa: S608 - our own words
        self.add(f"u.id IN ({ids})", *(number for _, number in found))

    def _add_time(self, low: int | None, high: int | None) -> None:
        if low is not None:
            self.add("v.elapsed_ms >= ?", low, joins=("v",))
        if high is not None:
            self.add("v.elapsed_ms < ?", high, joins=("v",))

    def _add_warnings(self, warnings: Collection[object]) -> None:
        """Of the codes of a row, which stand with spaces between them, one at least is wanted."""
        if warnings:
            found = " OR ".join(["instr(' ' || visit_warnings.value || ' ', ?)"] * len(warnings))
            marked = [f" {warning} " for warning in warnings]
            self.add(f"{_WARNED} AND ({found})", *marked, joins=("u", "v", "visit_warnings"))

    def _add_origins(self, origins: Collection[object]) -> None:
        """What is serialised has a slash after its host; "0" is the character after that."""
        if origins:
            ranges = " OR ".join(["(u.url >= ? AND u.url < ?)"] * len(origins))
            ends = [f"{origin}{end}" for origin in origins for end in "/0"]
            self.add(f"({ranges})", *ends)


def _verdicts() -> str:
    """The verdict on u as SQL; follows `gossamer.model.outcome.verdict`, which knows two cases."""
    refused = ", ".join(str(status) for status in sorted(REFUSED_STATUSES))
    cases = []
    for each in Verdict:
        asked = [o for o in Outcome if verdict(o, None) is each]
        if asked:
            cases.append(f"WHEN {_one_of('u.outcome', asked)} THEN '{each.value}'")
    silent = [o for o in Outcome if verdict(o, 403) is not Verdict.REFUSED]
    return (
        f"CASE WHEN v.status IN ({refused}) AND NOT {_one_of('u.outcome', silent)}"
        f" THEN '{Verdict.REFUSED.value}' {' '.join(cases)} END"
    )


def _content_kinds() -> str:
    """The kind of the content type of u as SQL; follows `content_kind`, without calls of Python."""
    known = f"coalesce({read_sql(FACET_FIELDS['content_type'])}, '')"
    exact = " ".join(f"WHEN '{each}' THEN '{kind}'" for each, kind in KIND_OF_TYPE.items())
    parts = " ".join(
        f"WHEN instr({known}, '{part}') THEN '{kind}'" for part, kind in KIND_OF_PART.items()
    )
    ends = f"substr({known}, -{len(XML_ENDING)}) = '{XML_ENDING}'"
    return (
        f"CASE {known} WHEN '' THEN '{ContentKind.UNKNOWN}' {exact} ELSE CASE {parts}"
        f" WHEN {ends} THEN '{ContentKind.XML}' ELSE '{ContentKind.OTHER}' END END"
    )


def _one_of(expression: str, numbers: Iterable[int | str]) -> str:
    """The condition that an expression is one of these numbers."""
    return f"{expression} IN ({listed(numbers)})"


def _escaped(text: str) -> str:
    for special in "\\%_":
        text = text.replace(special, "\\" + special)
    return text


_TIMES = " ".join(f"WHEN v.elapsed_ms >= {low} THEN {low}" for low in reversed(TIME_STEPS_MS))
_ORIGIN = (
    "CASE WHEN u.url GLOB 'http*://*' THEN substr(u.url, 1, instr(substr(u.url, 9), '/') + 7) END"
)
_WORKED_OUT: Final = {
    CONTENT_KIND: _content_kinds(),
    STATUS_CLASS: f"coalesce(v.status / 100, {NO_RESPONSE})",
    "verdict": _verdicts(),
    ORIGIN: _ORIGIN,
    TIME: f"CASE {_TIMES} END",
}


def _facet_sql(each: DeclaredField) -> str:
    sql, unknown = read_sql(each), each.field.unknown
    return sql if unknown is None else f"coalesce({sql}, {unknown!r})"


_WARNING: Final = "warning"
_OUTCOME: Final = "outcome"
_KIND: Final = "kind"
HAVE_FACET: Final[dict[Facet, str]] = {_WARNING: _WARNED}
"""What finds the rows that have a value of a facet at all, where these are few."""
FACET_SQL: Final[dict[Facet, tuple[str, frozenset[str]]]] = {
    facet: (sql, joins_of(f"{sql} {HAVE_FACET.get(facet, '')}"))
    for facet, sql in (
        {
            facet: _facet_sql(each)
            for facet, each in FACET_FIELDS.items()
            if facet not in _WORKED_OUT
        }
        | _WORKED_OUT
    ).items()
}
"""What tells rows apart by a facet, and the joins it takes. FOLDER needs more than SQL.

A row has several values of those in SEVERAL, with spaces between them."""
