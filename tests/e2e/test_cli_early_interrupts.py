"""Ctrl+C while the program starts: an exit code, never a traceback, and nothing left behind."""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from gossamer.session.crawl_host_connection import OPENING
from tests.e2e import interrupted_start
from tests.patience import PATIENCE_S
from tests.sites import Site

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="starts copies of a process")


class Start(NamedTuple):
    """How one start ended. `module` is where it was interrupted, "" if it was not."""

    module: str
    code: int
    stderr: str


def starts(
    *arguments: str,
    cwd: Path,
    every: int,
    entry: str = "module",
    swallowed: bool = False,
    anew: bool = True,
) -> list[Start]:
    """The starts that were interrupted, and that one at the end which was not."""
    how = {"entry": entry, "every": every, "swallowed": swallowed, "anew": anew}
    task = {"arguments": arguments, **how}
    done = subprocess.run(
        [sys.executable, "-P", interrupted_start.__file__, json.dumps(task)],
        cwd=cwd,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        timeout=2 * PATIENCE_S,
    )
    return [Start(*each) for each in json.loads(done.stdout)]


@pytest.mark.parametrize(
    ("entry", "swallowed", "every"),
    [("module", False, 17), ("script", True, 13)],
)
def test_an_interrupt_at_any_import_ends_a_command_with_130(
    entry: str, swallowed: bool, every: int, tmp_path: Path
) -> None:
    how = {"entry": entry, "swallowed": swallowed, "anew": False}
    *interrupted, last = starts("info", "missing.gossamer", cwd=tmp_path, every=every, **how)  # type: ignore[arg-type]  # by name
    assert last.code == 4
    assert interrupted[0].module == "gossamer.ipc"
    assert len(interrupted) > 10
    assert {start.code for start in interrupted} == {130}
    assert {start.stderr for start in interrupted} <= {"", "gossamer: Interrupted.\n"}


def test_an_interrupt_at_any_import_of_a_crawl_leaves_no_process(
    site: Site, tmp_path: Path
) -> None:
    site.page("/")
    *interrupted, last = starts(
        "crawl", site.url(), "-o", "x.gossamer", cwd=tmp_path, every=47, entry="script"
    )
    assert last.code == 0, last.stderr
    assert len(interrupted) > 5
    assert {start.code for start in interrupted} == {130}
    # What only the end of a crawl needs is imported then.
    said = {line for start in interrupted for line in start.stderr.splitlines()}
    assert {line for line in said if not line.startswith("gossamer: The last connection")} <= {
        f"Crawling {site.url()} into x.gossamer",
        "gossamer: Stopping; press Ctrl+C again to quit at once.",
        "gossamer: Interrupted; resume with: gossamer resume x.gossamer",
        "gossamer: Interrupted.",
        f"gossamer: {OPENING}",  # where the machine is busy
    }
    left = [
        process
        for process in psutil.process_iter(["cwd"])
        if (process.info["cwd"] or "").startswith(str(tmp_path))
    ]
    assert not psutil.wait_procs(left, timeout=PATIENCE_S)[1]


@pytest.mark.parametrize(
    ("role", "every", "anew"),
    [
        (("host", "2"), 170, True),
        (("page-worker",), 90, False),
        (("inspector", ""), 70, False),
        (("demo-site",), 25, False),
    ],
)
def test_a_child_leaves_interrupts_to_its_parent_from_its_start(
    role: tuple[str, ...], every: int, anew: bool, tmp_path: Path
) -> None:
    first, *others = starts("--child", *role, cwd=tmp_path, every=every, anew=anew)
    assert first == ("gossamer.ipc", 130, ""), "before it is known that it is a child"
    assert len(others) > 1
    assert {(start.code, start.stderr) for start in others} == {(0, "")}
