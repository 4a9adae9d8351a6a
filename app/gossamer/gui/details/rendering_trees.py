"""The facts of a rendered page beside those of its HTML, and its console messages."""

from typing import Final

from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from gossamer.gui.look import theme
from gossamer.gui.look.icons import blank_icon, icon
from gossamer.gui.tables.table_columns import field_label
from gossamer.gui.tables.value_tree import ValueTree
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import translator
from gossamer.model.fields.url_record import URL_FIELDS
from gossamer.model.link_traits import LinkOrigin
from gossamer.model.messages.page_rendering_messages import (
    ComparedFact,
    LinkTally,
    RenderingReport,
)
from gossamer.model.rendering import ConsoleMessage
from gossamer.urls.url_folders import display_url

_tr = translator("RenderedPage")
_NAME, _HTML, _RENDERED, _DIFFERENCE = range(4)
_FACT_SHARES: Final = (0.24, 0.29, 0.29)
_TEXT, _SOURCE, _LINE = range(3)
_CONSOLE_SHARES: Final = (0.58, 0.3)
_LABELS: Final = {each.name: each for each in URL_FIELDS}


class ComparedFacts(ValueTree):
    """The facts of a page side by side, and its links by origin; differences are marked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = [
            self.tr("Fact"),
            self.tr("In the HTML"),
            self.tr("In the rendered page"),
            self.tr("Difference"),
        ]
        name = self.tr("HTML and rendered page")
        super().__init__(name, columns, _FACT_SHARES, parent=parent)

    def show_rendering(self, shown: RenderingReport) -> None:
        """Show this rendering."""
        self.clear()
        self._add_address(shown)
        for fact in shown.facts:
            self.addTopLevelItem(_fact_row(fact))
        self._add_links(shown.links)
        for url in shown.rendering.details.popups:
            row = QTreeWidgetItem([_tr("Window it tried to open"), "", display_url(url), ""])
            row.setToolTip(_RENDERED, formatting.tooltip(url))
            self.addTopLevelItem(row)
        if shown.rendering.dialogs:
            dialogs = formatting.number(shown.rendering.dialogs)
            self.addTopLevelItem(QTreeWidgetItem([_tr("Dialogs"), "", dialogs, ""]))

    def _add_address(self, shown: RenderingReport) -> None:
        rendered = shown.redirect or shown.rendering.rendered_url
        if rendered:
            self.addTopLevelItem(_fact_row(ComparedFact("url", shown.url, rendered)))

    def _add_links(self, links: LinkTally) -> None:
        html, rendered = links.both + links.html_only, links.both + links.rendered_only
        row = _row(_tr("Links"), formatting.number(html), formatting.number(rendered))
        said = []
        if links.rendered_only:
            said.append(_tr("%Ln by JavaScript", links.rendered_only))
        if links.html_only:
            said.append(_tr("%Ln removed", links.html_only))
        if said:
            _mark(row, " · ".join(said))
        self.addTopLevelItem(row)
        for link in links.differing:
            text = formatting.clean(link.text)
            address = formatting.clean(display_url(link.url))
            is_html = link.origin is LinkOrigin.HTML_ONLY
            below = QTreeWidgetItem(
                row, [text or _tr("(no text)"), address if is_html else "", "", ""]
            )
            below.setText(_RENDERED, "" if is_html else address)
            below.setText(_DIFFERENCE, _tr("only in HTML") if is_html else _added())
            below.setForeground(_DIFFERENCE, theme.colour("muted"))
            below.setToolTip(_HTML if is_html else _RENDERED, formatting.tooltip(link.url))
        row.setExpanded(True)


class ConsoleMessages(ValueTree):
    """The errors and warnings of a page, in order."""

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = [self.tr("Message"), self.tr("Source"), self.tr("Line")]
        empty = self.tr("No errors and no warnings.")
        super().__init__(self.tr("Console"), columns, _CONSOLE_SHARES, empty, parent)
        self.setRootIsDecorated(False)

    def show_messages(self, messages: list[ConsoleMessage]) -> None:
        """Show these messages."""
        self.clear()
        for message in messages:
            level = _tr("Error") if message.is_error else _tr("Warning")
            line = formatting.number(message.line) if message.line else ""
            text = formatting.clean(" ".join(message.text.split()))
            source = formatting.clean(message.source)
            row = QTreeWidgetItem([text, display_url(source), line])
            row.setIcon(_TEXT, icon("error" if message.is_error else "warning"))
            row.setToolTip(_TEXT, formatting.tooltip(level, message.text))
            row.setToolTip(_SOURCE, formatting.tooltip(message.source))
            self.addTopLevelItem(row)


def _added() -> str:
    return _tr("only as rendered")


def _fact_row(fact: ComparedFact) -> QTreeWidgetItem:
    row = _row(field_label(_LABELS[fact.name]), _value(fact.html), _value(fact.rendered))
    for column, value in ((_HTML, fact.html), (_RENDERED, fact.rendered)):
        row.setToolTip(column, formatting.tooltip(_value(value)))
    if not fact.differs:
        return row
    if not fact.html:
        _mark(row, _added())
    elif not fact.rendered:
        _mark(row, _tr("only in HTML"))
    elif isinstance(fact.html, int) and isinstance(fact.rendered, int):
        change = fact.rendered - fact.html
        _mark(row, ("+" if change > 0 else "\N{MINUS SIGN}") + formatting.number(abs(change)))
    else:
        _mark(row, _tr("differs"))
    return row


def _row(name: str, html: str, rendered: str) -> QTreeWidgetItem:
    row = QTreeWidgetItem([name, html or "\N{EN DASH}", rendered or "\N{EN DASH}", ""])
    row.setIcon(_NAME, blank_icon())
    for column, value in ((_HTML, html), (_RENDERED, rendered)):
        if not value:
            row.setForeground(column, theme.colour("muted"))
    return row


def _mark(row: QTreeWidgetItem, difference: str) -> None:
    row.setText(_DIFFERENCE, difference)
    row.setIcon(_NAME, icon("warning"))
    row.setForeground(_DIFFERENCE, theme.colour("warning"))
    font = row.font(_NAME)
    font.setBold(True)
    row.setFont(_NAME, font)


def _value(value: str | int | None) -> str:
    if isinstance(value, int):
        return formatting.number(value)
    return formatting.clean(value or "")
