"""Declares the column that says how a response compares with that of the earlier crawl."""

from typing import Final

from gossamer.model.fields.field_declaration import ColumnSet, Derived, Field, FieldGroup
from gossamer.model.freshness import UNCHANGED, Freshness
from gossamer.model.translatable import Word, word


class FreshnessStatus(Word):
    """How a response compares with that of the earlier crawl, in a word or two."""

    NOT_MODIFIED = word("Not modified")
    NOT_DUE = word("Not due")
    SAME = word("Same")
    CHANGED = word("Changed")
    NEW = word("New")


UNCHANGED_STATUSES: Final = frozenset(FreshnessStatus[each.name].value for each in UNCHANGED)
"""The values of the column if nothing was transferred."""


def _status(freshness: Freshness | None) -> FreshnessStatus | None:
    return None if freshness is None else FreshnessStatus[freshness.name]


_STATUS_SQL: Final = " ".join(
    f"WHEN {int(each)} THEN '{FreshnessStatus[each.name].value}'" for each in Freshness
)
FRESHNESS_STATUS: Final = Derived(
    _status,
    "freshness",
    field=Field(
        "Since last crawl",
        note=(
            "Not modified: the server says so (304); facts and links are those of the earlier "
            "crawl. Not due: not requested, because it has not changed for long"
        ),
        export="Since Last Crawl",
        facet="since_last_crawl",
        sql=f"CASE v.freshness {_STATUS_SQL} END",
        width=15,
        group=FieldGroup.RESPONSE,
        sets=(ColumnSet.TECHNICAL,),
    ),
)
