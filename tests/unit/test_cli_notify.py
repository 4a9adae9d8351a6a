"""Mistakes in `gossamer notify` are one sentence each, and leave nothing behind."""

from pathlib import Path

import pytest

from gossamer.cli.main import run_cli


@pytest.mark.parametrize(
    "words",
    [
        ["add", "x", "--when", "ended"],
        ["add", "x", "--when", "nonsense", "--desktop"],
        ["add", "", "--when", "ended", "--desktop"],
        ["add", "x", "--when", "ended", "--email", "a@b.example"],
        ["add", "x", "--when", "ended", "--webhook", "nonsense"],
        ["add", "x", "--when", "ended", "--desktop", "--language", "xx"],
        ["about", "none.gossamer"],
        ["remove", "x"],
    ],
)
def test_mistakes_are_one_sentence(
    words: list[str],
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert run_cli(["notify", *words], lambda _: 0) == 2
    told = capfd.readouterr()
    assert (told.out, len(told.err.splitlines())) == ("", 1)
    assert not list(tmp_path.iterdir())
