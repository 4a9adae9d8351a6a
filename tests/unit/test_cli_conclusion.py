"""What is said and returned when a run has ended, by what the project holds."""

import json
import sys
from pathlib import Path

import pytest
from msgspec import structs

from gossamer.cli import EXIT_NO_ROOT
from gossamer.cli.crawl_command import announce, conclude
from gossamer.cli.foreground_crawl import RunResult
from gossamer.cli.parsed_commands import OutputOptions
from gossamer.cli.suggested_commands import resume_command
from gossamer.model.axe_rules import AccessibilityLevel
from gossamer.model.cluster_address import ClusterChoice
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.messages.crawl_messages import Trouble
from gossamer.model.outcome import Outcome
from gossamer.model.settings.built_in_profiles import CHANGES, Profile
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.model.translatable import Translatable
from gossamer.session.default_paths import log_path
from gossamer.session.session_factory import SessionFactory
from gossamer.store.project import create
from gossamer.store.writing.writer import Writer

AGAIN = "gossamer resume x.gossamer"


def project(folder: Path, *outcomes: Outcome) -> Path:
    """A finished crawl with a root of each outcome."""
    path = folder / "x.gossamer"
    create(path, CrawlSettings(roots=("a.test",)))
    rows = [
        UrlRow(number, f"https://a.test/{number}", Rank(0), outcome)
        for number, outcome in enumerate(outcomes, 1)
    ]
    with Writer(path) as writer:
        writer.commit(StoreBatch(new=rows, state=CrawlState.FINISHED, seconds=2.0))
    return path


def test_a_finished_crawl_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project(tmp_path, Outcome.PAGE)
    assert conclude(path, RunResult(), (), OutputOptions(), AGAIN) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Crawl of https://a.test/: finished\n")
    assert said.err == ""


def test_report_names_the_trap_limit_and_the_command_that_raises_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project(tmp_path, Outcome.PAGE, Outcome.OVER_BUDGET, Outcome.OVER_BUDGET)
    assert conclude(path, RunResult(), (), OutputOptions(json=True), AGAIN) == 0
    said = capsys.readouterr()
    trap_limit = {"limit": 1000, "urls": 2, "examples": ["https://a.test/2"]}
    assert json.loads(said.out)["trap_limit"] == trap_limit
    first, second, *_ = said.err.splitlines()
    assert first.startswith("gossamer: The trap limit skipped 2 URLs")
    assert second == f"gossamer: To fetch more of them: {resume_command(path)} --max-similar 2000"


@pytest.mark.parametrize(
    ("changes", "chosen", "said"),
    [
        (
            {"screenshots": True, "accessibility": AccessibilityLevel.AA},
            "",
            "--screenshots and --accessibility have no effect without --render auto or on.",
        ),
        ({}, "device", "--device has no effect without --render auto or on."),
        ({"external_rate": 3.0}, "", "--external-rate has no effect without --check-external."),
        (
            {"ignored_grammar_rules": ("EN_A_VS_AN",)},
            "",
            "--ignore-grammar-rule has no effect without --languagetool URL.",
        ),
        (CHANGES[Profile.POLITE], "", ""),
        (
            {"render": RenderMode.AUTO, "screenshots": True, "browser": sys.executable},
            "browser",
            "",
        ),
        ({"browser": sys.executable}, "", ""),
    ],
)
def test_options_are_announced_that_do_nothing_without_another(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changes: dict[str, object],
    chosen: str,
    said: str,
) -> None:
    path = tmp_path / "x.gossamer"
    create(path, structs.replace(CrawlSettings(roots=("a.test",)), **changes))
    announce(SessionFactory().open(path), OutputOptions(quiet=True), frozenset(chosen.split()))
    assert capsys.readouterr().err == (f"gossamer: {said}\n" if said else "")


