"""Finds the pages that narrow a search: by status, language, segment or folder, or by a link."""

from collections.abc import Callable
from typing import Final

from gossamer.model.search_query import SearchFacet, SearchNarrowing
from gossamer.store.bulk_insert import Value
from gossamer.urls.url_parsing import url_key

ALL_TEXTS: Final = "main.page_text"
_PAGES: Final = "SELECT t.{column} FROM {texts} AS t {joined} WHERE {condition}"
_URL: Final = "CROSS JOIN main.url AS u ON u.id = t.id"
_VISIT: Final = "CROSS JOIN main.visit AS v ON v.id = t.id"
_PATH_START: Final = "instr(substr(u.url, 9), '/') + 8"
"""Where the path of an address with `http://` or `https://` begins."""

WANTED: Final = """
    WITH wanted (id) AS (
        SELECT k.id FROM main.url_key k JOIN main.url u ON u.id = k.id
        WHERE k.key = ?1 AND u.url = ?2
        UNION SELECT id FROM main.url
        WHERE id > (SELECT indexed FROM main.project) AND url = ?2
    )
"""
"""The id of a URL, by its key and itself."""
_LINKING: Final = f"""
    {WANTED}
    SELECT id FROM wanted
    UNION SELECT i.source FROM main.inlink i WHERE i.target IN wanted
    UNION SELECT l.source FROM main.unindexed_source n
    CROSS JOIN main.link l ON l.source = n.source WHERE l.target IN wanted
"""  # noqa: S608 - our own words


def linking_sql(url: str) -> tuple[str, tuple[Value, ...]]:
    """The query for the pages that link to a URL, and itself, with its values."""
    return _LINKING, (url_key(url), url)


def pages_sql(
    narrowing: SearchNarrowing, texts: str = ALL_TEXTS, column: str = "id"
) -> tuple[str, tuple[Value, ...]]:
    """The query for the pages that a narrowing leaves of those in `texts`, with its values.

    `texts` is a table with the `id` and the `place` of each page.
    """
    joined, condition_of = _CONDITIONS[narrowing.facet]
    condition, values = condition_of(narrowing.value)
    sql = _PAGES.format(column=column, texts=texts, joined=joined, condition=condition)
    return sql, values


def _status(value: str) -> tuple[str, tuple[Value, ...]]:
    if value.isdigit():
        return "v.status = ?", (int(value),)
    return "v.status / 100 = ?", (int(value[0]),)


def _language(value: str) -> tuple[str, tuple[Value, ...]]:
    """`de` is also that of de-AT."""
    wanted = value.casefold()
    language = "(SELECT lower(l.value) FROM main.text l WHERE l.id = v.language)"
    return f"({language} = ? OR substr({language}, 1, ?) = ?)", (
        wanted,
        len(wanted) + 1,
        f"{wanted}-",
    )


def _segment(value: str) -> tuple[str, tuple[Value, ...]]:
    named = "SELECT s.id FROM temp.url_segment s WHERE casefold(s.name) = ?"
    return f"t.id IN ({named})", (value.casefold(),)


def _folder(value: str) -> tuple[str, tuple[Value, ...]]:
    """A path, of any host, or an address."""
    folder = value if value.endswith("/") else f"{value}/"
    start = _PATH_START if folder.startswith("/") else "1"
    return f"substr(u.url, {start}, ?) = ?", (len(folder), folder)


_CONDITIONS: Final[
    dict[SearchFacet, tuple[str, Callable[[str], tuple[str, tuple[Value, ...]]]]]
] = {
    SearchFacet.STATUS: (_VISIT, _status),
    SearchFacet.LANGUAGE: (_VISIT, _language),
    SearchFacet.SEGMENT: ("", _segment),
    SearchFacet.FOLDER: (_URL, _folder),
}
"""What must be joined to a page for each, and its condition."""
