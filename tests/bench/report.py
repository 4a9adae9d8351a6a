"""What a benchmark says: a table for people, JSON for programs."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.machine import Machine
from tests.bench.series import PRODUCT, Series, ratios

FOLDER = Path(__file__).resolve().parents[2] / ".bench"
HEADINGS = ("what", "who", "median", "unit", "lowest", "highest", "ratio", "target")
_LEFT = frozenset({0, 1, 3, 7})


@dataclass(frozen=True, slots=True)
class Findings:
    """The result of one benchmark. `warnings` are what makes its figures doubtful."""

    benchmark: str
    series: Sequence[Series]
    warnings: Sequence[str] = field(default=())
    notes: Sequence[str] = field(default=())


def say(line: str = "") -> None:
    """Tell the user how it goes, apart from the result."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def table(findings: Findings) -> str:
    """The result in columns.

    A contestant's ratio is the product's value divided by its own, round by round.
    """
    compared = ratios(findings.series)
    rows = [HEADINGS, *(_row(one, compared.get((one.what, one.who))) for one in findings.series)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADINGS))]
    lines = [
        "  ".join(
            cell.ljust(width) if i in _LEFT else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    lines.insert(1, "-" * max(map(len, lines)))
    lines += [f"! {warning}" for warning in findings.warnings]
    lines += [f"  {note}" for note in findings.notes]
    return "\n".join(lines) + "\n"


def as_json(findings: Findings, machine: Machine, at: datetime) -> str:
    """The result with all values of all rounds, and the machine."""
    compared = ratios(findings.series)
    content = {
        "benchmark": findings.benchmark,
        "at": at.isoformat(timespec="seconds"),
        "machine": asdict(machine),
        "product": PRODUCT,
        "series": [
            {
                **asdict(one),
                "median": one.median,
                "ratio": compared.get((one.what, one.who)),
            }
            for one in findings.series
        ],
        "warnings": list(findings.warnings),
        "notes": list(findings.notes),
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def publish(findings: Findings, machine: Machine, folder: Path = FOLDER) -> Path:
    """Print the table to standard output, write the JSON into `folder`, and return its path."""
    at = datetime.now(UTC)
    folder.mkdir(exist_ok=True)
    path = folder / f"{findings.benchmark}-{at:%Y%m%d-%H%M%S}.json"
    path.write_text(as_json(findings, machine, at), encoding="utf-8")
    sys.stdout.write(f"\n{findings.benchmark}, {at:%Y-%m-%d}, {machine}\n\n{table(findings)}")
    sys.stdout.write(f"\nwritten to {path}\n")
    sys.stdout.flush()
    return path


def number(value: float) -> str:
    """A value with three or more digits that mean something: 1,912 or 0.84."""
    size = abs(value)
    if size >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if size >= 10 else f"{value:.3g}"


def _row(one: Series, compared: float | None) -> tuple[str, ...]:
    return (
        one.what,
        one.who,
        number(one.median),
        one.unit,
        number(min(one.values)),
        number(max(one.values)),
        "" if compared is None else f"{compared:.2f}",
        one.target,
    )
