"""Help is there at once: it loads nothing that only a crawl needs."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.store.reading.reader import Reader
from tests.patience import PATIENCE_S
from tests.sites import Site

HEAVY = {
    "aiohttp",
    "gossamer.gui",
    "gossamer.session",
    "asyncio",
    "pydantic",
    "rich",
    "selectolax",
    "sqlite3",
}
LOADED_FOR = """
import json, sys
from gossamer.cli.main import run_cli
def no_window(target): raise AssertionError(target)
assert run_cli(sys.argv[1:], no_window) == 0
json.dump(sorted(sys.modules), sys.stderr)
"""


def loaded_for(tmp_path: Path, *arguments: str) -> set[str]:
    """The modules that are loaded when the program has answered."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", LOADED_FOR, *arguments],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    modules: list[str] = json.loads(done.stderr)
    return set(modules)


@pytest.mark.parametrize("question", ["--help", "--version"])
def test_help_and_version_import_few_modules(question: str, tmp_path: Path) -> None:
    loaded = loaded_for(tmp_path, question)
    assert "typer" in loaded
    assert loaded & HEAVY == set()


READ = """
import sys
from gossamer.cli.command_parser import parse
print(parse(sys.argv[1:]).settings.workers, {"asyncio", "pydantic", "rich"} & sys.modules.keys())
"""


def test_parsing_a_command_line_imports_few_modules(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", READ, "crawl", "a.test", "--workers", "3", "--rate", "2"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.stdout == "3 set()\n"


@pytest.mark.skipif(sys.platform == "win32", reason="closes what a POSIX shell can close")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_crawl_runs_without_standard_streams(site: Site, tmp_path: Path, closed: str) -> None:
    site.page("/")
    project = tmp_path / "a.gossamer"
    crawl = [sys.executable, "-P", "-m", "gossamer", "crawl", site.url("/"), "-o", str(project)]
    done = subprocess.run(
        ["/bin/sh", "-c", f"exec {shlex.join(crawl)} {closed}"],
        check=False,
        capture_output=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0
    with Reader(project) as reader:
        assert reader.summary().state is CrawlState.FINISHED
