"""Timers: the files as they are written for each system, and how each system is told of them."""

import plistlib
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from lxml import etree
from msgspec.structs import replace

from gossamer.scheduling.run_times import RunTimes, daily, from_cron, weekly
from gossamer.scheduling.schedule import Schedule, TimerKind
from gossamer.scheduling.timers import system_timer
from gossamer.scheduling.timers.crontab_timer import CrontabTimer, line_of, missed_line, with_lines
from gossamer.scheduling.timers.launchd_timer import LaunchdTimer, plist_bytes
from gossamer.scheduling.timers.system_timer import StartCommand, TimerError, TimerState
from gossamer.scheduling.timers.systemd_timer import (
    SystemdTimer,
    service_text,
    timer_text,
    unit_name,
)
from gossamer.scheduling.timers.task_scheduler_timer import TaskSchedulerTimer, task_xml
from tests.architecture.checkout import ROOT
from tests.cases import each_case
from tests.fakes.system_programs import (
    FakeCrontab,
    FakeLaunchctl,
    FakeSchtasks,
    FakeSystemctl,
)

GOLDEN: Final = ROOT / "tests" / "data" / "timers"
TIMES: Final[Mapping[str, RunTimes]] = {
    "daily": daily("02:30"),
    "weekly": weekly("sunday", "18:05"),
    "working days": from_cron("0,30 8-18 * * mon-fri"),
    "often": from_cron("*/10 * * * *"),
    "either day": from_cron("15 6 1,15 jan-mar fri"),
    "day and weekday 100% ß": from_cron("15 6 */2 * 1-5"),
}
WORDS: Final = ("/opt/with space/bin/python", "-P", "-m", "gossamer", "schedule", "run")
FOLDERS: Final = {"XDG_DATA_HOME": "/home/jo/50% of $HOME"}


def schedule(name: str) -> Schedule:
    return Schedule(
        name=name,
        times=TIMES[name],
        folder="/p",
        timer=TimerKind.NONE,
        since=1_795_000_000.0,
    )


def command(name: str) -> StartCommand:
    return StartCommand((*WORDS, *filter(None, [name]), "--due"), FOLDERS)


def written(name: str) -> dict[str, str]:
    """What is written for a schedule, by the suffix of its golden file."""
    crontab = with_lines(
        b"MAILTO=jo\n",
        {
            f"schedule {name}": line_of(schedule(name), command(name)),
            "missed runs": missed_line(command("")),
        },
    )
    windows = ("C:\\Program Files\\Python\\pythonw.exe", *WORDS[1:], name, "--due")
    return {
        "service": service_text(schedule(name), command(name)),
        "timer": timer_text(schedule(name)),
        "crontab": crontab.decode(),
        "plist": plist_bytes(schedule(name), command(name)).decode(),
        "xml": task_xml(schedule(name), StartCommand(windows, {}), "HAL\\jo").decode("utf-16"),
    }


@each_case("name", TIMES)
def test_what_is_written_for_each_system_is_as_agreed(name: str) -> None:
    """To agree anew: delete the files in tests/data/timers, run this twice, and read the diff."""
    text = "".join(f"==> {suffix}\n{text}\n" for suffix, text in written(name).items())
    golden = GOLDEN / f"{re.sub('[^a-z]+', '-', name).strip('-')}.txt"
    if not golden.exists():
        golden.write_bytes(text.encode())
        pytest.fail(f"{golden} is new")
    assert text == golden.read_text(encoding="utf-8")


SCHEMA: Final = etree.XMLSchema(etree.parse(GOLDEN / "task-scheduler.xsd"))


@each_case("name", TIMES)
def test_tasks_are_valid_by_the_rules_of_the_task_scheduler(name: str) -> None:
    SCHEMA.assertValid(etree.fromstring(written(name)["xml"].encode("utf-16")))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    units = []
    for name in TIMES:
        for suffix in ("service", "timer"):
            text = written(name)[suffix].replace(WORDS[0], "/bin/true")
            units.append(tmp_path / f"{unit_name(name)}.{suffix}")
            units[-1].write_text(text, encoding="utf-8")
    found = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", *units],
        capture_output=True,
        text=True,
        check=False,
        env={"XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
    )
    assert [line for line in found.stderr.splitlines() if "gossamer" in line] == []
    assert found.returncode == 0


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
@pytest.mark.parametrize("name", TIMES)
def test_systemd_reads_the_calendar_as_cron_does(name: str) -> None:
    lines = re.findall(r"^OnCalendar=(.*)$", written(name)["timer"], re.MULTILINE)
    words = ["systemd-analyze", "calendar", "--iterations=400", "--base-time=2026-01-15 12:00"]
    shown = subprocess.run(
        [*words, *lines], capture_output=True, text=True, check=True, env={"TZ": "UTC"}
    )
    starts = set(re.findall(r"(?:elapse|#\d+): \w+ (\d[\d-]+ \d\d:\d\d):00 UTC", shown.stdout))
    begin = datetime(2026, 1, 15, 12, tzinfo=UTC)
    due = [f"{each:%Y-%m-%d %H:%M}" for each in TIMES[name].following(begin, 60)]
    assert len(starts) > 300
    assert [each for each in due if each not in starts] == []


