"""Starts the program again and again, each time interrupted from another of its imports on.

Run by its path, with a JSON object as the only argument:

    entry: what to start, "module" (`python -m gossamer`) or "script" (the installed command)
    arguments: those of the program
    every: by so many imports later each time
    swallowed: the interrupt falls into a finalizer, out of which Python raises nothing

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


class _Finalized:
    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


class Interrupter:
    """Finds no module, but interrupts this process at each import of ours from `turn` on."""

    def __init__(self, turn: int, note: int, *, swallowed: bool) -> None:
        """Write the name of that module to the descriptor `note`."""
        self._pid = os.getpid()  # copies of it are other processes
        self._left = turn
        self._note = note
        self._swallowed = swallowed

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        """What the import system asks first."""
        ours = name.startswith("gossamer.") and name != "gossamer.__main__"
        if not ours or os.getpid() != self._pid:
            return
        self._left -= 1
        if self._left == -1:
            os.write(self._note, name.encode())
        if self._left < 0 and self._swallowed:
            _Finalized()
        elif self._left < 0:
            signal.raise_signal(signal.SIGINT)


def _start(entry: str, arguments: list[str]) -> None:
    sys.argv = ["gossamer", *arguments]
    if entry == "module":
        runpy.run_module("gossamer", run_name="__main__", alter_sys=True)
    else:
        from gossamer.__main__ import main  # noqa: PLC0415 - as the installed command does

        sys.exit(main())


def run_interrupted(
    entry: str, arguments: list[str], turn: int, *, swallowed: bool
) -> tuple[str, int, str]:
    """The module at which it was interrupted, the exit code, and what it wrote."""
    read, note = os.pipe()
    with tempfile.TemporaryFile() as stderr:
        sys.stdout.flush()
        pid = os.fork()
        if not pid:
            os.chdir(tempfile.mkdtemp(dir="."))
            os.dup2(stderr.fileno(), 2)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            finder = Interrupter(turn, note, swallowed=swallowed)
            sys.meta_path.insert(0, finder)
            _start(entry, arguments)
            raise AssertionError("the program ends the process")
        os.close(note)
        _, status = os.waitpid(pid, 0)
        with os.fdopen(read) as noted:
            module = noted.read()
        stderr.seek(0)
        return module, os.waitstatus_to_exitcode(status), stderr.read().decode()


if __name__ == "__main__":
    wanted = json.loads(sys.argv[1])
    every = wanted.pop("every")
    starts = [run_interrupted(**wanted, turn=0)]
    while starts[-1][0]:
        starts.append(run_interrupted(**wanted, turn=len(starts) * every))
    print(json.dumps(starts))  # noqa: T201 - to whoever started it
