"""The report of a crawl, and what `info` tells of a project."""

import json
import re
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from gossamer.audit.over_budget_report import TrapReport
from gossamer.cli.crawl_summary import SummaryNotes, as_json, report_object, report_text
from gossamer.cli.info_command import info_object, info_text
from gossamer.cli.project_survey import ProjectSurvey
from gossamer.model.crawl_progress import progress_of
from gossamer.model.crawl_state import CrawlState
from gossamer.model.fields.derived_rendering_fields import RenderReasonWord, RenderStatus
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import DetailCode
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import ProjectSummary
from tests.architecture.checkout import ROOT

DOCUMENT = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
PROJECT = Path("some") / "x.gossamer"
SETTINGS = CrawlSettings(
    roots=("EXAMPLE.com", "https://example.com/#top"), headers=(("Authorization", "hunter2"),)
)
SUMMARY = ProjectSummary(
    settings=SETTINGS,
    state=CrawlState.RUNNING,
    seconds=4.0,
    last_id=21,
    received_bytes=3_400_000,
    statuses={404: 2, 200: 12, 799: 1},
    outcomes={
        Outcome.PENDING: 3,
        Outcome.PAGE: 10,
        Outcome.FILE: 2,
        Outcome.CLIENT_ERROR: 2,
        Outcome.UNEXPECTED_STATUS: 1,
        Outcome.DNS_FAILURE: 1,
        Outcome.EXCLUDED: 1234,
    },
    created_at=1_000_000_000.0,
)
PROGRESS = progress_of(SUMMARY)


TRAPPED = TrapReport(
    1234, {DetailCode.TRAP_PATTERN(pattern="http://a.test/c?"): "http://a.test/c?m=9\x1b[2J"}
)
REMARKS = SummaryNotes(TRAPPED, {ResponseWarning.LENGTH_TWICE: 1200, ResponseWarning.SIZE_LIMIT: 2})


def test_warnings_are_counted_by_what_they_warn_of() -> None:
    told = report_object(PROGRESS, SETTINGS, PROJECT, REMARKS)["warnings"]
    assert told == {"duplicate-content-length": 1200, "size-limit": 2}
    for text in (
        report_text(PROGRESS, SETTINGS, PROJECT, REMARKS),
        info_text(ProjectSurvey(PROJECT, SUMMARY, PROGRESS, None, REMARKS)),
    ):
        assert counted(text, "Duplicate Content-Length") == "1,200"
        assert counted(text, "Cut at the size limit") == "2"
    assert "Warnings" not in report()


def test_pages_that_wait_for_a_login_are_no_errors() -> None:
    outcomes = {Outcome.PAGE: 1, Outcome.LOGIN_REQUIRED: 7}
    progress = progress_of(replace(SUMMARY, outcomes=outcomes))
    text = report_text(progress, SETTINGS, PROJECT)
    section = text.partition("Waiting for a login\n")[2].splitlines()[0]
    assert section.startswith("  The server asked for the login again")
    assert section.endswith(" 7")
    assert "Errors" not in text
    assert progress.errors == 0


def test_report_counts_urls_over_the_trap_limit_and_names_one() -> None:
    assert report_object(PROGRESS, SETTINGS, PROJECT)["trap_limit"] is None
    assert report_object(PROGRESS, SETTINGS, PROJECT, REMARKS)["trap_limit"] == {
        "limit": SETTINGS.max_similar,
        "urls": 1234,
        "examples": ["http://a.test/c?m=9\x1b[2J"],
    }
    for text in (
        report_text(PROGRESS, SETTINGS, PROJECT, REMARKS),
        info_text(ProjectSurvey(PROJECT, SUMMARY, PROGRESS, None, REMARKS)),
    ):
        (line,) = [line for line in text.splitlines() if "trap limit" in line]
        assert line.startswith("The trap limit skipped 1,234 URLs")
        assert line.endswith("such as http://a.test/c?m=9�[2J")
    assert "trap limit" not in report()


def test_report_tells_how_many_pages_were_rendered_and_why() -> None:
    selected = SummaryNotes(
        rendering={
            RenderStatus.NOT_NEEDED: 1328,
            RenderStatus.RENDERED: 10,
            RenderStatus.TIMED_OUT: 1,
            RenderStatus.CRASHED: 2,
        },
        rendered_for={RenderReasonWord.SAMPLE: 8, RenderReasonWord.NEEDS_SCRIPTS: 5},
        web_sockets=3,
        rendered_sections={f"https://a.test/{n}/": 1000 - n for n in range(7)},
    )
    folders = (
        "Folders whose sample differs: https://a.test/0/ (1,000), https://a.test/1/ (999),"
        " https://a.test/2/ (998), https://a.test/3/ (997), https://a.test/4/ (996), and 2 more."
    )
    assert folders in report_text(PROGRESS, SETTINGS, PROJECT, selected).splitlines()
    assert (
        folders in info_text(ProjectSurvey(PROJECT, SUMMARY, PROGRESS, None, selected)).splitlines()
    )
    line = "Rendered 11 of 1,341 pages: 8 as a sample, 5 needing scripts, 2 crashed."
    assert line in report_text(PROGRESS, SETTINGS, PROJECT, selected).splitlines()
    assert line in info_text(ProjectSurvey(PROJECT, SUMMARY, PROGRESS, None, selected)).splitlines()
    sockets = "Pages that try to open a WebSocket, which crawlers do not open: 3."
    assert sockets in report_text(PROGRESS, SETTINGS, PROJECT, selected).splitlines()
    told = report_object(PROGRESS, SETTINGS, PROJECT, selected)
    assert told["rendering"] == {"Not needed": 1328, "Rendered": 10, "Timed out": 1, "Crashed": 2}
    assert told["rendered_because"] == {"Sample": 8, "Needs scripts": 5}
    assert told["rendered_sections"] == selected.rendered_sections
    every = SummaryNotes(
        rendering={RenderStatus.RENDERED: 9}, rendered_for={RenderReasonWord.ALWAYS: 9}
    )
    assert "Rendered 9 of 9 pages." in report_text(PROGRESS, SETTINGS, PROJECT, every)
    assert "Rendered" not in report()


