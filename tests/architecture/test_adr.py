"""Decisions are numbered one by one, and the number in the title is that of the file."""

import re
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs" / "adr"


def test_decisions_are_numbered_without_gaps_and_once() -> None:
    names = sorted(path.name for path in FOLDER.glob("*.md"))
    assert [name[:4] for name in names] == [f"{n:04}" for n in range(1, len(names) + 1)]


def test_titles_have_the_number_of_their_file() -> None:
    for path in FOLDER.glob("*.md"):
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        assert re.fullmatch(rf"# {int(path.name[:4])}\. .+", first), path.name