def test_risky_settings_of_a_project_are_announced_before_the_first_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.gossamer"
    settings = CrawlSettings(
        roots=("a.test",), proxy="http://p.test:3128", insecure_hosts=("a.test:443",)
    )
    create(path, settings)
    announce(SessionFactory().open(path), OutputOptions(quiet=True))
    assert capsys.readouterr().err.splitlines() == [
        "This crawl does not check the certificates of a.test.",
        "This crawl sends all requests through the proxy http://p.test:3128.",
    ]
    announce(SessionFactory().open(path), OutputOptions(quiet=True), frozenset({"proxy"}))
    assert "proxy" not in capsys.readouterr().err, "who typed it knows"
    conclude(path, RunResult(), (), OutputOptions(), AGAIN)
    report = capsys.readouterr().out
    assert report.splitlines()[1] == "This crawl does not check the certificates of a.test."


def test_a_root_with_a_bad_certificate_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project(tmp_path, Outcome.BAD_CERTIFICATE)
    assert conclude(path, RunResult(), (), OutputOptions(), AGAIN) == EXIT_NO_ROOT
    assert capsys.readouterr().err == (
        "gossamer: https://a.test/1: The server's certificate is not valid. To crawl it"
        " anyway, resume with --insecure a.test.\n"
    )


def test_a_root_without_https_says_how_to_crawl_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project(tmp_path, Outcome.NOT_HTTPS)
    assert conclude(path, RunResult(), (), OutputOptions(), AGAIN) == EXIT_NO_ROOT
    assert capsys.readouterr().err == (
        "gossamer: https://a.test/1: The server does not speak HTTPS on this port. To crawl it"
        " without HTTPS, start the URL with http://.\n"
    )


def test_an_interrupted_crawl_is_reported_and_can_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project(tmp_path, Outcome.EXCLUDED)
    assert conclude(path, RunResult(interrupted=True), (), OutputOptions(json=True), AGAIN) == 130
    said = capsys.readouterr()
    assert json.loads(said.out)["skipped"] == 1
    assert said.err == f"gossamer: Interrupted; resume with: {AGAIN}\n"


def test_a_crawl_ended_by_a_second_interrupt_prints_no_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project(tmp_path, Outcome.PAGE)
    ending = RunResult(interrupted=True, forced=True)
    assert conclude(path, ending, (), OutputOptions(), AGAIN) == 130
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"gossamer: Quit at once; resume with: {AGAIN}\n")


def test_a_crawl_that_cannot_go_on_names_its_log_and_the_command_to_resume(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project(tmp_path, Outcome.PAGE)
    log_path(path).touch()
    ending = RunResult(trouble=Trouble(Translatable("The disk is full; free some space."), 4))
    assert conclude(path, ending, (), OutputOptions(), AGAIN) == 4
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        "gossamer: The disk is full; free some space.",
        f"gossamer: See the log: {log_path(path)}",
        f"gossamer: Resume with: {AGAIN}",
    ]


def test_the_log_is_named_after_errors_of_gossamer_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project(tmp_path, Outcome.PAGE, Outcome.UNEXPECTED_ERROR)
    log_path(path).touch()
    assert conclude(path, RunResult(), (), OutputOptions(), AGAIN) == 0
    assert f"gossamer: See the log: {log_path(path)}\n" in capsys.readouterr().err


def test_a_crawl_without_a_fetched_root_has_its_own_exit_code(tmp_path: Path) -> None:
    path = project(tmp_path, Outcome.BLOCKED_BY_ROBOTS, Outcome.EXCLUDED)
    assert conclude(path, RunResult(), (), OutputOptions(quiet=True), AGAIN) == 3


def test_the_resume_command_is_quoted_for_the_shell() -> None:
    assert resume_command(Path("my crawl.gossamer")) in {
        "gossamer resume 'my crawl.gossamer'",
        'gossamer resume "my crawl.gossamer"',
    }


def test_the_resume_command_names_the_cluster_which_no_project_does() -> None:
    path = Path("a.gossamer")
    local = ClusterChoice("local:2")
    assert resume_command(path, local) == "gossamer resume a.gossamer --cluster local:2"
    open_to_all = ClusterChoice("tcp://10.0.0.5:8786", is_insecure=True)
    assert resume_command(Path("a.shards"), open_to_all, on_nodes=True) == (
        "gossamer resume a.shards --cluster tcp://10.0.0.5:8786 --insecure-cluster"
        " --shards-on-nodes"
    )
    filled_in = resume_command(path, login_values="my values.txt")
    assert filled_in.startswith("gossamer resume a.gossamer --login-values ")
