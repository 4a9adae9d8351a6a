"""Schedules: which projects stay, when runs are due, what is written for each system."""

import plistlib
import re
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.scheduling.retention_rule import KEEP_ALL, RetentionRule, kept
from gossamer.scheduling.run_times import RunTimes, daily, from_cron
from gossamer.scheduling.schedule import Schedule, TimerKind
from gossamer.scheduling.timers.crontab_timer import command_text, lines_in, said_of, with_lines
from gossamer.scheduling.timers.launchd_timer import calendar_entries, plist_bytes
from gossamer.scheduling.timers.system_timer import StartCommand, TimerError, with_hours_after_gaps
from gossamer.scheduling.timers.systemd_timer import quoted, service_text, unit_name
from gossamer.scheduling.timers.task_scheduler_timer import task_xml

BERLIN = ZoneInfo("Europe/Berlin")
A_YEAR_S = 366 * 86_400
BEGINNING_S = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
MOMENTS = st.sets(st.integers(0, A_YEAR_S).map(lambda after: BEGINNING_S + after), max_size=60)
RULES = st.builds(RetentionRule, st.integers(0, 9), st.integers(0, 9), st.integers(0, 14))
# No path has NUL in it, and no text half of a character.
PATHS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).map(
    lambda text: "/" + text
)
NAMES = st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=60)


def schedule(times: RunTimes, name: str = "shop") -> Schedule:
    return Schedule(name=name, times=times, folder="/p", timer=TimerKind.NONE, since=BEGINNING_S)


@given(MOMENTS, RULES)
def test_the_newest_two_stay_and_nothing_comes_that_was_not_there(
    moments: set[float], rule: RetentionRule
) -> None:
    stay = kept(moments, rule, BERLIN)
    assert stay <= moments
    assert set(sorted(moments)[-2:]) <= stay
    if rule != KEEP_ALL:
        assert len(stay) <= 2 + rule.daily + rule.weekly + rule.monthly


@given(MOMENTS, RULES)
def test_thinning_after_each_crawl_keeps_what_thinning_at_the_end_keeps(
    moments: set[float], rule: RetentionRule
) -> None:
    stay: set[float] = set()
    for moment in sorted(moments):
        stay = kept({*stay, moment}, rule, BERLIN)
    assert stay == kept(moments, rule, BERLIN)


@given(MOMENTS, RULES, RULES)
def test_a_rule_that_keeps_more_keeps_all_that_the_other_keeps(
    moments: set[float], rule: RetentionRule, more: RetentionRule
) -> None:
    larger = RetentionRule(
        *(max(pair) for pair in zip(_numbers(rule), _numbers(more), strict=True))
    )
    if rule != KEEP_ALL:
        assert kept(moments, rule, BERLIN) <= kept(moments, larger, BERLIN)


def _numbers(rule: RetentionRule) -> tuple[int, int, int]:
    return rule.daily, rule.weekly, rule.monthly


@given(st.integers(1, 9), st.integers(1, 500))
def test_of_each_of_the_last_days_with_a_crawl_its_last_stays(days: int, hours: int) -> None:
    moments = {BEGINNING_S + 3600 * 5 * number for number in range(hours)}
    by_day: dict[str, float] = {}
    for moment in sorted(moments):
        by_day[f"{datetime.fromtimestamp(moment, BERLIN):%F}"] = moment
    stay = {*list(by_day.values())[-days:], *sorted(moments)[-2:]}
    assert kept(moments, RetentionRule(days, 0, 0), BERLIN) == stay


FIELDS = st.tuples(
    st.sampled_from(["0", "30", "*/20", "5,35", "59"]),
    st.sampled_from(["0", "2", "2-3", "*/6", "23", "*"]),
    st.sampled_from(["*", "1", "*/2", "15-20", "31"]),
    st.sampled_from(["*", "3", "10,11", "jan-feb"]),
    st.sampled_from(["*", "0", "mon-fri", "6,7", "*/2"]),
)
EXPRESSIONS = FIELDS.map(lambda fields: from_cron(" ".join(fields)))


