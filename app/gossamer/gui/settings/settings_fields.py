"""The input widgets of the settings form: each `SettingField` reads and writes one value."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, get_args

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.look.outcome_style import kind_label
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.settings.path_button import PathButton
from gossamer.gui.settings.segment_editor import definition_list
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import listed, spoken
from gossamer.model.request_headers import header_line, header_of
from gossamer.model.settings.crawl_settings import DECLARED, DEFAULTS, SETTINGS
from gossamer.model.settings.setting_types import (
    KIND_NAMES,
    Addresses,
    Choice,
    ClusterLocation,
    ContentExclusions,
    CustomExtractions,
    CustomSearches,
    Folder,
    Headers,
    HeaderValue,
    LinkKinds,
    Number,
    Patterns,
    ProgramPath,
    Proxy,
    SegmentDefinitions,
    Servers,
    ServerUrl,
    Switch,
    UserAgent,
    Viewport,
    Words,
)
from gossamer.model.settings.user_agents import PRESETS, user_agent_of
from gossamer.model.translatable import Translatable
from gossamer.session.cluster_names import address_of
from gossamer.urls.url_parsing import server_name, server_of

_tr = translator("SettingsForm")


_BESIDE_NAME: Final = 48
"""The width of frame, margins and scroll bar of a list of names."""
_LINES: Final = 3
_INDENT: Final = 4
_COLUMNS: Final = 3
_MOST: Final = 2_000_000_000
"""The largest value of a spin box."""


@dataclass(frozen=True, slots=True)
class SettingField:
    """One setting: `read` returns the value in the widget, `write` sets it.

    `read` raises UsageError if the typed text is not a value at all.
    """

    name: str
    label: str
    hint: str
    widget: QWidget
    read: Callable[[], Any]
    write: Callable[[Any], None]
    changed: tuple[SignalInstance, ...]
    """One of them is emitted when the value may have changed."""
    default: str
    """The default as shown to people; "" if there is none to restore."""
    beside: QWidget | None = None
    """A widget beside it that helps to fill it in."""


def setting_field(name: str) -> SettingField:
    """The field of the setting `name`, made from its declaration."""
    values = SETTINGS[name].values
    return _BUILDERS[type(values)](name, values)


def default_of(name: str) -> Any:  # noqa: ANN401 - settings have values of many types
    """The default of the setting `name`."""
    return getattr(DEFAULTS, name)


def _field(
    name: str,
    widget: QWidget,
    read: Callable[[], Any],
    write: Callable[[Any], None],
    changed: tuple[SignalInstance, ...],
    default: str,
) -> SettingField:
    """A field with label and hint of the declaration; a check box contains its label."""
    setting = SETTINGS[name]
    label = "" if isinstance(widget, QCheckBox) else spoken(Translatable(setting.label))
    hint = spoken(Translatable(setting.hint)) if setting.hint else ""
    return SettingField(name, label, hint, widget, read, write, changed, default)


def _number(name: str, number: Number) -> SettingField:
    """A number. None, if allowed, is one step below the minimum and shown as words."""
    kind = DECLARED[name].type
    optional = type(None) in get_args(kind)
    if int in {kind, *get_args(kind)} and number.scale == 1:
        whole = QSpinBox()
        none = int(number.low) - 1
        whole.setRange(none if optional else int(number.low), min(int(number.high), _MOST))
        return _of_spin(name, whole, number, none)
    spin = QDoubleSpinBox()
    spin.setDecimals(2 if optional else 1)
    spin.setRange(
        0 if optional else max(0.1, number.low / number.scale), number.high / number.scale
    )
    return _of_spin(name, spin, number, 0)


def _switch(name: str, _: Switch) -> SettingField:
    box = QCheckBox(spoken(Translatable(SETTINGS[name].label)))
    default = _tr("on") if default_of(name) else _tr("off")
    return _field(name, box, box.isChecked, box.setChecked, (box.toggled,), default)


def _choice(name: str, choice: Choice) -> SettingField:
    members = list(DECLARED[name].type)
    words = [spoken(Translatable(label)) for label in choice.labels]
    box = QComboBox()
    box.setMinimumHeight(CONTROL_HEIGHT)
    box.addItems(words)
    return _field(
        name,
        box,
        lambda: members[box.currentIndex()],
        lambda member: box.setCurrentIndex(members.index(member)),
        (box.currentIndexChanged,),
        words[members.index(default_of(name))],
    )


def _header_value(name: str, header: HeaderValue) -> SettingField:
    line = text_line(QLineEdit())
    default = default_of(name) or spoken(Translatable(header.none))
    return _field(name, line, line.text, line.setText, (line.textChanged,), default)


def _proxy(name: str, proxy: Proxy) -> SettingField:
    line = text_line(QLineEdit())
    line.setPlaceholderText(proxy.example)
    return _field(
        name,
        line,
        lambda: line.text().strip() or None,
        lambda value: line.setText(value or ""),
        (line.textChanged,),
        _tr("none"),
    )


def _text(name: str, values: ServerUrl | Viewport) -> SettingField:
    line = text_line(QLineEdit())
    if isinstance(values, ServerUrl):
        line.setPlaceholderText(values.example)
    return _field_of(name, line)


def _cluster(name: str, _: ClusterLocation) -> SettingField:
    line = text_line(QLineEdit())
    return replace(_field_of(name, line), read=lambda: address_of(line.text().strip()))


def _path(name: str, values: Folder | ProgramPath) -> SettingField:
    line = text_line(QLineEdit())
    beside = PathButton(line, is_folder=isinstance(values, Folder))
    return replace(_field_of(name, line), beside=beside)


def _field_of(name: str, line: QLineEdit) -> SettingField:
    """A text field."""
    return _field(
        name,
        line,
        lambda: line.text().strip(),
        line.setText,
        (line.textChanged,),
        _tr("none"),
    )


def _user_agent(name: str, _: UserAgent) -> SettingField:
    """A user agent header, typed or chosen by name."""
    box = QComboBox()
    box.setEditable(True)
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    box.setMinimumHeight(CONTROL_HEIGHT)
    box.addItems(list(PRESETS))
    # The list is wide enough for whole names, however narrow the field is.
    names = max(map(box.fontMetrics().horizontalAdvance, PRESETS))
    box.view().setMinimumWidth(names + _BESIDE_NAME)
    box.textActivated.connect(lambda chosen: box.setEditText(user_agent_of(chosen)))
    return _field(
        name,
        box,
        lambda: user_agent_of(box.currentText()),
        box.setEditText,
        (box.editTextChanged,),
        default_of(name),
    )


def _link_kinds(name: str, _: LinkKinds) -> SettingField:
    """Link kinds; the value keeps the order that was written last."""
    panel = QWidget()
    grid = QGridLayout(panel)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(theme.SPACE_M)
    grid.setVerticalSpacing(theme.SPACE_XS)
    boxes: dict[str, QCheckBox] = {}
    for index, (value, kind) in enumerate(KIND_NAMES.items()):
        box = boxes[value] = QCheckBox(kind_label(kind))
        grid.addWidget(box, *divmod(index, _COLUMNS))
    order: list[str] = list(boxes)

    def read() -> tuple[str, ...]:
        return tuple(value for value in order if boxes[value].isChecked())

    def write(values: tuple[str, ...]) -> None:
        order[:] = [*values, *(value for value in boxes if value not in values)]
        for value, box in boxes.items():
            box.setChecked(value in values)

    default = listed(boxes[value].text() for value in default_of(name))
    changed = tuple(box.toggled for box in boxes.values())
    return _field(name, panel, read, write, changed, default)


def _lines(
    name: str, parse: Callable[[list[str]], Any], show: Callable[[Any], str]
) -> SettingField:
    """Several values, one per line."""
    edit = text_edit()
    return _field(
        name,
        edit,
        lambda: parse(typed_lines(edit)),
        lambda value: edit.setPlainText(show(value)),
        (edit.textChanged,),
        listed(show(default_of(name)).splitlines()) or _tr("none"),
    )


def _headers(name: str, _: Headers) -> SettingField:
    return _lines(
        name,
        lambda typed: tuple(map(header_of, typed)),
        lambda headers: "\n".join(map(header_line, headers)),
    )


def _servers(name: str, _: Servers) -> SettingField:
    return _lines(
        name,
        lambda typed: tuple(dict.fromkeys(map(server_of, typed))),
        lambda servers: "\n".join(map(server_name, servers)),
    )


def _texts(name: str, _: Patterns | Addresses | ContentExclusions | Words) -> SettingField:
    return _lines(name, tuple, "\n".join)


def _definitions(
    name: str, values: CustomSearches | CustomExtractions | SegmentDefinitions
) -> SettingField:
    edit = definition_list(values)
    edit.tree.setAccessibleName(spoken(Translatable(SETTINGS[name].label)))
    changed = (edit.changed,)
    return _field(name, edit, edit.definitions, edit.set_definitions, changed, _tr("none"))


def text_edit() -> QPlainTextEdit:
    """A field for a few lines."""
    edit = QPlainTextEdit()
    edit.setTabChangesFocus(True)
    edit.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    edit.setFixedHeight(edit.fontMetrics().lineSpacing() * _LINES + theme.SPACE_L)
    return edit


def typed_lines(edit: QPlainTextEdit) -> list[str]:
    """The typed lines, without empty ones."""
    typed = (line.strip() for line in edit.toPlainText().splitlines())
    return [line for line in typed if line]


def text_line(line: QLineEdit) -> QLineEdit:
    """Set the height of all controls on a line, and return it."""
    line.setMinimumHeight(CONTROL_HEIGHT)
    return line


def _of_spin(
    name: str, spin: QSpinBox | QDoubleSpinBox, number: Number, of_none: float
) -> SettingField:
    """A number that is read exactly as it was written until somebody edits it.

    `of_none` is the shown number that stands for None, if None is a value. The widget shows
    numbers divided by their scale and rounded.
    """
    spin.setSuffix(spoken(Translatable(number.unit)) if number.unit else "")
    spin.setSpecialValueText(spoken(Translatable(number.none)) if number.none else "")
    _style(spin)
    whole, scale = isinstance(spin, QSpinBox), number.scale
    written: list[tuple[float, Any]] = []  # the rounded number for the value written last

    def read() -> Any:  # noqa: ANN401 - a number of the setting's own kind, or None
        shown = spin.value()
        if written and written[0][0] == shown:
            return written[0][1]
        if number.none and shown == of_none:
            return None
        return round(shown * scale) if whole or scale != 1 else shown

    def write(value: float | None) -> None:
        shown = of_none if value is None else value / scale
        bounded = min(max(shown or 0, spin.minimum()), spin.maximum())
        spin.setValue(int(bounded) if whole else bounded)  # type: ignore[arg-type] # by its kind
        written[:] = [(spin.value(), value)]

    default = default_of(name)
    if default is None:
        words = spin.specialValueText()
    elif isinstance(spin, QSpinBox):
        words = spin.textFromValue(default) + spin.suffix()
    else:
        words = spin.textFromValue(default / scale) + spin.suffix()
    return _field(name, spin, read, write, (spin.valueChanged,), words)


def _style(spin: QSpinBox | QDoubleSpinBox) -> None:
    spin.setGroupSeparatorShown(True)
    spin.setMinimumHeight(CONTROL_HEIGHT)
    line = spin.findChild(QLineEdit)
    if line is not None:  # the style sheet's padding does not apply to it
        line.setTextMargins(_INDENT, 0, 0, 0)
    spin.setFont(theme.tabular(spin.font()))


_BUILDERS: Final[dict[type, Callable[[str, Any], SettingField]]] = {
    Number: _number,
    Switch: _switch,
    Choice: _choice,
    HeaderValue: _header_value,
    UserAgent: _user_agent,
    Proxy: _proxy,
    LinkKinds: _link_kinds,
    Headers: _headers,
    Servers: _servers,
    ContentExclusions: _texts,
    SegmentDefinitions: _definitions,
    CustomSearches: _definitions,
    CustomExtractions: _definitions,
    Patterns: _texts,
    Addresses: _texts,
    Words: _texts,
    **dict.fromkeys((ServerUrl, Viewport), _text),
    ClusterLocation: _cluster,
    **dict.fromkeys((Folder, ProgramPath), _path),
}
"""The functions that make the field of each kind of value."""
