"""The program as a user starts it: a process with arguments, in a folder."""

import logging
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, TextIO

import pytest

from gossamer.cli.foreground_crawl import SAVING
from gossamer.cli.main import run_cli
from gossamer.ipc.process_start import FORKS, ForkedProcess
from gossamer.session.crawl_host_connection import OPENING
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.session.session_factory import SessionFactory
from tests.fakes.preloaded import (
    patient_defaults,
    preload_children,
    preloaded_host,
    run_preloaded,
    start_preloaded,
)
from tests.patience import PATIENCE_S

SLOW: Final = tuple(f"gossamer: {sentence}\n" for sentence in (OPENING, SAVING))
"""What a crawl says after seconds, on a busy machine: no test that runs one here is about it."""


def command(*arguments: str | Path) -> list[str]:
    """The words that start it."""
    return [sys.executable, "-P", "-m", "gossamer", *map(str, arguments)]


def gossamer(*arguments: str | Path, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run its command line to its end in the process of the test, where that can be.

    It has streams and a folder of its own. Its crawl hosts and other children are copies of a
    process that has imported them.
    """
    if not FORKS:
        return gossamer_started(*arguments, cwd=cwd)
    words = [*map(str, arguments)]
    with _own_streams() as (out, err), chdir(cwd), pytest.MonkeyPatch.context() as patch:
        preload_children(patch)
        patch.setattr(SessionFactory.__init__, "__defaults__", patient_defaults())
        patch.setattr(CrawlHostPool.__init__, "__defaults__", (preloaded_host, preloaded_host))
        patch.setattr(sys, "argv", ["gossamer", *words])
        code = run_cli(words, _no_window, preloaded_host)
        return _done(words, code, *(_written(stream) for stream in (out, err)))


def gossamer_alone(*arguments: str | Path, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run it to its end in a process: a copy of one that has imported it, where that can be."""
    if not FORKS:
        return gossamer_started(*arguments, cwd=cwd)
    done = run_preloaded([*map(str, arguments)], cwd, PATIENCE_S)
    return _done(done.args, done.returncode, done.stdout, done.stderr)


def _done(
    words: Sequence[str], code: int, out: bytes, err: bytes
) -> "subprocess.CompletedProcess[str]":
    told, complained = (text.decode().replace("\r\n", "\n") for text in (out, err))
    return subprocess.CompletedProcess(words, code, told, without_delays(complained))


def without_delays(complained: str) -> str:
    """What was written to standard error, but for what a busy machine makes a crawl say."""
    for line in SLOW:
        complained = complained.replace(line, "")
    return complained


@contextmanager
def _own_streams() -> Iterator[tuple[TextIO, TextIO]]:
    """Nothing to read, files to write to; warnings go there that nothing else logs."""
    log, last_resort = logging.getLogger(), logging.lastResort
    assert last_resort is not None
    with (
        Path(os.devnull).open(encoding="utf-8") as stdin,
        TemporaryFile("w+", encoding="utf-8", errors="surrogateescape") as out,
        TemporaryFile("w+", encoding="utf-8", errors="backslashreplace") as err,
        pytest.MonkeyPatch.context() as patch,
    ):
        for name, stream in (("stdin", stdin), ("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, stream)
        log.addHandler(last_resort)
        try:
            yield out, err
        finally:
            log.removeHandler(last_resort)


def _written(stream: TextIO) -> bytes:
    stream.flush()
    with os.fdopen(os.dup(stream.fileno()), "rb") as file:
        file.seek(0)
        return file.read()


def _no_window(_target: str | None) -> int:
    raise AssertionError("a command opens no window")


def run_line(line: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a line that starts the program as a shell does: a single command as `gossamer` does."""
    if line.startswith("gossamer ") and not re.search(r" (?:[|>]|&&) |\$", line):
        return gossamer(*shlex.split(line)[1:], cwd=folder)
    return subprocess.run(  # noqa: S602 - lines from our own documentation
        re.sub(r"\bgossamer ", f"{shlex.join(command())} ", line, count=1),
        shell=True,
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
    )


def gossamer_started(*arguments: str | Path, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Start it as a user does, and let it run to its end."""
    return subprocess.run(
        command(*arguments),
        cwd=cwd,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
        stdin=subprocess.DEVNULL,
    )


@contextmanager
def started(*arguments: str | Path, cwd: Path) -> Iterator["subprocess.Popen[str]"]:
    """Start it and leave it running while the block runs; it is gone afterwards."""
    with (
        _hang_ups_heeded(),
        subprocess.Popen(
            command(*arguments),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


class Running:
    """The program while it runs, a copy of a process that has imported it: as Popen has it."""

    def __init__(self, process: ForkedProcess, stdout: TextIO, stderr: TextIO) -> None:
        self._process = process
        self.pid = process.pid
        self.stdout = stdout
        self.stderr = stderr

    @property
    def returncode(self) -> int | None:
        return self._process.returncode

    def send_signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self._process.kill()

    def wait(self, timeout: float | None = None) -> int:
        return self._process.wait(timeout)

    def communicate(self, timeout: float) -> tuple[str, str]:
        """What it writes until it has ended: little, or it would wait for a reader."""
        self.wait(timeout)
        return self.stdout.read(), self.stderr.read()


@contextmanager
def running(*arguments: str | Path, cwd: Path) -> "Iterator[Running | subprocess.Popen[str]]":
    """Leave it running while the block runs, without Python's start where that can be."""
    if not FORKS:
        with started(*arguments, cwd=cwd) as process:
            yield process
        return
    with ExitStack() as stack:
        read, write = zip(*(os.pipe() for _ in range(2)), strict=True)
        out, err = (stack.enter_context(open(each, encoding="utf-8")) for each in read)  # noqa: PTH123 - descriptors
        try:
            forked = start_preloaded([*map(str, arguments)], cwd, *write)
        finally:
            for each in write:
                os.close(each)
        try:
            yield Running(forked, out, err)
        finally:
            forked.kill()
            forked.wait()


@contextmanager
def _hang_ups_heeded() -> Iterator[None]:
    """Under nohup, they are ignored, also by what is started."""
    if sys.platform == "win32":
        yield
        return
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)
