"""Exports from the command line: written one after the other, until an interrupt."""

import io
import signal
import sys
from pathlib import Path

import pytest
from msgspec import structs

from gossamer.cli.export_command import wanted_exports, write_exports
from gossamer.cli.root_failures import check_roots
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import ExportRequest
from gossamer.export.link_sheets import LINKS
from gossamer.export.url_views import PAGES
from gossamer.model.discovery_rank import Rank
from gossamer.model.errors import OutputError, UsageError
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.store.project import create
from gossamer.store.reading.reader import Reader
from gossamer.store.writing.writer import Writer
from tests.fakes.crawled import Crawled


@pytest.fixture
def project(tmp_path: Path) -> Path:
    with Crawled(tmp_path / "x.gossamer") as crawled:
        crawled.page("/", "/a")
        crawled.page("/a")
    return tmp_path / "x.gossamer"


SETTINGS = CrawlSettings(roots=("https://a.test/",))


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.startswith("x.gossamer")}


def test_an_export_option_names_a_view_and_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    wanted = wanted_exports(["pages=~/a=b.csv", f"links={tmp_path / 'l.CSV'}"], None, SETTINGS)
    assert wanted == [
        ExportRequest(ExportSelection(PAGES), tmp_path / "a=b.csv"),
        ExportRequest(ExportSelection(LINKS), tmp_path / "l.CSV"),
    ]


def test_the_number_of_rows_and_the_file_are_reported(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = project.with_name("p.csv")
    assert write_exports(project, [ExportRequest(ExportSelection(PAGES), out)], quiet=False) == 0
    assert capsys.readouterr().err == f"Saved 2 rows to {out}.\n"
    assert out.exists()


class Terminal(io.StringIO):
    """Standard error that leads to a terminal, and interrupts when an export is told done."""

    def __init__(self, number: signal.Signals | None = None) -> None:
        super().__init__()
        self._number = number

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self._number is not None and "Saved" in text:
            signal.raise_signal(self._number)
        return super().write(text)


def test_progress_is_gone_at_the_end(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    out = project.with_name("p.csv")
    write_exports(project, [ExportRequest(ExportSelection(PAGES), out)], quiet=False)
    assert terminal.getvalue().splitlines()[-1].endswith(f"Saved 2 rows to {out}.")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_cancels_and_leaves_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    terminal = Terminal(number)
    monkeypatch.setattr(sys, "stderr", terminal)
    first, second = project.with_name("1.csv"), project.with_name("2.csv")
    second.write_text("from before")
    wanted = [ExportRequest(ExportSelection(PAGES), out) for out in (first, second)]
    assert write_exports(project, wanted, quiet=False) == 130
    assert names(project.parent) == {"1.csv", "2.csv"}
    assert second.read_text() == "from before"
    assert f"The export was cancelled; {second} was not written." in terminal.getvalue()


def test_an_export_does_not_replace_its_project(tmp_path: Path) -> None:
    project = tmp_path / "project.csv"
    create(project, CrawlSettings(roots=("a.test",)))
    with pytest.raises(OutputError, match="is the project itself"):
        wanted_exports([f"pages={project}"], project, SETTINGS)


def with_roots(project: Path, *outcomes: Outcome) -> Path:
    """A project with a root of each outcome."""
    create(project, CrawlSettings(roots=("a.test",)))
    rows = [
        UrlRow(number, f"https://a.test/{number}", Rank(0), outcome)
        for number, outcome in enumerate(outcomes, 1)
    ]
    with Writer(project) as writer:
        writer.commit(StoreBatch(new=rows))
    return project


def test_roots_that_may_still_be_fetched_are_no_failure(tmp_path: Path) -> None:
    path = with_roots(tmp_path / "r.gossamer", Outcome.EXCLUDED, Outcome.PENDING)
    with Reader(path) as reader:
        roots = check_roots(reader, SETTINGS)
    assert roots.shows_site
    assert roots.sentences == [f"https://a.test/1: {Outcome.EXCLUDED.sentence}"]


def test_at_most_twenty_failed_roots_are_listed(tmp_path: Path) -> None:
    path = with_roots(tmp_path / "r.gossamer", *[Outcome.BLOCKED_BY_ROBOTS] * 1234)
    with Reader(path) as reader:
        roots = check_roots(reader, SETTINGS)
    assert not roots.shows_site
    assert len(roots.sentences) == 21
    assert roots.sentences[-1] == "1,214 more roots are in trouble."


def test_a_comparison_with_sitemaps_nobody_reads_is_refused_before_the_crawl(
    tmp_path: Path,
) -> None:
    wanted = [f"sitemap-check={tmp_path / 'c.csv'}"]
    with pytest.raises(UsageError, match=r"turn on “Read the site's sitemaps” \(--use-sitemaps\)"):
        wanted_exports(wanted, None, SETTINGS)
    reads = structs.replace(SETTINGS, use_sitemaps=True)
    assert len(wanted_exports(wanted, None, reads)) == 1
    names_one = structs.replace(SETTINGS, sitemaps=("https://a.test/map.xml",))
    assert len(wanted_exports(wanted, None, names_one)) == 1
