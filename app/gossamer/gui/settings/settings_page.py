"""Lays out all settings in sections on one page, with search and validation as you type."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import msgspec
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.audit.rule_catalogue import RULES
from gossamer.extract.pattern_syntax import check_patterns
from gossamer.gui.issues.rule_texts import group_name
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.settings.secret_fields import access_fields
from gossamer.gui.settings.settings_fields import (
    SettingField,
    default_of,
    setting_field,
)
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import sentences, setting_labels, spoken
from gossamer.gui.widgets.help_context import explain, page_about_setting
from gossamer.gui.widgets.help_mark import HelpMark
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import DEFAULTS, SETTINGS, CrawlSettings
from gossamer.model.settings.setting_declaration import SECTION_TITLES, Section
from gossamer.model.translatable import Translatable

_tr = translator("SettingsForm")


@dataclass(frozen=True, slots=True)
class SettingsSection:
    """A section of settings. `name` identifies it in tests and links, `title` is shown."""

    name: str
    title: str
    fields: tuple[SettingField, ...]


class SettingsForm:
    """The input widgets for CrawlSettings, and for the secrets, which are kept separately."""

    def __init__(self) -> None:
        self.access: Final = access_fields()
        subjects = setting_subjects()
        self.sections: Final = tuple(
            SettingsSection(
                section.value, spoken(Translatable(title)), self._fields(section, subjects)
            )
            for section, title in SECTION_TITLES.items()
        )

    def settings(self, rest: CrawlSettings) -> CrawlSettings:
        """The settings in the fields, checked; settings without a field are those of `rest`.

        Raises UsageError about the first error. Roots are not checked.
        """
        values = {field.name: field.read() for field in self.of_settings()}
        return _checked(msgspec.structs.replace(rest, **values))

    def of_settings(self) -> list[SettingField]:
        """The fields of settings, without those of secrets."""
        return [
            field
            for section in self.sections
            for field in section.fields
            if field not in self.access
        ]

    def _fields(self, section: Section, subjects: Mapping[str, str]) -> tuple[SettingField, ...]:
        if section is Section.ACCESS:
            return self.access
        names = [name for name, setting in SETTINGS.items() if setting.section is section]
        # Thresholds are grouped by subject, in the order of the tabs.
        order = list(dict.fromkeys(subjects.values()))
        names.sort(key=lambda n: order.index(subjects[n]) if n in subjects else -1)
        return tuple(setting_field(name) for name in names)


def why_unusable(field: SettingField) -> str:
    """A sentence about why the value of a field is invalid; "" if it is valid."""
    setting = SETTINGS[field.name]
    try:
        value = field.read()
        setting.values.check(setting.name, value)
        check_patterns(msgspec.structs.replace(DEFAULTS, **{field.name: value}))
    except UsageError as e:
        return spoken(e.said)
    return ""


def _checked(settings: CrawlSettings) -> CrawlSettings:
    msgspec.structs.replace(settings, roots=settings.roots or ("example.com",)).checked()
    check_patterns(settings)
    return settings


def setting_subjects() -> dict[str, str]:
    """The subjects of thresholds, which are the groups of their rules, by setting name."""
    return {rule.limit: group_name(rule.group) for rule in RULES.values() if rule.limit}


def _enable_with(row: "SettingRow", needed: SettingField, *_: object) -> None:
    """Enable a field if the one that it needs is on; else a tooltip explains why not."""
    is_on = needed.read() != default_of(needed.name)
    row.set_effective(effective=is_on)
    [name] = setting_labels([needed.name])
    words = _tr("No effect without “{setting}”.").format(setting=name)
    row.setToolTip("" if is_on else words)


_LABEL_CHARS: Final = 16


class SettingRow(QWidget):
    """One setting: its label, its widget, and below it an explanation or an error.

    A setting (not a secret) that differs from its default has a button to restore that. All but the
    widget is made when the row is first shown: a form has more than a hundred, and shows ten.
    """

    def __init__(
        self,
        field: SettingField,
        *,
        is_setting: bool,
        defaults: CrawlSettings = DEFAULTS,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.field = field
        self.is_omitted = False
        """Whether it is hidden from every search."""
        self._is_setting = is_setting
        explain(self, page_about_setting(field.name) if is_setting else "window/login")
        self._defaults = defaults
        self._words = f"{field.label} {field.hint} {field.name}".casefold()
        self._is_effective = True
        self._label: QLabel | None = None
        if not isinstance(field.widget, QCheckBox):
            field.widget.setAccessibleName(field.label)
        field.widget.setObjectName(f"setting-{field.name}")
        field.widget.setParent(self)

    def error(self) -> str:
        """A sentence about why the value is invalid; "" if it is valid."""
        return why_unusable(self.field) if self._is_setting else ""

    def reset(self) -> None:
        """Restore the default."""
        self.field.write(self._default())

    def set_effective(self, *, effective: bool) -> None:
        """Enable or disable the inputs; the help mark stays enabled."""
        self._is_effective = effective
        for part in (self._label, self.field.widget, self.field.beside):
            if part is not None:
                part.setEnabled(effective)

    def matches(self, words: Sequence[str]) -> bool:
        """Whether the row contains each of `words`, which are in lower case."""
        widget = self.field.widget
        own = widget.text().casefold() if isinstance(widget, QCheckBox) else ""
        return not self.is_omitted and all(word in self._words or word in own for word in words)

    def setVisible(self, visible: bool) -> None:  # noqa: FBT001 - as Qt calls it
        """Show or hide the row, made completely before it is first shown."""
        if visible and self._label is None:
            self._complete()
        super().setVisible(visible)

    def _complete(self) -> None:
        self._label = QLabel(self.field.label)
        self._label.setEnabled(self._is_effective)
        self._note = QLabel()
        self._note.setWordWrap(True)
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._reset = QToolButton()
        self._reset.setProperty("quiet", True)
        self._reset.setFixedSize(CONTROL_HEIGHT, CONTROL_HEIGHT)
        self._reset.clicked.connect(self.reset)
        self._lay_out(self._label)
        self._reset.setIcon(icon("reset"))
        self._reset.setIconSize(QSize(16, 16))
        for signal in self.field.changed:
            signal.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        error = self.error()
        parts = [self.field.hint]
        # There is no text for a default that the user has saved.
        if self.field.default and self._default() == default_of(self.field.name):
            parts.append(self.tr("Default:\u00a0{value}.").format(value=self.field.default))
        self._note.setText(error or sentences(parts))
        self._note.setVisible(bool(self._note.text()))
        if self._note.property("wrong") != bool(error):
            self._note.setProperty("wrong", bool(error))
            self._note.setProperty("muted", not error)
            self._note.style().polish(self._note)
        self.field.widget.setAccessibleDescription(self._note.text())
        at_default = not error and (not self._is_setting or self.field.read() == self._default())
        self._reset.setVisible(not at_default)

    def _default(self) -> Any:  # noqa: ANN401 - settings have values of many types
        return getattr(self._defaults, self.field.name) if self._is_setting else None

    def _lay_out(self, label: QLabel) -> None:
        field = self.field
        label.setFixedWidth(label.fontMetrics().averageCharWidth() * _LABEL_CHARS)
        label.setWordWrap(True)
        if not isinstance(field.widget, QCheckBox) and field.widget.layout() is None:
            # Level with the text of the field, or with its first line.
            above = (CONTROL_HEIGHT - label.fontMetrics().height()) // 2
            label.setContentsMargins(0, above, 0, 0)
        label.setBuddy(field.widget)
        name = field.label or field.widget.property("text") or field.name
        self._reset.setToolTip(self.tr("Reset to default"))
        self._reset.setAccessibleName(self.tr("{setting}: reset to default").format(setting=name))
        kept = self._reset.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # showing or hiding it moves nothing
        self._reset.setSizePolicy(kept)
        self._note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        column = QVBoxLayout()
        column.setSpacing(theme.SPACE_XS)
        column.addWidget(field.widget if field.beside is None else _side_by_side(field))
        column.addWidget(self._note)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACE_M)
        row.addWidget(label, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        row.addWidget(self._reset, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(HelpMark(name), 0, Qt.AlignmentFlag.AlignTop)


def _side_by_side(field: SettingField) -> QWidget:
    """The widget of a field and the one that helps to fill it in."""
    both = QWidget()
    row = QHBoxLayout(both)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(theme.SPACE_S)
    row.addWidget(field.widget, 1)
    if field.beside is not None:
        field.beside.setAccessibleDescription(field.label)
        row.addWidget(field.beside)
    return both


class SettingsPage(QWidget):
    """The rows of one section, or the search results grouped by section."""

    def __init__(
        self,
        sections: Sequence[SettingsSection],
        is_setting: Callable[[SettingField], bool],
        notes: dict[str, QWidget],
        defaults: CrawlSettings = DEFAULTS,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.rows: list[SettingRow] = []
        self._subjects: list[tuple[QLabel, list[SettingRow]]] = []
        subjects = setting_subjects()
        self._parts: list[tuple[SettingsSection, QLabel, list[SettingRow], QWidget | None]] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_S, theme.SPACE_S, theme.SPACE_L)
        column.setSpacing(theme.SPACE_M)
        for section in sections:
            heading = QLabel(section.title)
            heading.setProperty("heading", True)
            heading.setContentsMargins(0, theme.SPACE_M, 0, 0)
            column.addWidget(heading)
            note = notes.get(section.name)
            if note is not None:
                column.addWidget(note)
            rows = [
                SettingRow(field, is_setting=is_setting(field), defaults=defaults, parent=self)
                for field in section.fields
            ]
            subject = ""
            for row in rows:
                if (of_row := subjects.get(row.field.name, "")) != subject:
                    subject = of_row
                    self._add_subject(subject, column)
                if subject:
                    self._subjects[-1][1].append(row)
                column.addWidget(row)
            self.rows += rows
            self._parts.append((section, heading, rows, note))
        column.addStretch(1)
        self._follow_needed()
        self.show_matching("", sections[0].name)  # what nobody sees is not laid out

    def _follow_needed(self) -> None:
        """Keep fields disabled while their settings have no effect."""
        fields = {row.field.name: row.field for row in self.rows}
        for row in self.rows:
            setting = SETTINGS.get(row.field.name)
            needed = None if setting is None else fields.get(setting.needs)
            if needed is None:
                continue
            follow = partial(_enable_with, row, needed)
            for signal in needed.changed:
                signal.connect(follow)
            follow()

    def show_matching(self, typed: str, section: str) -> list[str]:
        """Show the rows that contain every typed word; returns the sections that have such rows.

        All rows match if the title of their section does, or the buttons above them.
        Without words, only the rows of `section` are shown.
        """
        words = typed.casefold().split()
        found = []
        for known, heading, rows, note in self._parts:
            whole = _has_words(known.title, words) or _has_words(_buttons_of(note), words)
            matching = [row for row in rows if row.matches(() if whole else words)]
            shown = matching if words or known.name == section else []
            for row in rows:
                row.setVisible(row in shown)
            heading.setVisible(bool(shown))
            if note is not None:
                note.setVisible(bool(shown))
            if matching:
                found.append(known.name)
        for label, of_subject in self._subjects:
            label.setVisible(any(not row.isHidden() for row in of_subject))
        return found

    def _add_subject(self, subject: str, column: QVBoxLayout) -> None:
        """Add the heading of a subject, for the rows that follow."""
        label = QLabel(subject)
        label.setProperty("muted", True)
        label.setContentsMargins(0, theme.SPACE_S, 0, 0)
        label.setVisible(bool(subject))
        column.addWidget(label)
        if subject:
            self._subjects.append((label, []))

    def section_of(self, row: SettingRow) -> str:
        """The section that a row belongs to."""
        return next(known.name for known, _, rows, _ in self._parts if row in rows)


def _buttons_of(note: QWidget | None) -> str:
    """The texts of the buttons above the rows of a section."""
    buttons = [] if note is None else note.findChildren(QAbstractButton)
    return " ".join(button.text() for button in buttons)


def _has_words(text: str, words: Sequence[str]) -> bool:
    """Whether a text contains each word, spaces aside: "login" is in "Log in"."""
    folded = text.casefold()
    closed = "".join(folded.split())
    return all(word in folded or word in closed for word in words)