@pytest.fixture
def systemctl(tmp_path: Path) -> FakeSystemctl:
    return FakeSystemctl(tmp_path / "config")


def units(fake: FakeSystemctl) -> list[str]:
    return sorted(path.name for path in fake.folder.iterdir())


def test_systemd_is_told_of_a_timer_and_forgets_it(systemctl: FakeSystemctl) -> None:
    timer = SystemdTimer(systemctl, {})
    assert timer.is_usable()
    assert not timer.state("daily").is_there
    timer.install(schedule("daily"))
    assert systemctl.active == systemctl.enabled == {"gossamer-daily.timer"}
    state = timer.state("daily")
    assert (state.is_there, state.program, state.remark) == (True, Path(sys.executable), None)
    timer.install(schedule("daily"))
    assert units(systemctl) == ["gossamer-daily.service", "gossamer-daily.timer"]
    timer.remove("daily")
    assert (units(systemctl), systemctl.active, systemctl.enabled) == ([], set(), set())
    assert systemctl.known == set()
    timer.remove("daily")


@pytest.mark.parametrize("verb", ["daemon-reload", "enable", "restart"])
def test_a_timer_that_systemd_refuses_leaves_nothing_behind(
    systemctl: FakeSystemctl, verb: str
) -> None:
    systemctl.refuses = verb
    with pytest.raises(TimerError, match=r"systemctl failed: Failed to connect to bus"):
        SystemdTimer(systemctl, {}).install(schedule("daily"))
    assert units(systemctl) == []


def test_a_timer_that_stops_at_logout_is_told_of(systemctl: FakeSystemctl) -> None:
    systemctl.lingers = "no"
    timer = SystemdTimer(systemctl, {})
    timer.install(schedule("daily"))
    assert "only while you are logged in" in str(timer.state("daily").remark)


def test_a_computer_without_systemd_has_no_use_for_it() -> None:
    def missing(words: object, data: bytes) -> system_timer.ProgramResult:
        del words, data
        raise FileNotFoundError(2, "No such file or directory")

    assert not SystemdTimer(missing, {}).is_usable()
    with pytest.raises(TimerError, match=r"crontab cannot be run \(No such file"):
        CrontabTimer(missing, {}).state("daily")


@pytest.mark.parametrize("before", [None, b"", b"MAILTO=jo", b"0 0 * * * mine\n"])
def test_the_crontab_of_a_person_is_kept(before: bytes | None) -> None:
    fake = FakeCrontab(before)
    timer = CrontabTimer(fake, {})
    for name in ("daily", "weekly"):
        timer.install(schedule(name))
        assert timer.state(name).program == Path(sys.executable)
    assert fake.text is not None
    assert fake.text.startswith(before or b"")
    assert fake.text.count(b"17 * * * * ") == 1
    timer.remove("daily")
    assert not timer.state("daily").is_there
    assert timer.state("weekly").is_there
    timer.remove("weekly")
    assert fake.text.removesuffix(b"\n") == (before or b"").removesuffix(b"\n")


def test_a_block_that_somebody_has_cut_is_left_alone() -> None:
    fake = FakeCrontab(b"# END Gossamer schedules\n0 0 * * * mine\n")
    with pytest.raises(TimerError, match="only a part of the block"):
        CrontabTimer(fake, {}).install(schedule("daily"))
    assert fake.text == b"# END Gossamer schedules\n0 0 * * * mine\n"


@pytest.mark.parametrize("line", [b"", b"@daily", b"30 2 * * *", b"30 2 * * * '/bin/sh"])
def test_a_line_that_somebody_has_edited_is_no_trouble(line: bytes) -> None:
    fake = FakeCrontab(None)
    timer = CrontabTimer(fake, {})
    timer.install(schedule("daily"))
    assert fake.text is not None
    own = next(each for each in fake.text.split(b"\n") if b" run daily " in each)
    fake.text = fake.text.replace(own, line)
    assert timer.state("daily").is_there
    timer.install(schedule("daily"))
    assert own in fake.text


