"""Which shell is started, and what a failure becomes."""

from pathlib import Path

import pytest
from typer.main import get_command

from gossamer.cli.command_parser import whole_application
from gossamer.cli.main import names_target, run_cli
from gossamer.model.errors import BugError, ProjectError, UsageError
from gossamer.session.default_paths import program_log
from tests.cases import each_case


class Window:
    """Stands for the window: remembers on what it was opened."""

    def __init__(self) -> None:
        self.opened: list[str | None] = []

    def __call__(self, target: str | None) -> int:
        self.opened.append(target)
        return 7


def failing_with(error: BaseException) -> Window:
    class Failing(Window):
        def __call__(self, target: str | None) -> int:
            del target
            raise error

    return Failing()


@each_case(
    "target",
    ["https://example.com/", "example.com", "localhost", "localhost:8000", "x.gossamer", "./x"],
)
def test_an_address_or_a_project_opens_the_window(target: str) -> None:
    window = Window()
    assert run_cli([target], window) == 7
    assert window.opened == [target]


def test_no_arguments_open_the_window() -> None:
    window = Window()
    assert run_cli([], window) == 7
    assert window.opened == [None]


def test_commands_and_options_do_not_open_the_window() -> None:
    names = list(getattr(get_command(whole_application()), "commands", {}))
    assert {"crawl", "export"} <= set(names)
    for argument in (*names, "crwal", "--help", "--export=pages=x.csv", "-q"):
        assert not names_target(argument)


def test_the_window_takes_no_options(capsys: pytest.CaptureFixture[str]) -> None:
    window = Window()
    assert run_cli(["example.com", "--workers", "3"], window) == 2
    assert window.opened == []
    assert "gossamer crawl" in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(["--version"], Window()) == 0
    assert capsys.readouterr().out.startswith("Gossamer ")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("Type this."), 2),
        (ProjectError("Open that."), 4),
        (ExceptionGroup("two tasks", [ValueError("x"), ProjectError("Open that.")]), 4),
    ],
)
def test_known_errors_are_one_sentence_with_their_code(
    error: Exception, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_cli([], failing_with(error)) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err in {"gossamer: Type this.\n", "gossamer: Open that.\n"}


def test_an_interrupt_has_its_code_and_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli([], failing_with(KeyboardInterrupt())) == 130
    assert capsys.readouterr().err == "gossamer: Interrupted.\n"


def test_a_bug_is_one_sentence_and_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli([], failing_with(BugError("a promise\nwas broken"))) == 1
    (line,) = capsys.readouterr().err.splitlines()
    log = program_log()
    assert "BugError: a promise\ufffdwas broken" in line
    assert line.endswith(f"the details are in {log}.")
    assert "Traceback" in log.read_text(encoding="utf-8")


def test_a_bug_that_cannot_be_logged_prints_its_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "file"))
    assert run_cli([], failing_with(BugError("broken"))) == 1
    said = capsys.readouterr().err
    assert said.startswith("gossamer: ")
    assert "Traceback" in said
