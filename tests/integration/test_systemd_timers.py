"""Timers under a real systemd: installed, gone off, made up for, interrupted, resumed, removed."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from gossamer.scheduling.run_history import RunHistory, RunOutcome, RunRecords
from gossamer.scheduling.timers.systemd_timer import unit_name
from tests.fakes.user_systemd import NoSystemdError, user_systemd
from tests.patience import PATIENCE_S
from tests.sites import Site

NAME = "Größe 50% $x"
UNIT = unit_name(NAME)


class Person:
    """Somebody who is logged in, and types commands. Python has an odd path of theirs."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        odd = folder / "my 'odd' %h $HOME \"path\""
        odd.symlink_to(Path(sys.prefix), target_is_directory=True)
        self.python = odd / "bin" / "python"
        self.records = RunRecords(folder / "data" / "gossamer" / "schedule-runs")

    def does(self, *words: str | Path) -> str:
        """Run a command; its output."""
        done = subprocess.run(
            words,
            env=self.environment,
            cwd=self.folder,
            check=False,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def schedule(self, *words: str | Path) -> str:
        return self.does(self.python, "-P", "-m", "gossamer", "schedule", *words)

    def systemctl(self, *words: str) -> str:
        return self.does("systemctl", "--user", *words)

    @property
    def history(self) -> RunHistory:
        return self.records.read(NAME)


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    try:
        with user_systemd(tmp_path) as environment:
            yield Person(tmp_path, environment)
    except NoSystemdError as missing:
        pytest.skip(str(missing))


def test_a_timer_is_installed_goes_off_makes_up_for_a_missed_run_and_is_removed(
    person: Person, site: Site
) -> None:
    site.page("/", links=["/a"])
    gate = site.slow("/a")
    person.schedule("add", NAME, site.url(), "--daily", "02:30", "--timer", "systemd")
    assert person.systemctl("is-active", f"{UNIT}.timer") == "active\n"
    assert person.systemctl("is-enabled", f"{UNIT}.timer") == "enabled\n"
    assert "gone" not in person.schedule("list")

    person.systemctl("start", f"{UNIT}.service")  # as if the timer had gone off too early
    assert person.history == RunHistory()
    assert site.paths == []

    _miss_a_run(person)
    person.systemctl("restart", f"{UNIT}.timer")
    site.block_until(lambda: "/a" in site.paths)

    person.systemctl("stop", f"{UNIT}.service")  # SIGTERM, as when the session ends
    (interrupted,) = person.history.runs
    assert interrupted.outcome is RunOutcome.INTERRUPTED
    gate.open()
    person.systemctl("start", f"{UNIT}.service")
    resumed = person.history.runs[-1]
    assert (resumed.outcome, resumed.project) == (RunOutcome.FINISHED, interrupted.project)
    assert site.paths.count("/") == 1
    assert person.systemctl("show", f"{UNIT}.service", "--property=Result") == "Result=success\n"

    person.schedule("remove", NAME)
    assert UNIT not in person.systemctl("list-timers", "--all")
    assert list((person.folder / "config" / "systemd").rglob("gossamer*")) == []


def _miss_a_run(person: Person) -> None:
    """Have the schedule be of last week, and its timer have gone off last then."""
    (definition,) = (person.folder / "config" / "gossamer" / "schedules").iterdir()
    text = definition.read_text(encoding="utf-8")
    (since,) = [line for line in text.splitlines() if '"since"' in line]
    definition.write_text(text.replace(since, '"since": 1.0,'), encoding="utf-8")
    stamp = person.folder / "data" / "systemd" / "timers" / f"stamp-{UNIT}.timer"
    assert stamp.exists()
    person.systemctl("stop", f"{UNIT}.timer")
    os.utime(stamp, (1e9, 1e9))
