"""Scripts of packaging/ do nothing on a command line that they do not know."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
sys.path.append(str(PACKAGING))

from script_arguments import ANY_NUMBER, script_arguments  # noqa: E402 - found only now

USAGE = "What it does.\n\nUsage: python3 packaging/it.py FOLDER [--theme]\n"
FOLDER = range(1, 2)


@pytest.mark.parametrize(
    ("words", "operands", "expected"),
    [
        (["a"], FOLDER, (["a"], set())),
        (["--theme", "a"], FOLDER, (["a"], {"--theme"})),
        (["a", "--theme", "--theme"], FOLDER, (["a"], {"--theme"})),
        ([], ANY_NUMBER, ([], set())),
        (["b", "--theme", "a", "b"], ANY_NUMBER, (["b", "a", "b"], {"--theme"})),
    ],
)
def test_operands_and_options(
    words: list[str], operands: range, expected: tuple[list[str], set[str]]
) -> None:
    assert script_arguments(USAGE, words, operands=operands, options={"--theme"}) == expected


def test_a_script_may_have_no_options() -> None:
    assert script_arguments(USAGE, ["a"], operands=FOLDER) == (["a"], set())


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["a", "b", "--help"], ["--none", "-h"]])
def test_help_is_the_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        script_arguments(USAGE, words, operands=FOLDER)
    assert not ended.value.code
    assert capsys.readouterr() == (USAGE, "")


@pytest.mark.parametrize(
    ("words", "operands", "sentence"),
    [
        (["a", "--them"], FOLDER, "there is no option --them"),
        ([], FOLDER, "0 arguments were given, but 1 are wanted"),
        (["a", "b"], range(2), "2 arguments were given, but 0 to 1 are wanted"),
        (["a"], range(1), "1 arguments were given, but 0 are wanted"),
    ],
)
def test_all_else_is_refused(
    words: list[str], operands: range, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        script_arguments(USAGE, words, operands=operands, options={"--theme"}, name="it.py")
    assert ended.value.code == 2
    assert capsys.readouterr() == ("", f"it.py: {sentence}; --help says how it is used.\n")


@pytest.mark.parametrize(
    ("script", "words", "sentence"),
    [
        ("dev", ["fly"], "there is no verb fly, but run, test, "),
        ("dev", ["check", "--loosely"], "there is no option --loosely"),
        ("dev", ["check", "--fix", "--sanitize"], "not allowed with argument --fix"),
        ("dev", ["setup", "now"], "now is too much"),
        ("release", ["--tag"], "argument --tag: expected one argument"),
        ("release", ["v1.2.0"], "v1.2.0 is too much"),
        ("suite_in_chroot", [], "the following arguments are required: RELEASE"),
        ("suite_in_chroot", ["--frehs", "deb12", "-k", "x"], "there is no option --frehs"),
        ("suite_in_chroot", ["--fresh"], "the following arguments are required: RELEASE"),
    ],
)
def test_scripts_with_options_of_their_own_refuse_what_they_do_not_know(
    script: str, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        import_module(script).main(words)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_words_for_pytest_follow_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    script = import_module("suite_in_chroot")
    given: list[object] = []
    monkeypatch.setattr(script, "remove", lambda folder: given.append(folder.name))
    monkeypatch.setattr(script, "kept_chroot", lambda release, _use: release)
    monkeypatch.setattr(script, "run_tests", lambda *words: given.append(words))
    script.main(["--fresh", "deb13", "tests/unit", "--fresh", "-k", "a"])
    assert given == ["deb13-tests", ("deb13", ["tests/unit", "--fresh", "-k", "a"])]


def test_every_script_reads_its_command_line_so() -> None:
    texts = {path.name: path.read_text("utf-8") for path in PACKAGING.glob("*.py")}
    scripts = {name for name, text in texts.items() if "__main__" in text}
    # Those of trials by way of try_in_each.
    calls = ("script_arguments(", "ScriptParser(", "try_in_each(")
    assert [name for name in sorted(scripts) if not any(c in texts[name] for c in calls)] == []
