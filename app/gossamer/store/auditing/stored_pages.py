"""Reads pages back from a project file, as far as their facts are needed."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from gossamer.model.fields.indexability import Indexability, indexability_sql
from gossamer.model.outcome import Outcome
from gossamer.store.auditing.audited_project import AuditedProject
from gossamer.store.field_sql import VISIT_COLUMNS, is_of_page

_MADE_OTHERWISE: Final = frozenset({"tries", "last_modified", "outlinks"})
_COLUMNS: Final = {each.name: each for each in VISIT_COLUMNS if each.name not in _MADE_OTHERWISE}
STORED: Final = tuple(_COLUMNS)
"""The columns that can be asked for."""
_ROWS: Final = 2_000
_ALWAYS: Final = ("u.id", "u.url", "u.outcome", indexability_sql())
_OUTCOMES: Final = {int(each): each for each in Outcome}
_INDEXABILITIES: Final = {each.value: each for each in Indexability}


class StoredPage(NamedTuple):
    """A page: what its `Visit` and its facts have, by the names of the fields."""

    id: int
    url: str
    indexability: Indexability
    response: dict[str, Any]
    facts: dict[str, Any]


def stored_pages(file: AuditedProject, names: Sequence[str]) -> Iterator[StoredPage]:
    """Each page that was read with a status of success, with what is in these columns.

    The outcome is there in any case.
    """
    columns = list(enumerate((_COLUMNS[name] for name in names), len(_ALWAYS)))
    selected = ", ".join((*_ALWAYS, *(each.sql for _, each in columns)))
    joins = "".join(each.join for _, each in columns if each.storage.pooled)
    response_columns = [
        (place, each.field.field.filled or each.name, each.storage.decode or _as_it_is)
        for place, each in columns
        if not is_of_page(each)
    ]
    facts = [(place, each.name) for place, each in columns if is_of_page(each)]
    with file.reading() as connection:
        rows = connection.execute(
            f"SELECT {selected} FROM visit v CROSS JOIN url u ON u.id = v.id{joins}"  # noqa: S608 - our own words
            " WHERE v.word_count IS NOT NULL AND v.status BETWEEN 200 AND 299"
        )
        while part := rows.fetchmany(_ROWS):
            file.check_cancelled()
            for row in part:
                url_id, url, outcome, indexability = row[: len(_ALWAYS)]
                response = {
                    name: decode(row[place])
                    for place, name, decode in response_columns
                    if row[place] is not None
                }
                response["outcome"] = _OUTCOMES[outcome]
                yield StoredPage(
                    url_id,
                    url,
                    _INDEXABILITIES[indexability],
                    response,
                    {name: row[place] for place, name in facts},
                )


def _as_it_is(value: Any) -> Any:  # noqa: ANN401 - of any column
    return value
