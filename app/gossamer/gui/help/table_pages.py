"""The pages of the help about columns and tabs, in Markdown, written from their declarations."""

from collections.abc import Iterable, Iterator
from typing import Final

from gossamer.audit.rule_catalogue import RULES
from gossamer.gui.issues.rule_texts import rule_name
from gossamer.gui.look.outcome_style import label
from gossamer.gui.tables.table_columns import field_label
from gossamer.gui.tables.table_tabs import CUSTOM_TABS, ISSUES, TABS, TabKey, TableTab
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import labelled, listed, spoken
from gossamer.gui.widgets.help_context import page_about, page_about_field
from gossamer.model.fields.field_declaration import DeclaredField
from gossamer.model.fields.link_record import LINK_FIELDS
from gossamer.model.fields.url_record import URL_FIELDS
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.translatable import Translatable

_tr = translator("Help")
FIELDS: Final = {
    page_about_field(each): each
    for each in (*URL_FIELDS, *LINK_FIELDS)
    if each.field.label and each.field.in_table
}
"""What has a column, by the id of its page."""
TAB_PAGES: Final = {f"tabs/{tab}": tab for tab in TABS if tab not in {ISSUES, *CUSTOM_TABS}}
_BY_COLUMN: Final = {(name.split("/")[1], each.column): each for name, each in FIELDS.items()}
_READ_ON: Final = {View.REDIRECTS: "window/redirects", View.BROKEN_LINKS: "window/broken"}


def column_page(field: DeclaredField) -> str:
    """What a column shows, and what it is called elsewhere."""
    declared = field.field
    note, doc = (
        spoken(Translatable(said)) if said else "" for said in (declared.note, declared.doc)
    )
    facts = (
        (_tr("In exports"), declared.export),
        (_tr("In the project file"), f"`{field.name}`" if field.is_stored else ""),
    )
    compared = _tr("A comparison of two crawls looks at it.") if declared.compared else ""
    links = (f"[{_tr('All columns')}](columns.md)", f"[{_tr('The table')}](window/table.md)")
    title = _tr("Column “{name}”").format(name=field_label(field))
    said = (note, doc[:1].upper() + doc[1:], _list(facts), compared)
    return "\n\n".join(filter(None, (f"# {title}", *said, "  \n".join(links))))


def tab_page(tab: TabKey) -> str:
    """What a tab of the table has: its rows, its columns, its issues."""
    declared = TABS[tab]
    columns = listed(_columns(declared))
    parts = [
        f"# {_tr('Tab “{name}”').format(name=declared.name)}",
        *declared.tooltip,
        _rows(declared),
        f"## {_tr('Columns')}\n\n{columns}" if columns else "",
        _issues(declared),
        *(f"[{_tr('More about it')}]({each}.md)" for view, each in _READ_ON.items() if view == tab),
        f"[{_tr('The table')}](window/table.md)",
    ]
    return "\n\n".join(filter(None, parts))


def _rows(declared: TableTab) -> str:
    """Which URLs are in it, by what became of them."""
    outcomes = declared.view.outcomes
    if outcomes == View.ALL.outcomes or declared.group is not None:
        return ""
    words = listed(dict.fromkeys(label(each) for each in Outcome if each in outcomes))
    of = _tr("Outcomes of its targets") if declared.view.is_of_links else _tr("Outcomes")
    return labelled(of, words)


def _columns(declared: TableTab) -> Iterator[str]:
    kind = "links" if declared.view.is_of_links else "urls"
    for column in declared.columns:
        field = _BY_COLUMN.get((kind, column))
        if field is not None:
            yield f"[{field_label(field)}]({page_about_field(field)}.md)"


def _issues(declared: TableTab) -> str:
    """Those that can be chosen in it."""
    found = [
        f"- [{rule_name(rule, DEFAULTS)}](issues/{rule.slug}.md)"
        for rule in RULES.values()
        if rule.group is declared.group
    ]
    if not found:
        return ""
    about = f"[{_tr('About issues')}]({page_about(None)}.md)"
    return f"## {_tr('Issues')}\n\n" + "\n".join(found) + f"\n\n{about}"


def _list(facts: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- {labelled(of, said)}" for of, said in facts if said)
