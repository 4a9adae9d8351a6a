"""Draws the report's charts as inline SVG; CSS classes give light and dark colours."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import pi

_RADIUS = 54
_AROUND = 2 * pi * _RADIUS
_HEIGHT = 150
_COLUMN = 44
_GAP = 10
_LABELS = 22
_FEWEST = 9
"""The minimum number of columns for the width, so that few of them are not drawn large."""
_ROOM_ABOVE = 18


@dataclass(frozen=True, slots=True)
class ChartShare:
    """A part of a whole: its label, its count and the CSS class of its colour."""

    label: str
    count: int
    colour: str


def donut(shares: Sequence[ChartShare], title: str, middle: str, below: str) -> str:
    """A ring of shares; `middle` and `below` are in its hole. Without shares, the ring is empty."""
    total = sum(share.count for share in shares)
    arcs, start = [], 0.0
    for share in shares:
        if not share.count:
            continue
        length = _AROUND * share.count / total
        arcs.append(
            f'<circle class="arc {share.colour}" r="{_RADIUS}" stroke-dasharray="{length:.3f}'
            f' {_AROUND - length:.3f}" stroke-dashoffset="{-start:.3f}" transform="rotate(-90)">'
            f"<title>{escape(share.label)}: {share.count:,}</title></circle>"
        )
        start += length
    return (
        f'<svg class="donut" viewBox="-70 -70 140 140" role="img" aria-label="{escape(title)}">'
        f'<circle class="ring" r="{_RADIUS}"/>{"".join(arcs)}'
        f'<text class="middle" y="2">{escape(middle)}</text>'
        f'<text class="below" y="20">{escape(below)}</text></svg>'
    )


def columns(bars: Sequence[ChartShare], title: str) -> str:
    """Upright bars with their counts above and their labels below."""
    highest = max((bar.count for bar in bars), default=0) or 1
    width = max(len(bars), _FEWEST) * (_COLUMN + _GAP) - _GAP
    room = _HEIGHT - _LABELS - _ROOM_ABOVE
    drawn = []
    for place, bar in enumerate(bars):
        left, middle = place * (_COLUMN + _GAP), place * (_COLUMN + _GAP) + _COLUMN / 2
        height = max(room * bar.count / highest, 2 if bar.count else 0)
        top = _ROOM_ABOVE + room - height
        drawn.append(
            f"<g><title>{escape(bar.label)}: {bar.count:,}</title>"
            f'<rect class="{bar.colour}" x="{left}" y="{top:.1f}" width="{_COLUMN}"'
            f' height="{height:.1f}" rx="3"/>'
            f'<text class="count" x="{middle}" y="{top - 5:.1f}">{_short(bar.count)}</text>'
            f'<text class="label" x="{middle}" y="{_HEIGHT - 6}">{escape(bar.label)}</text></g>'
        )
    base = _ROOM_ABOVE + room + 0.5
    return (
        f'<svg class="columns" viewBox="-2 0 {width + 4} {_HEIGHT}" role="img"'
        f' aria-label="{escape(title)}">{"".join(drawn)}'
        f'<line class="axis" x1="0" x2="{width}" y1="{base}" y2="{base}"/></svg>'
    )


def legend(shares: Sequence[ChartShare]) -> str:
    """The shares in words: colours must not be the only sign."""
    total = sum(share.count for share in shares) or 1
    rows = [
        f'<tr><td><span class="dot {share.colour}"></span>{escape(share.label)}</td>'
        f"<td>{share.count:,}</td><td>{percent(share.count, total)}</td></tr>"
        for share in shares
        if share.count
    ]
    return f'<table class="legend">{"".join(rows)}</table>'


def bars(shares: Sequence[ChartShare]) -> str:
    """Horizontal bars, each as long as its share of the largest, with label and count."""
    highest = max((share.count for share in shares), default=0) or 1
    rows = [
        f"<tr><td>{escape(share.label)}</td><td>{share.count:,}</td>"
        f"<td>{meter(share.count, highest, share.colour)}</td></tr>"
        for share in shares
    ]
    return f'<table class="bars">{"".join(rows)}</table>'


def meter(value: int, highest: int, colour: str = "accent") -> str:
    """A bar as long as `value` is of `highest`."""
    share = max(100 * value / highest, 1) if value and highest else 0
    return f'<span class="meter"><span class="{colour}" style="width:{share:.1f}%"></span></span>'


def percent(count: int, total: int) -> str:
    """A share in words: never 0 % of anything that exists."""
    share = 100 * count / total
    return f"{share:.0f} %" if share >= 1 or not count else "< 1 %"


def _short(count: int) -> str:
    """12345 as 12.3k: to fit above a column. Nothing if there is no column."""
    if not count:
        return ""
    for unit, name in ((1_000_000, "M"), (1_000, "k")):
        if count >= 10 * unit:
            return f"{count / unit:.3g}{name}"
    return f"{count:,}"
