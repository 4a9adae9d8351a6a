"""Draws lines and points into an SVG that is readable on light and on dark pages."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

WIDTH, HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 170, 46, 54
_STYLE: Final = """
text { font: 14px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 16px }
.page { fill: #ffffff } .grid { stroke: #d0d7de } path { fill: none; stroke-width: 2 }
.c0 { stroke: #0a58ca; fill: #0a58ca } .c1 { stroke: #b35900; fill: #b35900 }
.c2 { stroke: #1a7f37; fill: #1a7f37 } .c3 { stroke: #8250df; fill: #8250df }
path.c0, path.c1, path.c2, path.c3 { fill: none } .dashed { stroke-dasharray: 6 4 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .page { fill: #161b22 } .grid { stroke: #3d444d }
.c0 { stroke: #6cb6ff; fill: #6cb6ff } .c1 { stroke: #f0a35e; fill: #f0a35e }
.c2 { stroke: #57ab5a; fill: #57ab5a } .c3 { stroke: #b083f0; fill: #b083f0 } }
"""


@dataclass(frozen=True, slots=True)
class Axis:
    """What is along an edge, and where its marks are; the first and the last are its ends."""

    name: str
    marks: Sequence[float]
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """From 0 at the first mark to 1 at the last."""
        scale: Callable[[float], float] = math.log10 if self.logarithmic else float
        first, last = scale(self.marks[0]), scale(self.marks[-1])
        return (scale(value) - first) / (last - first)


@dataclass(frozen=True, slots=True)
class Curve:
    """What is drawn of one thing: a line, or points alone.

    `color` is from 0 to 3. Without a name, the legend leaves it out.
    """

    name: str
    color: int
    values: Sequence[tuple[float, float]]
    points: bool = False
    dashed: bool = False


def chart(title: str, description: str, axes: tuple[Axis, Axis], curves: Sequence[Curve]) -> str:
    """The SVG. What it shows is also said in words, for those who do not see it."""
    across, up = axes
    named = [curve for curve in curves if curve.name]
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="title description"'
    turned = f"translate(18 {(_TOP + HEIGHT - _BOTTOM) / 2}) rotate(-90)"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box}>',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="description">{escape(description)}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="page" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
        f'<text class="title" x="{_LEFT}" y="28">{escape(title)}</text>',
        *(_mark(_x(across, mark), mark, upright=True) for mark in across.marks),
        *(_mark(_y(up, mark), mark, upright=False) for mark in up.marks),
        _text((_LEFT + WIDTH - _RIGHT) / 2, HEIGHT - 12, across.name, "middle"),
        f'<text transform="{turned}" text-anchor="middle">{escape(up.name)}</text>',
        *(_curve(curve, axes) for curve in curves),
        *(_entry(place, curve) for place, curve in enumerate(named)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _x(axis: Axis, value: float) -> float:
    return _LEFT + axis.place(value) * (WIDTH - _LEFT - _RIGHT)


def _y(axis: Axis, value: float) -> float:
    return HEIGHT - _BOTTOM - axis.place(value) * (HEIGHT - _TOP - _BOTTOM)


def _mark(at: float, value: float, *, upright: bool) -> str:
    text = f"{value:,.0f}"
    if upright:
        line = f'x1="{at:.1f}" x2="{at:.1f}" y1="{_TOP}" y2="{HEIGHT - _BOTTOM}"'
        return f'<line class="grid" {line}/>{_text(at, HEIGHT - _BOTTOM + 20, text, "middle")}'
    line = f'x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{at:.1f}" y2="{at:.1f}"'
    return f'<line class="grid" {line}/>{_text(_LEFT - 8, at + 5, text, "end")}'


def _curve(curve: Curve, axes: tuple[Axis, Axis]) -> str:
    places = [(_x(axes[0], x), _y(axes[1], y)) for x, y in curve.values]
    if curve.points:
        return "".join(
            f'<circle class="c{curve.color}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>' for x, y in places
        )
    path = " L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return f'<path class="c{curve.color}{" dashed" * curve.dashed}" d="M{path}"/>'


def _entry(place: int, curve: Curve) -> str:
    """A line of the legend."""
    x, y = WIDTH - _RIGHT + 14, _TOP + 12 + 24 * place
    if curve.points:
        drawn = f'<circle class="c{curve.color}" cx="{x + 12}" cy="{y - 5}" r="4"/>'
    else:
        kind = f"c{curve.color}{' dashed' * curve.dashed}"
        drawn = f'<path class="{kind}" d="M{x} {y - 5} L{x + 24} {y - 5}"/>'
    return drawn + _text(x + 30, y, curve.name, "start")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
