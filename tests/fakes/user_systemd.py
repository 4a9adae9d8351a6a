"""A systemd of a user's own, for a test: real, with folders and a bus of its own.

It believes to be on a computer that systemd has started only where /run/systemd/system is there.
In a mount namespace of its own, that is made without anybody else's noticing.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

_SYSTEMD: Final = Path("/lib/systemd/systemd")
_BEGIN: Final = """
mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system &&
exec setpriv --pdeathsig TERM "$0" --user
"""
_PATIENCE_S: Final = 60


class NoSystemdError(Exception):
    """It cannot be had here; the reason is in the message."""


@contextmanager
def user_systemd(folder: Path) -> Iterator[Mapping[str, str]]:
    """Start one with its files in `folder`; the environment of its person. It ends on exit.

    NoSystemdError where there is none, or we may not make namespaces.
    """
    if sys.platform != "linux" or not _SYSTEMD.exists() or not shutil.which("dbus-daemon"):
        raise NoSystemdError("needs systemd and dbus-daemon")
    if subprocess.run(["unshare", "--mount", "true"], check=False, capture_output=True).returncode:
        raise NoSystemdError("needs the right to make mount namespaces, as root has")
    runtime = folder / "run"
    runtime.mkdir(mode=0o700)
    homes = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("CONFIG", "DATA", "STATE")}
    environment = {
        **os.environ,
        **homes,
        "HOME": str(folder),
        "XDG_RUNTIME_DIR": str(runtime),
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={runtime}/bus",
        "SYSTEMD_LOG_TARGET": "console",
    }
    bus = ["dbus-daemon", "--session", f"--address=unix:path={runtime}/bus", "--nofork"]
    manager = ["unshare", "--mount", "/bin/sh", "-c", _BEGIN, str(_SYSTEMD)]
    with (folder / "systemd.log").open("wb") as log, ExitStack() as started:
        for words in (bus, manager):
            process = subprocess.Popen(words, env=environment, stdout=log, stderr=log)
            started.callback(_end, process)
        _wait_until_up(environment, process)
        yield environment


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Have it end, with all that it has started."""
    process.terminate()
    try:
        process.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait_until_up(environment: Mapping[str, str], process: "subprocess.Popen[bytes]") -> None:
    words = ["systemctl", "--user", "is-active", "default.target"]
    for _ in range(_PATIENCE_S * 10):
        if (Path(environment["XDG_RUNTIME_DIR"]) / "systemd" / "private").exists():
            done = subprocess.run(
                words, env=environment, check=False, capture_output=True, timeout=_PATIENCE_S
            )
            if not done.returncode:
                return
        if process.poll() is not None:
            break
        try:
            process.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
    raise NoSystemdError("systemd does not come up here")
