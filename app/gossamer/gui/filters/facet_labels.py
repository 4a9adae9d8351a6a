"""Facets and their values in a few words."""

from collections.abc import Callable
from typing import Final

from gossamer.gui.look.outcome_style import label, warning_labels
from gossamer.gui.tables.table_columns import field_label
from gossamer.gui.tables.table_columns import value_text as value_text_of
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.model.facets import (
    FACET_FIELDS,
    FOLDER,
    FOUND_ON,
    ORIGIN,
    STATUS_CLASS,
    TIME,
    as_member,
    time_step,
)
from gossamer.model.fields.url_record import UNREACHED
from gossamer.model.outcome import Outcome, Verdict
from gossamer.model.project_queries import NO_ANSWER, Facet, Value
from gossamer.model.response_warnings import ResponseWarning
from gossamer.urls.url_folders import display_url

_tr = translator("Facet")

_NAMES: Final[dict[Facet, str]] = {
    "verdict": QT_TRANSLATE_NOOP("Facet", "Verdict"),
    STATUS_CLASS: QT_TRANSLATE_NOOP("Facet", "Status class"),
    "kind": QT_TRANSLATE_NOOP("Facet", "Kind of link"),
    FOLDER: QT_TRANSLATE_NOOP("Facet", "Folder"),
    ORIGIN: QT_TRANSLATE_NOOP("Facet", "Site"),
    FOUND_ON: QT_TRANSLATE_NOOP("Facet", "Found on"),
}
"""Facets that are not called as a column of URLs."""
_VERDICTS: Final[dict[Verdict, str]] = {
    Verdict.PENDING: QT_TRANSLATE_NOOP("Facet", "No answer yet"),
    Verdict.OK: QT_TRANSLATE_NOOP("Facet", "Works"),
    Verdict.REDIRECT: QT_TRANSLATE_NOOP("Facet", "Redirects"),
    Verdict.BROKEN: QT_TRANSLATE_NOOP("Facet", "Broken"),
    Verdict.REFUSED: QT_TRANSLATE_NOOP("Facet", "Refused (401, 403)"),
    Verdict.UNVERIFIED: QT_TRANSLATE_NOOP("Facet", "Uncertain"),
    Verdict.SKIPPED: QT_TRANSLATE_NOOP("Facet", "Not asked"),
}


def facet_name(facet: Facet) -> str:
    """The facet in a word or two, translated."""
    return _tr(_NAMES[facet]) if facet in _NAMES else field_label(FACET_FIELDS[facet])


def value_text(facet: Facet, value: Value, name: str = "") -> str:
    """A value of a facet, translated where it is a word; `name` is that of a folder or URL."""
    if facet in {FOLDER, FOUND_ON}:
        return formatting.clean(display_url(name)) if name else "…"
    words = _WORDS.get(facet)
    if words is not None:
        return words(value)
    each = FACET_FIELDS.get(facet)
    return (value_text_of(each, as_member(facet, value)) if each else _clean(value)) or _tr("None")


def _status_class(value: Value) -> str:
    return _tr("No answer") if value == NO_ANSWER else f"{value}xx"


def _outcome(value: Value) -> str:
    """Rows of queued URLs say "in flight" while they are fetched; the facet covers both."""
    outcome = Outcome(int(value))
    return _tr("Queued or in flight") if outcome is Outcome.PENDING else label(outcome)


def _depth(value: Value) -> str:
    return _tr("Not linked") if value == UNREACHED else formatting.number(int(value))


def _clean(value: Value) -> str:
    return formatting.clean(str(value))


_WORDS: Final[dict[Facet, Callable[[Value], str]]] = {
    "verdict": lambda value: _tr(_VERDICTS[Verdict(str(value))]),
    STATUS_CLASS: _status_class,
    "outcome": _outcome,
    "depth": _depth,
    "warning": lambda value: warning_labels([ResponseWarning(str(value))]),
    TIME: lambda value: span_text(*time_step(int(value))),
}


def span_text(low: int | None, high: int | None) -> str:
    """Response times from `low` to below `high`."""
    if high is None:
        return _tr("from {low}").format(low=formatting.duration(low or 0))
    return _tr("{low} to {high}").format(
        low=formatting.duration(low or 0), high=formatting.duration(high)
    )