def test_a_unit_that_somebody_has_edited_is_no_trouble(systemctl: FakeSystemctl) -> None:
    timer = SystemdTimer(systemctl, {})
    timer.install(schedule("daily"))
    (service,) = timer.folder.glob("*.service")
    text = service.read_text("utf-8")
    service.write_text(re.sub('^Path=".*"', r'Path="\\x"', text, flags=re.MULTILINE), "utf-8")
    assert timer.state("daily") == TimerState(is_there=True)


def test_a_crontab_that_may_not_be_used_is_said_so() -> None:
    fake = FakeCrontab(b"0 0 * * * mine\n")
    fake.refuses = True
    with pytest.raises(TimerError, match=r"crontab failed: You \(jo\) are not allowed"):
        CrontabTimer(fake, {}).install(schedule("daily"))


def test_a_line_too_long_for_cron_is_refused() -> None:
    long = StartCommand(("/" + 990 * "x",), {})
    with pytest.raises(TimerError, match="too long for a line of crontab"):
        line_of(schedule("daily"), long)


def test_launchd_loads_an_agent_in_place_of_the_older_one(tmp_path: Path) -> None:
    fake = FakeLaunchctl()
    timer = LaunchdTimer(fake, {}, tmp_path / "LaunchAgents")
    timer.install(schedule("day and weekday 100% ß"))
    timer.install(replace(schedule("day and weekday 100% ß"), times=daily("03:00")))
    (path,) = fake.loaded.values()
    assert {
        entry["Hour"] for entry in plistlib.loads(path.read_bytes())["StartCalendarInterval"]
    } == {3, 4}
    assert timer.state("day and weekday 100% ß").program == Path(sys.executable)
    timer.remove("day and weekday 100% ß")
    timer.remove("day and weekday 100% ß")
    assert (fake.loaded, list(path.parent.iterdir())) == ({}, [])


def test_launchd_has_an_agent_for_each_schedule_however_they_are_called(tmp_path: Path) -> None:
    names = ["my shop", "my-shop", "my%20shop", "商" * 46]
    timer = LaunchdTimer(FakeLaunchctl(), {}, tmp_path)
    for name in names:
        timer.install(replace(schedule("daily"), name=name))
    assert len(list(tmp_path.iterdir())) == len(names)
    assert max(len(path.name.encode()) for path in tmp_path.iterdir()) < 255
    timer.remove("my shop")
    assert [timer.state(name).is_there for name in names] == [False, True, True, True]


def test_windows_registers_a_task_in_place_of_the_older_one(tmp_path: Path) -> None:
    fake = FakeSchtasks()
    timer = TaskSchedulerTimer(fake, {"USERDOMAIN": "HAL", "USERNAME": "jo"}, tmp_path)
    assert not timer.state("daily").is_there
    timer.install(schedule("daily"))
    timer.install(schedule("daily"))
    assert list(fake.tasks) == ["\\Gossamer\\daily"]
    assert timer.state("daily").program == Path(sys.executable)
    assert list(tmp_path.iterdir()) == []
    timer.remove("daily")
    timer.remove("daily")
    assert fake.tasks == {}


@pytest.mark.parametrize(
    ("encoding", "known"), [("utf-16", True), ("utf-8", True), ("cp850", False)]
)
def test_windows_says_what_a_task_starts_whatever_its_path(encoding: str, *, known: bool) -> None:
    program = "/opt/Jörg & Söhne/pythonw.exe"
    xml = task_xml(schedule("daily"), StartCommand((program,), {})).decode("utf-16")

    def query(words: object, data: bytes) -> system_timer.ProgramResult:
        del words, data
        return system_timer.ProgramResult(0, xml.encode(encoding), b"")

    state = TaskSchedulerTimer(query, {}).state("daily")
    assert state == TimerState(is_there=True, program=Path(program) if known else None)


def test_a_program_that_cannot_be_started_from_a_timer_is_refused() -> None:
    with pytest.raises(TimerError, match="two percent signs"):
        task_xml(schedule("daily"), StartCommand(("C:\\%TEMP%\\python.exe",), {}))
    with pytest.raises(TimerError, match="has a character that crontab"):
        line_of(schedule("daily"), StartCommand(("/a\nb",), {}))
