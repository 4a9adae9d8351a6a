"""Describes the crawl or the notes under the mouse in a chart, as rich text."""

from collections.abc import Sequence
from html import escape

from gossamer.gui.history.trend_lines import TrendLine
from gossamer.gui.look import theme
from gossamer.gui.look.theme import Role
from gossamer.gui.text import local_formatting as formatting

_LONGEST = 160


def crawl_text(
    title: str, lines: Sequence[TrendLine], place: int, notes: Sequence[str], hints: Sequence[str]
) -> str:
    """A crawl: when it was, each figure with its colour and its change, notes, and hints."""
    rows = "".join(_row(line, place) for line in lines)
    return f"{_bold(title)}<table cellspacing='0' cellpadding='1'>{rows}</table>" + _below(
        notes, hints
    )


def notes_text(title: str, notes: Sequence[str], hint: str) -> str:
    """Notes: the day that they are about, what they say, and what a click does."""
    return _bold(title) + _below(notes, [hint])


def _row(line: TrendLine, place: int) -> str:
    change = line.change(place)
    changed = "" if change is None else _coloured(change[0], change[1])
    return (
        f"<tr><td>{_coloured('●', line.role)}&nbsp;{_text(line.name)}&nbsp;&nbsp;</td>"
        f"<td align='right'>{_bold(line.text(place))}&nbsp;&nbsp;</td>"
        f"<td align='right'>{changed}</td></tr>"
    )


def _below(notes: Sequence[str], hints: Sequence[str]) -> str:
    marked = [f"{_coloured('▲', 'redirect')}&nbsp;{_text(each)}" for each in notes]
    muted = [_coloured(each, "muted") for each in hints if each]
    return "".join(f"<div>{each}</div>" for each in (*marked, *muted))


def _bold(text: str) -> str:
    return f"<b>{_text(text)}</b>"


def _coloured(text: str, role: Role) -> str:
    return f"<span style='color: {theme.colour(role).name()}'>{_text(text)}</span>"


def _text(text: str) -> str:
    """A note or a name that can do no harm, and is not endless."""
    return escape(formatting.clean(text, _LONGEST))
