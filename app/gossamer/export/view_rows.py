"""The rows of views of URLs or links, in SQL: the basis of the SQL console.

Aliases are those of `store.field_sql`: `u` for a URL and `v` for its visit; in a view of links, `l`
for the link, `s` for its source, `u` for its target.
"""

from typing import Final, NamedTuple, TypeAlias

from gossamer.model.outcome_counts import ERRORS, REPORTED
from gossamer.model.project_queries import Filter, View
from gossamer.store.bulk_insert import listed
from gossamer.store.reading.filter_conditions import condition

_HTTP: Final = "(u.url GLOB 'http://*' OR u.url GLOB 'https://*')"


class ViewUrls(NamedTuple):
    """URLs for which the `condition` holds, with the columns under `headings`.

    Those of a report have the cells of `url_cells`, others those of `export_columns`.
    """

    condition: str
    headings: tuple[str, ...]
    is_report: bool = True


class ViewLinks(NamedTuple):
    """Links for which the `condition` holds. Those `by_target` are found by their targets."""

    condition: str = "1"
    is_report: bool = False
    by_target: bool = False


ViewRows: TypeAlias = ViewUrls | ViewLinks


def rows_of(view: View) -> str:
    """The condition of the rows of a view of URLs."""
    return condition(view, Filter()).sql


ASKED_URLS: Final = f"{rows_of(View.ALL)} AND u.outcome IN ({listed(REPORTED)})"
EXTERNAL_URLS: Final = f"{rows_of(View.EXTERNAL)} AND {_HTTP}"
INTERNAL_URLS: Final = f"{rows_of(View.INTERNAL)} AND {_HTTP}"
INTERNAL_PAGES: Final = f"{INTERNAL_URLS} AND v.word_count IS NOT NULL"
BROKEN_TARGETS: Final = f"u.outcome IN ({listed(ERRORS)})"
INSECURE_TARGETS: Final = "u.url GLOB 'http://*' AND s.url GLOB 'https://*'"


def of_content_types(condition: str, prefixes: tuple[str, ...]) -> str:
    """Those of these URLs whose content type begins with one of the `prefixes`."""
    either = " OR ".join(f"visit_content_type.value GLOB '{each}*'" for each in prefixes)
    return f"{condition} AND ({either})"
