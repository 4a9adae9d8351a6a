"""Menus that filter rows by facet, with the row count of each value."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from gossamer.audit.rule_catalogue import RULES
from gossamer.gui.look.outcome_style import label, warning_labels
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.table_columns import field_label
from gossamer.gui.tables.table_columns import value_text as value_text_of
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.sticky_menu import StickyMenu, refilling
from gossamer.model.comparison_filter_names import CONTENT_KIND_NAMES
from gossamer.model.content_types import ContentKind
from gossamer.model.facets import (
    CONTENT_KIND,
    CUSTOM,
    FACET_FIELDS,
    FACETS,
    FOLDER,
    FOUND_ON,
    IGNORED,
    ISSUE,
    ORIGIN,
    SINGLE,
    STATUS_CLASS,
    TIME,
    FacetCount,
    as_member,
    chosen,
    time_step,
)
from gossamer.model.fields.url_record import UNREACHED
from gossamer.model.outcome import Outcome, Verdict
from gossamer.model.project_queries import NO_RESPONSE, Facet, Filter, Value, View
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.translatable import Translatable
from gossamer.urls.url_folders import display_url

_tr = translator("Facet")

_NAMES: Final[dict[Facet, str]] = {
    "verdict": QT_TRANSLATE_NOOP("Facet", "Verdict"),
    STATUS_CLASS: QT_TRANSLATE_NOOP("Facet", "Status class"),
    CONTENT_KIND: QT_TRANSLATE_NOOP("Facet", "Kind of content"),
    "kind": QT_TRANSLATE_NOOP("Facet", "Link type"),
    FOLDER: QT_TRANSLATE_NOOP("Facet", "Folder"),
    ORIGIN: QT_TRANSLATE_NOOP("Facet", "Site"),
    ISSUE: QT_TRANSLATE_NOOP("Facet", "Issue"),
    IGNORED: QT_TRANSLATE_NOOP("Facet", "Ignored issue"),
    CUSTOM: QT_TRANSLATE_NOOP("Facet", "Custom result"),
    "noted": QT_TRANSLATE_NOOP("Facet", "Notes"),
    FOUND_ON: QT_TRANSLATE_NOOP("Facet", "Found on"),
}
"""Facets whose name is not that of a column of URLs."""
_VERDICTS: Final[dict[Verdict, str]] = {
    Verdict.PENDING: QT_TRANSLATE_NOOP("Facet", "No response yet"),
    Verdict.OK: QT_TRANSLATE_NOOP("Facet", "OK"),
    Verdict.REDIRECT: QT_TRANSLATE_NOOP("Facet", "Redirects"),
    Verdict.BROKEN: QT_TRANSLATE_NOOP("Facet", "Broken"),
    Verdict.REFUSED: QT_TRANSLATE_NOOP("Facet", "Refused (401, 403)"),
    Verdict.UNVERIFIED: QT_TRANSLATE_NOOP("Facet", "Uncertain"),
    Verdict.SKIPPED: QT_TRANSLATE_NOOP("Facet", "Not requested"),
}


def facet_name(facet: Facet) -> str:
    """The facet in a word or two, translated."""
    return _tr(_NAMES[facet]) if facet in _NAMES else field_label(FACET_FIELDS[facet])


def value_text(facet: Facet, value: Value, name: str = "") -> str:
    """A value of a facet, translated if it is a word; `name` is that of a folder or URL.

    One that is unknown is shown as it is: a newer version may have written it.
    """
    if facet in {FOLDER, FOUND_ON}:
        return formatting.clean(display_url(name)) if name else "…"
    try:
        return _known_text(facet, value)
    except (LookupError, ValueError):
        return _clean(value)


def _known_text(facet: Facet, value: Value) -> str:
    words = _WORDS.get(facet)
    if words is not None:
        return words(value)
    each = FACET_FIELDS.get(facet)
    return (value_text_of(each, as_member(facet, value)) if each else _clean(value)) or _tr("None")


def _status_class(value: Value) -> str:
    return _tr("No response") if value == NO_RESPONSE else f"{value}xx"


def _outcome(value: Value) -> str:
    """Rows of queued URLs say "in flight" while they are fetched; the facet covers both."""
    outcome = Outcome(int(value))
    return _tr("Queued or in flight") if outcome is Outcome.PENDING else label(outcome)


def _depth(value: Value) -> str:
    return _tr("Not linked") if value == UNREACHED else formatting.number(int(value))


def _issue(value: Value) -> str:
    rule = RULES.get(int(value))
    return str(value) if rule is None else rule.full_name(DEFAULTS)


def _clean(value: Value) -> str:
    return formatting.clean(str(value))


_WORDS: Final[dict[Facet, Callable[[Value], str]]] = {
    "verdict": lambda value: _tr(_VERDICTS[Verdict(str(value))]),
    STATUS_CLASS: _status_class,
    CONTENT_KIND: lambda value: spoken(Translatable(CONTENT_KIND_NAMES[ContentKind(str(value))])),
    "outcome": _outcome,
    "depth": _depth,
    "warning": lambda value: warning_labels([ResponseWarning(str(value))]),
    ISSUE: _issue,
    IGNORED: _issue,
    TIME: lambda value: span_text(*time_step(int(value))),
}


def span_text(low: int | None, high: int | None) -> str:
    """Response times from `low` to below `high`."""
    if high is None:
        return _tr("from {low}").format(low=formatting.duration(low or 0))
    return _tr("{low} to {high}").format(
        low=formatting.duration(low or 0), high=formatting.duration(high)
    )


_MOST: Final = 40
"""Values in a menu: a longer one leaves the screen. The most frequent come first."""


class FacetMenu(StickyMenu):
    """A menu of the values of one facet. Their counts are requested when it has `opened`."""

    opened = Signal(object)
    """The facet."""
    closed = Signal(object)
    """The facet whose menu was closed."""
    picked = Signal(object, object)
    """The facet, and the frozenset of the values that are ticked."""

    def __init__(self, facet: Facet, parent: QWidget | None = None) -> None:
        super().__init__(facet_name(facet), parent)
        self.facet = facet
        self._chosen: frozenset[Value] = frozenset()
        self._counts: Sequence[FacetCount] = ()
        self._add_note(self.tr("Counting…"))
        self.aboutToShow.connect(lambda: self.opened.emit(self.facet))
        self.aboutToHide.connect(lambda: self.closed.emit(self.facet))

    def show_counts(self, counts: Sequence[FacetCount], chosen: frozenset[Value]) -> None:
        """Offer these values; those in `chosen` are ticked."""
        if (counts, chosen) == (self._counts, self._chosen) and self.actions():
            return
        self._counts, self._chosen = counts, chosen
        at = self.actions().index(self.activeAction()) if self.activeAction() else -1
        with refilling(self):
            for each in counts[:_MOST]:
                self._add(each)
            if not counts:
                self._add_note(self.tr("No values"))
        if 0 <= at < len(self.actions()):
            self.setActiveAction(self.actions()[at])

    def _add(self, each: FacetCount) -> None:
        text = value_text(self.facet, each.value, each.name).replace("&", "&&")
        # The text after the tab is at the right, where menus have their shortcuts.
        action = QAction(f"{text}\t{formatting.number(each.count)}", self)
        action.setCheckable(True)
        action.setChecked(each.value in self._chosen)
        action.triggered.connect(lambda on, value=each.value: self._pick(value, on=on))
        self.addAction(action)

    def _pick(self, value: Value, *, on: bool) -> None:
        others = frozenset() if self.facet in SINGLE else self._chosen
        self._chosen = others | {value} if on else self._chosen - {value}
        self.picked.emit(self.facet, self._chosen)
        if self.facet in SINGLE:
            self.close()

    def _add_note(self, text: str) -> None:
        self.addAction(text).setEnabled(False)


class FilterMenu(QMenu):
    """The menu of all facets of a view. Has the same signals as its facet menus.

    They are made when it is first opened, or one is asked for: a start does without.
    """

    opened = Signal(object)
    closed = Signal(object)
    picked = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._menus: dict[Facet, FacetMenu] = {}
        self._offered = frozenset(FACETS)
        self.aboutToShow.connect(self._make_menus)

    def menu_of(self, facet: Facet) -> FacetMenu:
        """The values of a facet."""
        self._make_menus()
        return self._menus[facet]

    def set_facets(self, facets: Iterable[Facet]) -> None:
        """Show only the menus of these facets."""
        self._offered = frozenset(facets)
        self._show_offered()

    def open_facets(self) -> list[Facet]:
        """The facets whose values are visible."""
        return [facet for facet, menu in self._menus.items() if menu.isVisible()]

    def _make_menus(self) -> None:
        if self._menus:
            return
        for facet in FACETS:
            menu = FacetMenu(facet, self)
            menu.opened.connect(self.opened)
            menu.closed.connect(self.closed)
            menu.picked.connect(self.picked)
            self._menus[facet] = menu
            if facet != FOUND_ON:
                self.addMenu(menu)
        self._show_offered()

    def _show_offered(self) -> None:
        for facet, menu in self._menus.items():
            menu.menuAction().setVisible(facet in self._offered)


class FacetCounter:
    """Counts the values of the facet whose menu is open; only one is open at a time."""

    def __init__(
        self, reader: ProjectReader, menu: FilterMenu, shown: Callable[[], tuple[View, Filter]]
    ) -> None:
        """Fill `menu` with the values in the view and filter that are `shown` at that time."""
        self._reader = reader
        self._menu = menu
        self._shown = shown
        self._key = f"facet {id(self)}"
        self._facet: Facet | None = None
        self._finished: Callable[[], None] | None = None
        self._has_project = False
        menu.opened.connect(self.count)
        menu.closed.connect(self._close)

    def set_project(self, *, has_project: bool) -> None:
        """Another project, or none: pending counts of the last one are dropped."""
        self._has_project, self._finished = has_project, None

    def refresh(self, finished: Callable[[], None]) -> int:
        """Count again what is visible; returns how often `finished` will be called.

        It is called when it is counted, or no longer visible.
        """
        facets = self._menu.open_facets()
        for facet in facets:
            self._count(facet, finished)
        return len(facets)

    def count(self, facet: Facet) -> None:
        """Count the values of a menu that was just opened."""
        self._count(facet, None)

    def _count(self, facet: Facet, finished: Callable[[], None] | None) -> None:
        if not self._has_project:
            return
        view, filter_ = self._shown()
        menu = self._menu.menu_of(facet)
        self._stop()
        self._facet, self._finished = facet, finished

        def show(counts: list[FacetCount]) -> None:
            menu.show_counts(counts, chosen(self._shown()[1], facet))
            self._finish()

        self._reader.submit(
            lambda rows: rows.facet(view, filter_, facet),
            show,
            key=self._key,
            on_failure=self._finish,
            background=finished is not None,
        )

    def _close(self, facet: Facet) -> None:
        """Stop counting for a closed menu, so that it delays no refresh."""
        if facet == self._facet:
            self._stop()

    def _stop(self) -> None:
        self._reader.forget(self._key)
        self._finish()

    def _finish(self) -> None:
        finished, self._finished = self._finished, None
        if finished is not None:
            finished()
