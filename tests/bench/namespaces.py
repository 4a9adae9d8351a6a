"""Machines of their own on this one: network namespaces with host names, on one bridge.

Needs Linux, root and iproute2 (`apt-get install iproute2`). Nothing leaves this machine; all of it
is gone afterwards.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

NET: Final = "10.77.0"
_BRIDGE: Final = "gossamer0"
_WAIT_S: Final = 180.0


def ip(*words: str) -> None:
    """Run iproute2."""
    subprocess.run(["ip", *words], check=True, capture_output=True)


def link(name: str) -> str:
    """The bridge's end of a machine's cable."""
    return f"gsm-{name}"[:15]


def inside(name: str) -> list[str]:
    """What to put before a command that runs on a machine, which says its name."""
    named = 'hostname "$0" && exec "$@"'
    return ["ip", "netns", "exec", f"gossamer-{name}", "unshare", "--uts", "sh", "-c", named, name]


@contextmanager
def bridge(addresses: Sequence[int] = (1, 2)) -> Iterator[None]:
    """The cable between all machines, with so many addresses of this one."""
    ip("link", "add", _BRIDGE, "type", "bridge")
    try:
        for last in addresses:
            ip("address", "add", f"{NET}.{last}/24", "dev", _BRIDGE)
        ip("link", "set", _BRIDGE, "up")
        yield
    finally:
        ip("link", "delete", _BRIDGE)


@contextmanager
def machine(name: str, address: str) -> Iterator[None]:
    """A namespace with loopback and one cable."""
    space, cable = f"gossamer-{name}", link(name)
    ip("netns", "add", space)
    try:
        ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", space)
        ip("link", "set", cable, "master", _BRIDGE)
        ip("link", "set", cable, "up")
        ip("-n", space, "address", "add", f"{address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            ip("-n", space, "link", "set", device, "up")
        yield
    finally:
        ip("netns", "delete", space)


def power_off(name: str) -> None:
    """End all processes of a machine at once: nobody lets go of anything."""
    listed = subprocess.run(
        ["ip", "netns", "pids", f"gossamer-{name}"], check=True, capture_output=True, text=True
    )
    for pid in listed.stdout.split():
        with suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)


def wait(holds: Callable[[], bool]) -> None:
    """Return when it holds; TimeoutError if that does not come."""
    until_s = time.monotonic() + _WAIT_S
    while not holds():
        if time.monotonic() > until_s:
            raise TimeoutError("what was waited for did not come")
        time.sleep(0.05)
