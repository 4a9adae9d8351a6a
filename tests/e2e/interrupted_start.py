"""Starts the program again and again, each time interrupted from another of its imports on.

Run by its path, with a JSON object as the only argument:

    entry: what to start, "module" (`python -m gossamer`) or "script" (the installed command)
    arguments: those of the program
    every: by so many imports later each time
    swallowed: the interrupt falls into a finalizer, out of which Python raises nothing
    anew: each start is one from the beginning, as where the program has processes or an event loop;
        else it is a copy of one that is not interrupted, made at that import

Each start has a folder of its own. Prints a JSON list of [module, exit code, standard error], the
last without a module: the start that nothing interrupted. Copies of this process are what is
started, which saves the interpreter's start.
"""

import json
import os
import runpy
import signal
import sys
import tempfile
from typing import IO


class _Finalized:
    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


class Interrupter:
    """Finds no module, but interrupts this process at each import of ours from `turn` on.

    With `every`, it interrupts a copy of the process at that import and so many later each time.
    """

    def __init__(self, turn: int, note: int, *, swallowed: bool, every: int = 0) -> None:
        """Write the start that was interrupted to the descriptor `note`, a line of JSON for each.

        Of this process, that is the module alone.
        """
        self._pid = os.getpid()  # copies of it are other processes
        self._left = turn
        self._note = note
        self._swallowed = swallowed
        self._every = every

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        """What the import system asks first."""
        ours = name.startswith("gossamer.") and name != "gossamer.__main__"
        if not ours or os.getpid() != self._pid:
            return
        self._left -= 1
        if self._left == -1 and self._every:
            self._interrupt_copy(name)
        elif self._left == -1:
            _say(self._note, name)
        if self._left < 0 and self._swallowed:
            _Finalized()
        elif self._left < 0:
            signal.raise_signal(signal.SIGINT)

    def _interrupt_copy(self, name: str) -> None:
        """Return in a copy that is to be interrupted, and in this process when that has ended."""
        with tempfile.TemporaryFile() as stderr:
            if pid := os.fork():
                self._left = self._every - 1
                _say(self._note, name, *_end_of(pid, stderr))
                return
            self._pid, self._every = os.getpid(), 0
            _settle(stderr)


def _say(note: int, *said: object) -> None:
    os.write(note, f"{json.dumps(said)}\n".encode())


def _settle(stderr: IO[bytes]) -> None:
    """Have a folder of its own, and write to `stderr`."""
    os.chdir(tempfile.mkdtemp(dir="."))
    os.dup2(stderr.fileno(), 2)


def _end_of(pid: int, stderr: IO[bytes]) -> tuple[int, str]:
    """Wait for it: its exit code, and what it wrote."""
    _, status = os.waitpid(pid, 0)
    stderr.seek(0)
    return os.waitstatus_to_exitcode(status), stderr.read().decode()


def _start(entry: str, arguments: list[str]) -> None:
    sys.argv = ["gossamer", *arguments]
    if entry == "module":
        runpy.run_module("gossamer", run_name="__main__", alter_sys=True)
    else:
        from gossamer.__main__ import main  # noqa: PLC0415 - as the installed command does

        sys.exit(main())


def run_interrupted(
    entry: str, arguments: list[str], turn: int, *, swallowed: bool, every: int = 0
) -> list[tuple[str, int, str]]:
    """Of each start the module at which it was interrupted, the exit code, and what it wrote."""
    read, note = os.pipe()
    with tempfile.TemporaryFile() as stderr, os.fdopen(read) as noted:
        sys.stdout.flush()
        pid = os.fork()
        if not pid:
            _settle(stderr)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            finder = Interrupter(turn, note, swallowed=swallowed, every=every)
            sys.meta_path.insert(0, finder)
            _start(entry, arguments)
            raise AssertionError("the program ends the process")
        os.close(note)
        code, written = _end_of(pid, stderr)
        said = [json.loads(line) for line in noted]
    if every:
        return [*said, ("", code, written)]
    return [(said[0][0] if said else "", code, written)]


if __name__ == "__main__":
    wanted = json.loads(sys.argv[1])
    every = wanted.pop("every")
    if wanted.pop("anew"):
        starts = run_interrupted(**wanted, turn=0)
        while starts[-1][0]:
            starts += run_interrupted(**wanted, turn=len(starts) * every)
    else:
        starts = run_interrupted(**wanted, turn=0, every=every)
    print(json.dumps(starts))  # noqa: T201 - to whoever started it
