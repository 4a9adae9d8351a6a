import re
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT, committed_files, text_of

# Put together here, so that this file does not hold what it looks for.
MACHINE_PATHS = tuple(f"/{folder}/" for folder in ("work", "root", "tmp/team"))
PACKAGE_INDEXES = tuple(".".join(name) for name in (("pypi", "org"), ("pythonhosted", "org")))
TEXTS = [(path, text) for path in committed_files() if (text := text_of(path)) is not None]

EXCEPTION = re.compile(
    r"#\s*(noqa|type:\s*ignore)\b(?P<codes>:\s*[A-Z]+\d+(,\s*[A-Z]+\d+)*|\[.+?\])?"
)
REASON = re.compile(r"\s*(-|#|—)\s*\w.{5}")


def offenders(words: tuple[str, ...]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {word}"
        for path, text in TEXTS
        for number, line in enumerate(text.splitlines(), 1)
        for word in words
        if word in line
    ]


def test_no_file_contains_a_path_of_one_machine() -> None:
    assert offenders(MACHINE_PATHS) == []


def test_no_file_names_a_package_index() -> None:
    assert offenders(PACKAGE_INDEXES) == []


def silenced_lines() -> list[tuple[Path, int, str]]:
    return [
        (path.relative_to(ROOT), number, line)
        for path, text in TEXTS
        if path.suffix == ".py" and path != Path(__file__)
        for number, line in enumerate(text.splitlines(), 1)
        if EXCEPTION.search(line)
    ]


def gives_reason(line: str) -> bool:
    """Say whether a line that silences a check names the check and tells why."""
    found = EXCEPTION.search(line)
    return bool(found and found["codes"] and REASON.match(line, found.end()))


def test_every_silenced_check_gives_its_reason() -> None:
    bare = [f"{path}:{n}: {line.strip()}" for path, n, line in silenced_lines()]
    assert [entry for entry in bare if not gives_reason(entry)] == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x = y  # noqa: BLE001 - one bad answer must not end the site", True),
        ("x = y  # noqa: S606  # no shell is wanted", True),
        ("x = y  # type: ignore[arg-type]  # two of its three words", True),
        ("x = y  # noqa: BLE001", False),
        ("x = y  # noqa", False),
        ("x = y  # type: ignore[arg-type]", False),
        ("x = y  # type: ignore  # because of it all", False),
    ],
)
def test_a_reason_is_a_sentence_after_the_code(line: str, expected: bool) -> None:
    assert gives_reason(line) is expected


def test_every_lint_rule_disabled_for_a_folder_gives_its_reason() -> None:
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    rules = re.findall(r'^  "[A-Z]+\d*",.*$', settings, flags=re.MULTILINE)
    assert len(rules) > 1
    assert [rule for rule in rules if "  # " not in rule] == []