def documented_keys(text: str) -> list[str]:
    return re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE)


def json_section() -> tuple[str, str]:
    section = DOCUMENT.partition("\n## The JSON report\n")[2].partition("\n## ")[0]
    report, _, info = section.partition("`gossamer info --json`")
    return report, info


def report(progress: Progress = PROGRESS) -> str:
    return report_text(progress, SETTINGS, PROJECT)


def counted(text: str, label: str) -> str:
    """The value of the one line with that label."""
    (line,) = (line for line in text.splitlines() if line.startswith(f"  {label}  "))
    return line.removeprefix(f"  {label}").strip()


def test_json_report_has_exactly_the_documented_keys() -> None:
    keys = list(report_object(PROGRESS, SETTINGS, PROJECT))
    assert keys == documented_keys(json_section()[0])


def test_json_of_info_has_exactly_the_documented_keys() -> None:
    report_part, info_part = json_section()
    keys = list(info_object(ProjectSurvey(PROJECT, SUMMARY, PROGRESS)))
    assert keys == documented_keys(report_part) + documented_keys(info_part)


def test_values_of_the_json_report() -> None:
    assert report_object(PROGRESS, SETTINGS, PROJECT) == {
        "state": "paused",
        "roots": ["https://example.com/"],
        "root_count": 1,
        "seconds": 4.0,
        "known": 1253,
        "fetched": 16,
        "pages": 10,
        "redirects": 0,
        "errors": 4,
        "skipped": 1234,
        "bytes": 3_400_000,
        "pages_per_second": 2.5,
        "insecure_hosts": [],
        "warnings": {},
        "rendering": {},
        "rendered_because": {},
        "rendered_sections": {},
        "since_last_crawl": None,
        "trap_limit": None,
        "project": str(PROJECT.absolute()),
    }


def test_json_is_one_line_without_control_characters() -> None:
    written = as_json({"project": "x\x1b[2J\nü\udcff.gossamer"})
    assert written.isascii()
    assert written.endswith("}\n")
    assert written[:-1].isprintable()
    assert json.loads(written) == {"project": "x\x1b[2J\nü\udcff.gossamer"}


def test_statuses_are_counted_with_their_names() -> None:
    text = report()
    assert counted(text, "200 OK") == "12"
    assert counted(text, "404 Not Found") == "2"
    assert counted(text, "799") == "1"


def test_failures_and_what_was_left_out_are_counted_by_kind() -> None:
    text = report()
    failures = text.partition("Errors\n")[2].partition("\n\n")[0]
    assert counted(failures, Outcome.CLIENT_ERROR.sentence) == "2"
    assert counted(failures, Outcome.DNS_FAILURE.sentence) == "1"
    left_out = text.partition("Left out\n")[2].partition("\n\n")[0]
    assert counted(left_out, Outcome.EXCLUDED.sentence) == "1,234"
    assert len(left_out.splitlines()) == 1


def test_totals_of_the_report() -> None:
    text = report()
    assert counted(text, "known") == "1,253"
    assert counted(text, "done") == "16"
    assert counted(text, "to do") == "3"
    assert counted(text, "errors") == "4"
    assert counted(text, "received") == "3.2 MiB"
    assert counted(text, "time") == "4.0 s"
    assert counted(text, "pages per second") == "2.5"


def test_numbers_are_aligned_to_the_right() -> None:
    lengths = {len(line) for line in report().splitlines() if line.startswith("  ")}
    assert len(lengths) == 1


def test_a_crawl_that_found_nothing_has_totals_alone() -> None:
    text = report(Progress(state=CrawlState.NEW))
    assert "HTTP status" not in text
    assert counted(text, "pages per second") == "0.0"


def test_escape_sequences_in_names_are_not_printed() -> None:
    project = Path("x\x1b]0;owned\x07\x9b2J.gossamer")
    shown = report_text(PROGRESS, SETTINGS, project) + info_text(
        ProjectSurvey(project, SUMMARY, PROGRESS)
    )
    assert all(line.isprintable() for line in shown.splitlines())


def test_info_lists_every_setting() -> None:
    text = info_text(ProjectSurvey(PROJECT, SUMMARY, PROGRESS))
    for name in CrawlSettings.__struct_fields__:
        assert f"\n  {name} " in text
    assert counted_setting(text, "headers") == "Authorization"
    assert "hunter2" not in text
    assert counted_setting(text, "max_depth") == "none"
    assert counted_setting(text, "obey_robots") == "on"
    assert "Created: 2001-09-09T01:46:40+00:00\n" in text
    assert "State:   paused\n" in text


def counted_setting(text: str, name: str) -> str:
    found = re.search(rf"^  {name} +(.+)$", text, flags=re.MULTILINE)
    assert found
    return found[1]


def test_info_as_json_names_outcomes_and_settings() -> None:
    told: dict[str, Any] = json.loads(
        as_json(info_object(ProjectSurvey(PROJECT, SUMMARY, PROGRESS)))
    )
    assert told["to_do"] == 3
    assert told["statuses"] == {"200": 12, "404": 2, "799": 1}
    assert told["outcomes"]["excluded"] == 1234
    assert told["settings"]["workers"] == 10
