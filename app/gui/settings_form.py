"""The fields of CrawlSettings as a form: each with its label, its default and one explanation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)

from app.gui import theme
from app.model.errors import UsageError
from app.model.secrets import cookies_of
from app.model.settings import MAX_REDIRECTS, MAX_WORKERS, CrawlSettings, HostMatch, Parser
from app.model.user_agents import PRESETS, user_agent_of

DEFAULTS: Final = CrawlSettings(roots=())
_MOST: Final = 2_000_000_000
_LINES: Final = 3
_HEIGHT: Final = 28
_INDENT: Final = 4


@dataclass(frozen=True, slots=True)
class Field:
    """One setting: `read` gives its value from the widget, `write` puts one in."""

    name: str
    label: str
    hint: str
    widget: QWidget
    read: Callable[[], Any]
    write: Callable[[Any], None]
    default: str
    """The default as a person reads it, "" where the widget shows it by itself."""


def tr(text: str) -> str:
    """`text` in the person's language."""
    return QCoreApplication.translate("SettingsForm", text)


def limits() -> list[Field]:
    """How much is crawled."""
    return [
        _number("workers", tr("Workers"), tr("Pages fetched at the same time."), (1, MAX_WORKERS)),
        _number(
            "max_redirects",
            tr("Redirects"),
            tr("Redirects followed in a row."),
            (0, MAX_REDIRECTS),
        ),
        _number("max_tries", tr("Tries"), tr("When a failure may pass."), (1, 20)),
        _optional(
            "max_depth", tr("Depth"), tr("Clicks from the start page."), (0, 10_000), tr("No limit")
        ),
        _optional(
            "max_pages", tr("Pages"), tr("Then the crawl stops."), (1, _MOST), tr("No limit")
        ),
        _decimal(
            "timeout_s", tr("Timeout"), tr("Seconds for one answer."), (0.1, 3600.0), tr(" s")
        ),
        _rate(),
        _optional(
            "max_per_host",
            tr("Per host"),
            tr("Pages fetched at the same time from one host."),
            (1, MAX_WORKERS),
            tr("No limit"),
        ),
        _number(
            "max_similar",
            tr("Similar"),
            tr("Addresses of one kind that only lead to each other."),
            (10, _MOST),
        ),
        _switch("guard", tr("Pause when nearly everything fails")),
    ]


def scope() -> list[Field]:
    """Which addresses belong to the crawl."""
    hosts = (
        (HostMatch.STRICT, tr("Only the host itself")),
        (HostMatch.LENIENT, tr("All hosts of the domain")),
    )
    return [
        _choice("host_match", tr("Hosts"), tr("Whether subdomains belong to the crawl."), hosts),
        _patterns(
            "include", tr("Include"), tr("Regular expressions, one on each line; empty for all.")
        ),
        _patterns("exclude", tr("Exclude"), tr("Regular expressions, one on each line.")),
        _switch("follow_nofollow", tr("Follow links in spite of nofollow")),
        _switch("list_only", tr("Fetch only the addresses given, follow no links")),
        _switch("use_sitemaps", tr("Read the sitemaps of the site too")),
        _switch("check_external", tr("Check links that lead to other hosts")),
        _decimal(
            "external_rate",
            tr("Their pace"),
            tr("Checks of one other host."),
            (0.1, 1000.0),
            tr(" per second"),
        ),
    ]


def requests() -> list[Field]:
    """How it asks."""
    headers = _lines()
    return [
        _user_agent(),
        _text("accept_language", tr("Languages"), tr("Like 'de, en;q=0.5'; empty sends none.")),
        Field(
            "headers",
            tr("Headers"),
            tr("Name: value, one on each line."),
            headers,
            lambda: _headers_of(headers.toPlainText()),
            lambda pairs: headers.setPlainText("\n".join(f"{k}: {v}" for k, v in pairs)),
            tr("none"),
        ),
        _proxy(),
        _switch("keep_cookies", tr("Keep the cookies that servers set")),
        _switch("obey_robots", tr("Obey robots.txt")),
        _switch("allow_bad_tls", tr("Go on when a certificate does not hold")),
    ]


def access() -> list[Field]:
    """What is secret: no setting, and kept in no file."""
    password = QLineEdit()
    password.setEchoMode(QLineEdit.EchoMode.Password)
    password.setMinimumHeight(_HEIGHT)
    user = QLineEdit()
    user.setMinimumHeight(_HEIGHT)
    cookies = _lines()
    remember = QCheckBox(tr("Remember in the system's keyring"))
    return [
        Field("user", tr("User"), tr("Basic authentication."), user, user.text, user.setText, ""),
        Field("password", tr("Password"), "", password, password.text, password.setText, ""),
        Field(
            "cookies",
            tr("Cookies"),
            tr("name=value, one on each line."),
            cookies,
            lambda: cookies_of(cookies.toPlainText()),
            lambda pairs: cookies.setPlainText("\n".join(f"{k}={v}" for k, v in pairs)),
            "",
        ),
        Field("remember", "", "", remember, remember.isChecked, remember.setChecked, ""),
    ]


def reading() -> list[Field]:
    """How pages are read."""
    parsers = (
        (Parser.SELECTOLAX, tr("selectolax (fast)")),
        (Parser.BEAUTIFULSOUP, tr("Beautiful Soup")),
    )
    return [
        _optional(
            "processes",
            tr("Processes"),
            tr("Read pages in parallel."),
            (1, 64),
            tr("One per core"),
        ),
        _choice("parser", tr("Parser"), tr("Reads the HTML."), parsers),
    ]


