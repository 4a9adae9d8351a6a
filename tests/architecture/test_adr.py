"""Each decision has a number of its own, and the number in the title is that of the file."""

import re
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs" / "adr"


def test_each_decision_has_a_number_of_its_own() -> None:
    """Gaps are numbers of work that has not landed yet."""
    numbers = [int(path.name[:4]) for path in FOLDER.glob("*.md")]
    assert len(set(numbers)) == len(numbers)


def test_titles_have_the_number_of_their_file() -> None:
    for path in FOLDER.glob("*.md"):
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        assert re.fullmatch(rf"# {int(path.name[:4])}\. .+", first), path.name
