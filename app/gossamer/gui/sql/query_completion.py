"""The words that the editor of queries completes."""

from collections.abc import Mapping, Sequence
from typing import Final

from gossamer.model.sql_tokens import TokenKind, words
from gossamer.sql_console.live_views import live_view, view_names
from gossamer.sql_console.named_views import KEYWORDS, is_name, named_views

LEAST: Final = 2
"""Letters after which words are offered."""
NO_COLUMNS: Final[Mapping[str, Sequence[str]]] = {}


def completions(
    sql: str, qualifier: str = "", known: Mapping[str, Sequence[str]] = NO_COLUMNS
) -> list[str]:
    """Possible continuations of a query: the columns of its views, else of all; views.

    After a name and a dot, as in `i.address`, the columns of what that `qualifier` stands for, or
    of all views if that is still unknown. `known` has the columns of views that only the project
    knows.
    """
    views = view_names()
    named = named_views(sql)
    if qualifier:
        wanted = qualifier.lower()
        behind = [name for alias, name in named if alias == wanted]
        if not behind:  # it may be named further on, where nothing is written yet
            behind = [wanted] if wanted in views else list(views)
        return sorted({column for view in behind for column in _columns(view, known)})
    names = {each.text.lower() for each in words(sql) if each.kind is TokenKind.NAME}
    mentioned = [view for view in views if view in names]
    aliases = {alias for alias, name in named if alias != name}
    columns = {column for view in mentioned or views for column in _columns(view, known)}
    return sorted(columns.union(views, KEYWORDS, aliases), key=str.lower)


def unknown_views(sql: str, known: Mapping[str, Sequence[str]]) -> list[str]:
    """The views that a query reads whose columns only the project knows, and are not `known`."""
    views = set(view_names())
    return [
        name
        for _, name in named_views(sql)
        if name in views and name not in known and live_view(name) is None
    ]


def qualifier_of(line: str) -> str:
    """The name before a dot at the end of a line; "" if there is none."""
    found = words(line)
    if len(found) > 1 and found[-1].text == "." and is_name(found[-2]):
        return found[-2].text.strip('`"[]')
    return ""


def _columns(view: str, known: Mapping[str, Sequence[str]]) -> Sequence[str]:
    live = live_view(view)
    return known.get(view, ()) if live is None else live.columns
