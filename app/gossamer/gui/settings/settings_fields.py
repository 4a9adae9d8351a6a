"""The widgets of settings: each is a `SettingField` that reads and writes one value."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

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
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.text.sentences import listed
from gossamer.model.errors import UsageError
from gossamer.model.settings import RANGES, CrawlSettings
from gossamer.model.user_agents import PRESETS, user_agent_of
from gossamer.urls.parse import server_name, server_of

DEFAULTS: Final = CrawlSettings(roots=())
_BESIDE_NAME: Final = 48
"""Frame, margins and scroll bar of a list of names."""
_LINES: Final = 3
_INDENT: Final = 4
_COLUMNS: Final = 3
_MOST: Final = 2_000_000_000
"""A spin box counts no further."""


@dataclass(frozen=True, slots=True)
class SettingField:
    """One setting: `read` gives its value from the widget, `write` puts one in.

    `read` raises UsageError with a sentence where what was typed is no value at all.
    """

    name: str
    label: str
    hint: str
    widget: QWidget
    read: Callable[[], Any]
    write: Callable[[Any], None]
    changed: tuple[SignalInstance, ...]
    """Emitted, one or another, when the value may have changed."""
    default: str
    """The default as a person reads it, "" where there is none to go back to."""


def number(name: str, label: str, hint: str, suffix: str = "") -> SettingField:
    """A whole number that must be there."""
    spin = QSpinBox()
    low, high = _whole_limits(name)
    spin.setRange(low, high)
    spin.setSuffix(suffix)
    return _of_spin(name, label, hint, spin)


def optional(name: str, label: str, hint: str, none: str) -> SettingField:
    """A number or None, which is one step below the smallest and reads as `none`."""
    spin = QSpinBox()
    low, high = _whole_limits(name)
    spin.setRange(low - 1, high)
    spin.setSpecialValueText(none)
    return _of_spin(name, label, hint, spin, of_none=low - 1)


def decimal(name: str, label: str, hint: str, suffix: str, *, scale: float = 1.0) -> SettingField:
    """A number with one digit after the point, shown divided by `scale`."""
    spin = QDoubleSpinBox()
    low, high = RANGES[name]
    spin.setDecimals(1)
    spin.setRange(max(0.1, low / scale), high / scale)
    spin.setSuffix(suffix)
    return _of_spin(name, label, hint, spin, scale=scale)


def rate(name: str, label: str, hint: str, suffix: str, none: str) -> SettingField:
    """A number of requests per second, or None, which is 0 and reads as `none`."""
    spin = QDoubleSpinBox()
    spin.setRange(0.0, RANGES[name][1])
    spin.setSpecialValueText(none)
    spin.setSuffix(suffix)
    return _of_spin(name, label, hint, spin, of_none=0)


def text(name: str, label: str, hint: str, none: str) -> SettingField:
    """A line of text; where the default is empty it reads as `none`."""
    line = _line()
    return SettingField(
        name,
        label,
        hint,
        line,
        line.text,
        line.setText,
        (line.textChanged,),
        default_of(name) or none,
    )


def optional_text(name: str, label: str, hint: str, example: str, none: str) -> SettingField:
    """A line of text, or None where it is empty, which reads as `none`."""
    line = _line()
    line.setPlaceholderText(example)
    return SettingField(
        name,
        label,
        hint,
        line,
        lambda: line.text().strip() or None,
        lambda value: line.setText(value or ""),
        (line.textChanged,),
        none,
    )


def secret(name: str, label: str, hint: str, *, hidden: bool) -> SettingField:
    """A line of text that is no setting; `hidden` shows dots in its place."""
    line = _line()
    if hidden:
        line.setEchoMode(QLineEdit.EchoMode.Password)
    return SettingField(name, label, hint, line, line.text, line.setText, (line.textChanged,), "")


def user_agent(name: str, label: str, hint: str) -> SettingField:
    """A header, or the choice of one by its name."""
    box = QComboBox()
    box.setEditable(True)
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    box.setMinimumHeight(CONTROL_HEIGHT)
    box.addItems(list(PRESETS))
    # The names are read whole, and each line has room, however narrow the field is.
    names = max(map(box.fontMetrics().horizontalAdvance, PRESETS))
    box.view().setMinimumWidth(names + _BESIDE_NAME)
    box.textActivated.connect(lambda chosen: box.setEditText(user_agent_of(chosen)))
    return SettingField(
        name,
        label,
        hint,
        box,
        lambda: user_agent_of(box.currentText()),
        box.setEditText,
        (box.editTextChanged,),
        default_of(name),
    )


def switch(name: str, label: str, default: str) -> SettingField:
    """On or off; `default` is the word for what it is by default, "" for none to tell."""
    box = QCheckBox(label)
    return SettingField(name, "", "", box, box.isChecked, box.setChecked, (box.toggled,), default)


def choice(name: str, label: str, hint: str, choices: tuple[tuple[Any, str], ...]) -> SettingField:
    """One of several values, each with its words."""
    box = QComboBox()
    box.setMinimumHeight(CONTROL_HEIGHT)
    for value, words in choices:
        box.addItem(words, str(value))
    kind = type(choices[0][0])
    return SettingField(
        name,
        label,
        hint,
        box,
        lambda: kind(box.currentData()),
        lambda value: box.setCurrentIndex(box.findData(str(value))),
        (box.currentIndexChanged,),
        dict(choices)[default_of(name)],
    )


def several(name: str, label: str, hint: str, choices: Iterable[tuple[str, str]]) -> SettingField:
    """Any number of values, each with its words. The value is a tuple in the order given last."""
    panel = QWidget()
    grid = QGridLayout(panel)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(theme.SPACE_M)
    grid.setVerticalSpacing(theme.SPACE_XS)
    boxes: dict[str, QCheckBox] = {}
    for place, (value, words) in enumerate(choices):
        box = boxes[value] = QCheckBox(words)
        grid.addWidget(box, *divmod(place, _COLUMNS))
    order: list[str] = list(boxes)

    def read() -> tuple[str, ...]:
        return tuple(value for value in order if boxes[value].isChecked())

    def write(values: tuple[str, ...]) -> None:
        order[:] = [*values, *(value for value in boxes if value not in values)]
        for value, box in boxes.items():
            box.setChecked(value in values)

    default = listed(boxes[value].text() for value in default_of(name))
    changed = tuple(box.toggled for box in boxes.values())
    return SettingField(name, label, hint, panel, read, write, changed, default)


def lines(name: str, label: str, hint: str, none: str) -> SettingField:
    """Texts, one on each line."""
    return _of_lines(name, label, hint, tuple, "\n".join, none)


def servers(name: str, label: str, hint: str, none: str) -> SettingField:
    """Servers that speak https, one on each line."""

    def parse(typed: list[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(map(server_of, typed)))

    def show(written: tuple[str, ...]) -> str:
        return "\n".join(map(server_name, written))

    return _of_lines(name, label, hint, parse, show, none)


def headers(name: str, label: str, hint: str, none: str) -> SettingField:
    """Pairs of name and value, one `Name: value` on each line."""
    return _of_lines(name, label, hint, _pairs, lambda pairs: _joined(pairs, ": "), none)


def cookies(
    name: str, label: str, hint: str, parse: Callable[[str], tuple[tuple[str, str], ...]]
) -> SettingField:
    """Pairs of name and value, one `name=value` on each line."""
    return _of_lines(
        name,
        label,
        hint,
        lambda typed: parse("\n".join(typed)),
        lambda pairs: _joined(pairs, "="),
        "",
    )


def default_of(name: str) -> Any:  # noqa: ANN401 - settings have values of many types
    """The default of the setting `name`."""
    return getattr(DEFAULTS, name)


def _of_lines(
    name: str,
    label: str,
    hint: str,
    parse: Callable[[list[str]], Any],
    show: Callable[[Any], str],
    default: str,
) -> SettingField:
    edit = QPlainTextEdit()
    edit.setTabChangesFocus(True)
    edit.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    edit.setFixedHeight(edit.fontMetrics().lineSpacing() * _LINES + theme.SPACE_L)

    def read() -> Any:  # noqa: ANN401 - whatever `parse` makes of it
        typed = (line.strip() for line in edit.toPlainText().splitlines())
        return parse([line for line in typed if line])

    return SettingField(
        name,
        label,
        hint,
        edit,
        read,
        lambda value: edit.setPlainText(show(value)),
        (edit.textChanged,),
        default,
    )


def _pairs(typed: list[str]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for line in typed:
        name, colon, value = line.partition(":")
        if not colon:
            # Not quoted: it may be a token.
            raise UsageError("A header lacks its colon; write headers as 'Name: value'.")
        pairs.append((name.strip(), value.strip()))
    return tuple(pairs)


def _joined(pairs: tuple[tuple[str, str], ...], between: str) -> str:
    return "\n".join(f"{name}{between}{value}" for name, value in pairs)


def _line() -> QLineEdit:
    line = QLineEdit()
    line.setMinimumHeight(CONTROL_HEIGHT)
    return line


def _whole_limits(name: str) -> tuple[int, int]:
    low, high = RANGES[name]
    return int(low), min(int(high), _MOST)


def _of_spin(
    name: str,
    label: str,
    hint: str,
    spin: QSpinBox | QDoubleSpinBox,
    *,
    of_none: float | None = None,
    scale: float = 1,
) -> SettingField:
    """A number that comes back exactly as it was written as long as nobody changes what is shown.

    `of_none` is what is shown for None, where that is a value; a widget shows numbers divided by
    `scale`, and rounded.
    """
    _look(spin)
    whole = isinstance(spin, QSpinBox)
    written: list[tuple[float, Any]] = []  # what was shown for what was written last

    def read() -> Any:  # noqa: ANN401 - a number of the setting's own kind, or None
        shown = spin.value()
        if written and written[0][0] == shown:
            return written[0][1]
        if shown == of_none:
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
    return SettingField(name, label, hint, spin, read, write, (spin.valueChanged,), words)


def _look(spin: QSpinBox | QDoubleSpinBox) -> None:
    spin.setGroupSeparatorShown(True)
    spin.setMinimumHeight(CONTROL_HEIGHT)
    line = spin.findChild(QLineEdit)
    if line is not None:  # the style sheet's padding does not reach it
        line.setTextMargins(_INDENT, 0, 0, 0)
    spin.setFont(theme.tabular(spin.font()))