def settings_of(fields: list[Field], rest: CrawlSettings) -> CrawlSettings:
    """The settings that the fields say, with what no field covers from `rest`, checked.

    Raises UsageError with a sentence about the first thing wrong. Roots are not looked at.
    """
    values = {field.name: field.read() for field in fields}
    settings = msgspec.structs.replace(rest, **values)
    msgspec.structs.replace(settings, roots=settings.roots or ("example.com",)).checked()
    return settings


def _number(name: str, label: str, hint: str, limits_: tuple[int, int]) -> Field:
    spin = QSpinBox()
    spin.setRange(*limits_)
    _look(spin)
    return Field(
        name, label, hint, spin, spin.value, spin.setValue, spin.textFromValue(_default(name))
    )


def _optional(name: str, label: str, hint: str, limits_: tuple[int, int], none: str) -> Field:
    """A number or None, which is one step below the smallest."""
    low, high = limits_
    spin = QSpinBox()
    spin.setRange(low - 1, high)
    spin.setSpecialValueText(none)
    _look(spin)

    def read() -> int | None:
        return None if spin.value() < low else spin.value()

    def write(value: int | None) -> None:
        spin.setValue(low - 1 if value is None else min(value, high))

    return Field(name, label, hint, spin, read, write, none)


def _decimal(name: str, label: str, hint: str, limits_: tuple[float, float], suffix: str) -> Field:
    spin = QDoubleSpinBox()
    spin.setRange(*limits_)
    spin.setDecimals(1)
    spin.setSuffix(suffix)
    _look(spin)
    default = spin.textFromValue(_default(name)) + suffix
    return Field(name, label, hint, spin, spin.value, spin.setValue, default)


def _rate() -> Field:
    spin = QDoubleSpinBox()
    spin.setRange(0.0, 100_000.0)
    spin.setDecimals(2)
    spin.setSpecialValueText(tr("As fast as it answers"))
    spin.setSuffix(tr(" per second"))
    _look(spin)
    return Field(
        "rate",
        tr("Rate"),
        tr("Requests to one host."),
        spin,
        lambda: spin.value() or None,
        lambda value: spin.setValue(value or 0.0),
        tr("as fast as it answers"),
    )


def _text(name: str, label: str, hint: str) -> Field:
    line = QLineEdit()
    line.setMinimumHeight(_HEIGHT)
    default = _default(name) or tr("none")
    return Field(name, label, hint, line, line.text, line.setText, default)


def _user_agent() -> Field:
    """A header, or the choice of one by its name."""
    box = QComboBox()
    box.setEditable(True)
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    box.setMinimumHeight(_HEIGHT)
    box.addItems(list(PRESETS))
    box.textActivated.connect(lambda name: box.setEditText(user_agent_of(name)))
    return Field(
        "user_agent",
        tr("User agent"),
        tr("Or a name from the list."),
        box,
        lambda: user_agent_of(box.currentText()),
        box.setEditText,
        _default("user_agent"),
    )


def _proxy() -> Field:
    line = QLineEdit()
    line.setMinimumHeight(_HEIGHT)
    line.setPlaceholderText("http://host:port, socks5://name:password@host:port")
    return Field(
        "proxy",
        tr("Proxy"),
        tr("For every request."),
        line,
        lambda: line.text().strip() or None,
        lambda value: line.setText(value or ""),
        tr("none"),
    )


def _switch(name: str, text: str) -> Field:
    box = QCheckBox(text)
    default = tr("on") if _default(name) else tr("off")
    return Field(name, "", "", box, box.isChecked, box.setChecked, default)


def _choice(name: str, label: str, hint: str, choices: tuple[tuple[Any, str], ...]) -> Field:
    box = QComboBox()
    box.setMinimumHeight(_HEIGHT)
    for value, text in choices:
        box.addItem(text, str(value))
    kind = type(choices[0][0])
    return Field(
        name,
        label,
        hint,
        box,
        lambda: kind(box.currentData()),
        lambda value: box.setCurrentIndex(box.findData(str(value))),
        dict(choices)[_default(name)],
    )


def _patterns(name: str, label: str, hint: str) -> Field:
    text = _lines()
    return Field(
        name,
        label,
        hint,
        text,
        lambda: tuple(filter(None, (line.strip() for line in text.toPlainText().splitlines()))),
        lambda patterns: text.setPlainText("\n".join(patterns)),
        tr("none"),
    )


def _headers_of(text: str) -> tuple[tuple[str, str], ...]:
    pairs = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        name, colon, value = line.partition(":")
        if not colon:
            # Not quoted: it may be a token.
            raise UsageError(tr("A header lacks its colon; write headers as 'Name: value'."))
        pairs.append((name.strip(), value.strip()))
    return tuple(pairs)


def _default(name: str) -> Any:  # noqa: ANN401 - settings have values of many types
    return getattr(DEFAULTS, name)


def _lines() -> QPlainTextEdit:
    edit = QPlainTextEdit()
    edit.setTabChangesFocus(True)
    edit.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    edit.setFixedHeight(edit.fontMetrics().lineSpacing() * _LINES + theme.SPACE_L)
    return edit


def _look(spin: QSpinBox | QDoubleSpinBox) -> None:
    spin.setGroupSeparatorShown(True)
    spin.setMinimumHeight(_HEIGHT)
    line = spin.findChild(QLineEdit)
    if line is not None:  # the style sheet's padding does not reach it
        line.setTextMargins(_INDENT, 0, 0, 0)
    spin.setFont(theme.tabular(spin.font()))
