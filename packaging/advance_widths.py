"""The advance widths of a sans serif font in model/advance_widths.py, from the font.

The font is Liberation Sans, which has the widths of Arial (Debian: fonts-liberation2).

Usage: .venv/bin/python packaging/advance_widths.py FONT    needs the package fonttools
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from script_arguments import script_arguments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

REPO: Final = Path(__file__).resolve().parent.parent
MODULE: Final = REPO / "app" / "gossamer" / "model" / "advance_widths.py"
_BLOCKS: Final = (
    *((0x20, 0x7E), (0xA0, 0x24F), (0x2B0, 0x52F), (0x5D0, 0x5F4)),
    *((0x1E00, 0x1EFF), (0x2000, 0x22FF)),
)
"""Latin, Greek, Cyrillic, Hebrew, punctuation, currencies, arrows, mathematical operators."""
_LINE: Final = 84
_HEAD: Final = '''"""Advance widths of the characters of {name}, which are those of Arial.

Made by packaging/advance_widths.py from {name}, {version} (SIL Open Font License
1.1): figures alone.
"""

from typing import Final

UNITS_PER_EM: Final = {units}

'''


def module(font: Any) -> str:  # noqa: ANN401 - fontTools is there only where this is run
    """The source of the table for a `fontTools.ttLib.TTFont`."""
    glyphs, metrics = font.getBestCmap(), font["hmtx"]
    widths = {
        code: metrics[glyphs[code]][0]
        for first, last in _BLOCKS
        for code in range(first, last + 1)
        if code in glyphs
    }
    names = font["name"]
    head = _HEAD.format(
        name=names.getDebugName(4),
        version=names.getDebugName(5).lower(),
        units=font["head"].unitsPerEm,
    )
    rows = "".join(f"    {width}: (\n{text}    ),\n" for width, text in _rows(widths))
    return (
        f"{head}RANGES: Final[dict[int, str]] = {{\n{rows}}}\n"
        '"""By width, the code points that have it, in hexadecimal: alone, or first and last."""\n'
    )


def _rows(widths: Mapping[int, int]) -> Iterator[tuple[int, str]]:
    for width in sorted(set(widths.values())):
        line, lines = "", []
        for span in _spans([code for code, own in widths.items() if own == width]):
            if len(line) + len(span) > _LINE:
                lines.append(line)
                line = ""
            line += f"{span} "
        lines.append(line.rstrip())
        yield width, "".join(f'        "{line}"\n' for line in lines)


def _spans(codes: list[int]) -> Iterator[str]:
    first = last = codes[0]
    for code in [*codes[1:], -1]:
        if code != last + 1:
            yield f"{first:x}" if first == last else f"{first:x}-{last:x}"
            first = code
        last = code


if __name__ == "__main__":
    (font,), _ = script_arguments(__doc__, operands=range(1, 2))
    MODULE.write_text(module(importlib.import_module("fontTools.ttLib").TTFont(font)))
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", MODULE], check=True)
