"""A child that is a copy of its parent: the same conversation, the same ends.

The tests are scripts of their own: only a process without threads may be copied.
"""

import subprocess
import sys

import pytest

from gossamer.ipc.process_start import FORKS
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.skipif(not FORKS, reason="processes are copied on Linux alone")

START = """
import asyncio, os, signal, socket, subprocess, sys, time
from gossamer.ipc.child_connection import adopt, connect_to_parent
from gossamer.ipc.process_start import fork
from gossamer.model.messages.crawl_messages import HostCommand, SetWorkers

async def echo():
    closed = asyncio.Event()
    def answer(messages):
        for message in messages:
            channel.send(message)
    channel = await connect_to_parent(HostCommand, answer, closed.set)
    await closed.wait()
    return 5

def silent():
    time.sleep(60)
    return 0
"""


def ran(script: str, given: str = "") -> tuple[str, str]:
    """What a script that begins as above says on standard output and standard error."""
    done = subprocess.run(
        [sys.executable, "-c", START + script],
        check=False,
        input=given,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


TALK = """
child = fork(lambda: asyncio.run(echo()), "echo")

async def main():
    heard, done = [], asyncio.Event()
    def hear(messages):
        heard.extend(messages)
        if len(heard) == 500:
            done.set()
    running = await adopt(child, message_type=HostCommand, on_messages=hear, on_closed=lambda: None)
    for number in range(500):
        running.send(SetWorkers(number))
    await done.wait()
    assert heard == [*map(SetWorkers, range(500))]
    print(await running.end(20.0), sys.stdin.readline())

asyncio.run(main())
"""


def test_they_talk_and_each_reads_its_own_standard_input() -> None:
    assert ran(TALK, "the parent's\n") == ("5 the parent's\n\n", "")


def test_its_standard_output_is_nobody_elses_business() -> None:
    assert ran("print(fork(lambda: print('heard', flush=True) or 0, 'loud').process.wait())") == (
        "0\n",
        "",
    )


def test_a_killed_one_says_by_what_it_ended() -> None:
    script = """
child = fork(silent, "silent").process
assert child.poll() is None
try:
    child.wait(0.01)
except subprocess.TimeoutExpired:
    child.kill()
print(child.wait(), child.poll(), child.returncode)
child.kill()
"""
    assert ran(script) == ("-9 -9 -9\n", "")


def test_one_that_fails_tells_where_and_never_returns() -> None:
    script = """
def failing():
    raise ValueError("in the child")
print(fork(failing, "failing").process.wait())
"""
    said, log = ran(script)
    assert said == "1\n"
    assert log.endswith("ValueError: in the child\n")
    assert "in failing" in log


def test_an_abandoned_one_is_gone() -> None:
    script = """
child = fork(silent, "silent")
child.abandon()
try:
    os.kill(child.process.pid, 0)
except ProcessLookupError:
    print("gone")
"""
    assert ran(script) == ("gone\n", "")


def test_no_child_keeps_open_where_another_is_awaited() -> None:
    script = """
heard, told = os.pipe()
def awake():
    os.write(told, b".")  # what is a copy's business before this is done
    return silent()
first = fork(awake, "first")
second = fork(awake, "second", beside=[first])
os.read(heard, 1), os.read(heard, 1)
ports = [child.listener.getsockname()[1] for child in (first, second)]
first.listener.close()
second.listener.close()
for port in ports:
    try:
        socket.create_connection(("127.0.0.1", port))
    except ConnectionRefusedError:
        print("refused")
print(os.getpgid(first.process.pid) == first.process.pid)
first.abandon()
second.abandon()
"""
    assert ran(script) == ("refused\nrefused\nTrue\n", "")


def test_a_system_that_copies_nothing_is_told() -> None:
    script = """
from gossamer.model.errors import CrawlHostError
def refuse():
    raise BlockingIOError(11, "Resource temporarily unavailable")
os.fork = refuse
before = len(os.listdir("/proc/self/fd"))
try:
    fork(silent, "silent")
except CrawlHostError as e:
    print(e)
print(len(os.listdir("/proc/self/fd")) - before)
"""
    said, log = ran(script)
    assert said.startswith("A helper process cannot be started (")
    assert said.endswith("\n0\n")
    assert log == ""


def test_it_has_a_name_of_its_own_and_writes_where_it_is_told() -> None:
    script = """
import tempfile
def telling():
    print(open("/proc/self/comm").read(), file=sys.stderr)
    return 0
with tempfile.TemporaryFile() as file:
    fork(telling, "a-name-that-is-too-long", stderr=file).process.wait()
    file.seek(0)
    print(file.read())
"""
    assert ran(script) == ("b'a-name-that-is-\\n\\n'\n", "")


def test_one_whose_end_the_system_does_not_tell_counts_as_ended() -> None:
    """Who starts us may have set SIGCHLD to be ignored, which is inherited."""
    script = """
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
child = fork(silent, "silent")
print(child.process.poll())
child.abandon()
print(child.process.poll())
"""
    assert ran(script) == ("None\n0\n", "")