@given(EXPRESSIONS, st.integers(0, A_YEAR_S // 60))
@settings(max_examples=75)
def test_each_following_time_is_the_latest_when_it_has_come(times: RunTimes, minutes: int) -> None:
    now = datetime.fromtimestamp(BEGINNING_S + 60 * minutes, BERLIN)
    for moment in times.following(now, 3):
        assert times.latest(moment) == moment
        before = datetime.fromtimestamp(moment.timestamp() - 1, BERLIN)
        earlier = times.latest(before)
        assert earlier is None or earlier.timestamp() < moment.timestamp()


def went_off(times: RunTimes, around: datetime) -> Iterator[datetime]:
    """The minutes of two days in which launchd would start the run, by launchd.plist(5)."""
    entries = calendar_entries(with_hours_after_gaps(times.fields))
    begin = around.astimezone(UTC) - timedelta(days=1)
    for minute in range(2 * 24 * 60):
        local = (begin + timedelta(minutes=minute)).astimezone(BERLIN)
        of_local = {
            "Minute": local.minute,
            "Hour": local.hour,
            "Day": local.day,
            "Month": local.month,
            "Weekday": local.isoweekday() % 7,
        }
        if any(entry.items() <= of_local.items() for entry in entries):
            yield local


@given(EXPRESSIONS, st.sampled_from(["2026-03-28 12:00", "2026-10-24 12:00", "2026-10-01 00:00"]))
@settings(max_examples=30)
def test_a_calendar_goes_off_within_an_hour_of_each_time(times: RunTimes, day: str) -> None:
    now = datetime.fromisoformat(day).replace(tzinfo=BERLIN)
    (due,) = times.following(now)
    starts = [each.timestamp() for each in went_off(times, due)]
    assert any(0 <= start - due.timestamp() <= 3600 for start in starts)


@given(PATHS, PATHS)
def test_systemd_reads_the_words_that_were_written(program: str, folder: str) -> None:
    command = StartCommand((program, "-m", "gossamer"), {"XDG_DATA_HOME": folder})
    text = service_text(schedule(daily("02:30")), command)
    (line,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    words = [_replaced(word) for word in _unquoted(line)]
    if words[0] == "/bin/sh":
        assert words[:4] == ["/bin/sh", "-c", 'exec "$@"', "gossamer"]
        words = words[4:]
    else:
        assert not set(words[0]) & set("$\"'\\")
        assert words[0].isprintable()
    assert words == list(command.words)
    (variable,) = re.findall(r"^Environment=(.*)$", text, re.MULTILINE)
    assert [word.replace("%%", "%") for word in _unquoted(variable)] == [f"XDG_DATA_HOME={folder}"]
    assert all(len(line) > 1 or not line for line in text.split("\n")), "a line break went through"


def _unquoted(line: str) -> list[str]:
    """The words of a line by systemd.syntax(7): in quotes, with the escapes of C."""
    words = re.findall(r'"((?:[^"\\]|\\.)*)"', line)
    assert " ".join(f'"{word}"' for word in words) == line
    return [re.sub(r"\\(x..|.)", _unescaped, word) for word in words]


def _unescaped(found: re.Match[str]) -> str:
    escape = found[1]
    if escape.startswith("x"):
        return chr(int(escape[1:], 16))
    return {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}[escape]


def _replaced(word: str) -> str:
    """What specifiers and variables leave of a word."""
    assert not re.search(r"(?<!%)(%%)*%(?!%)", word)
    return word.replace("%%", "%").replace("$$", "$")


@given(NAMES)
def test_units_have_names_that_systemd_takes(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_.\\-]{1,240}", unit_name(name))
    assert quoted(name)


@given(st.lists(PATHS, min_size=1, max_size=3), PATHS)
@settings(max_examples=30)
def test_the_shell_of_cron_reads_the_words_that_were_written(words: list[str], folder: str) -> None:
    command = StartCommand(tuple(words), {"XDG_DATA_HOME": folder})
    if any(letter in "".join([*words, folder]) for letter in "\n\r"):
        with pytest.raises(TimerError, match="has a character"):
            command_text(command)
        return
    line = _of_cron(command_text(command)).removesuffix(" >/dev/null 2>&1")
    shown = subprocess.run(
        ["/bin/sh", "-c", f"set -- {line}; printf '%s\\0' \"$@\""], capture_output=True, check=True
    )
    assert shown.stdout.decode().split("\0")[:-1] == [f"XDG_DATA_HOME={folder}", *words]


def _of_cron(text: str) -> str:
    """What cron gives to the shell: see do_command.c of Vixie's cron."""
    assert not re.search(r"(?<!\\)%", text), "what follows a percent sign would be its input"
    return text.replace("\\%", "%")


CRONTABS = st.lists(
    st.sampled_from(
        [
            b"# BEGIN other",
            b"MAILTO=\xff\xfe",
            b"",
            b"0 1 * * * echo '100\\%'",
            "# schedule größe".encode(),
            b"@reboot x",
        ]
    )
).map(b"\n".join)


@given(CRONTABS, st.lists(NAMES, unique=True, max_size=4))
def test_all_else_in_a_crontab_stays_as_it_is(crontab: bytes, names: list[str]) -> None:
    changed = crontab
    for name in names:
        changed = with_lines(changed, {said_of(name): f"0 0 * * * run {name}", "missed runs": "m"})
        assert lines_in(changed)[said_of(name)] == f"0 0 * * * run {name}"
        assert with_lines(changed, {said_of(name): f"0 0 * * * run {name}"}) == changed
    for name in names:
        changed = with_lines(changed, {said_of(name): None})
    ended = crontab if not crontab or crontab.endswith(b"\n") else crontab + b"\n"
    assert changed == (ended if names else crontab)


@given(PATHS, PATHS)
def test_launchd_reads_the_words_that_were_written(program: str, folder: str) -> None:
    command = StartCommand((program, "run"), {"XDG_DATA_HOME": folder})
    try:
        data = plist_bytes(schedule(daily("02:30")), command)
    except TimerError:
        assert re.search(r"[\x00-\x08\x0b-\x1f\x7f]", program + folder)
        return
    content = plistlib.loads(data)
    assert content["ProgramArguments"] == [program, "run"]
    assert content["EnvironmentVariables"] == {"XDG_DATA_HOME": folder}


@given(PATHS.filter(lambda path: not re.search(r'["<>|?*]', path)), NAMES)
def test_windows_reads_the_words_that_were_written(program: str, name: str) -> None:
    words = (program, "-m", "gossamer", "schedule", "run", f"{name} x")
    try:
        data = task_xml(schedule(daily("02:30"), name), StartCommand(words, {}))
    except TimerError:
        assert re.search(r"[\x00-\x1f]|%[^%]+%", program)
        return
    run = ET.fromstring(data.decode("utf-16")).find("{*}Actions/{*}Exec")  # noqa: S314 - our own
    assert run is not None
    assert run.findtext("{*}Command") == program
    assert run.findtext("{*}Arguments") == f'-m gossamer schedule run "{name} x"'
