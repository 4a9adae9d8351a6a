"""Scripts of packaging/ do nothing on a command line that they do not know."""

import sys
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
sys.path.append(str(PACKAGING))

from script_arguments import ANY_NUMBER, script_arguments  # noqa: E402 - found only now

USAGE = "What it does.\n\nUsage: python3 packaging/it.py FOLDER [--theme]\n"
FOLDER = range(1, 2)
READ_THEIR_OWN = {"dev.py", "release.py", "suite_in_chroot.py"}
"""What they begin with is a verb, an option with a value, or a release before pytest's words."""


@pytest.mark.parametrize(
    ("words", "operands", "expected"),
    [
        (["a"], FOLDER, (["a"], set())),
        (["--theme", "a"], FOLDER, (["a"], {"--theme"})),
        (["a", "--theme", "--theme"], FOLDER, (["a"], {"--theme"})),
        ([], ANY_NUMBER, ([], set())),
        (["b", "a", "b"], ANY_NUMBER, (["b", "a", "b"], set())),
    ],
)
def test_operands_and_options(
    words: list[str], operands: range, expected: tuple[list[str], set[str]]
) -> None:
    assert script_arguments(USAGE, words, operands=operands, options={"--theme"}) == expected


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["a", "b", "--help"], ["--none", "-h"]])
def test_help_is_the_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        script_arguments(USAGE, words, operands=FOLDER)
    assert not ended.value.code
    assert capsys.readouterr() == (USAGE, "")


@pytest.mark.parametrize(
    ("words", "operands", "sentence"),
    [
        (["a", "--them"], FOLDER, "there is no option --them."),
        ([], FOLDER, "0 arguments were given, but 1 are wanted."),
        (["a", "b"], range(2), "2 arguments were given, but 0 to 1 are wanted."),
        (["a"], range(1), "1 arguments were given, but 0 are wanted."),
    ],
)
def test_all_else_is_refused(
    words: list[str], operands: range, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        script_arguments(USAGE, words, operands=operands)
    assert ended.value.code == 2
    assert capsys.readouterr() == ("", f"{sentence}\n\n{USAGE}")


def test_every_script_reads_its_command_line_so() -> None:
    texts = {path.name: path.read_text("utf-8") for path in PACKAGING.glob("*.py")}
    scripts = {name for name, text in texts.items() if "__main__" in text} - READ_THEIR_OWN
    # Those of trials by way of try_in_each.
    calls = ("script_arguments(", "try_in_each(")
    assert [name for name in sorted(scripts) if not any(c in texts[name] for c in calls)] == []
