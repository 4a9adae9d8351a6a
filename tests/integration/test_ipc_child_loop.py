"""A child process ends at once, whatever its loop still waits for."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.patience import PATIENCE_S
from tests.sites.recorded_network import IN_NAMESPACE

IN_ITS_OWN: Final = (*IN_NAMESPACE, "--mount", "sh", "-c")
"""A network that ends here, and files of its own."""
SILENT_SERVER: Final = "nameserver 127.0.0.1\noptions timeout:30 attempts:5\n"
"""The system asks it for two minutes and a half."""
SETUP: Final = "ip link set lo up && mount --bind '{}' /etc/resolv.conf"
LOOKING_UP: Final = """
import asyncio, os, socket
from gossamer.ipc.child_loop import run_child

server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

async def main():
    server.bind(("127.0.0.1", 53))
    server.setblocking(False)
    loop = asyncio.get_running_loop()
    async with asyncio.TaskGroup() as group:
        lookup = group.create_task(loop.getaddrinfo("site.example", 80), name="lookup")
        await loop.sock_recv(server, 512)
        lookup.cancel()
    loop.run_in_executor(None, print, "tidied up")
    return 7

os._exit(run_child(main))
"""


@pytest.fixture
def setup(tmp_path: Path) -> str:
    """The command that gives a process a name server that never answers."""
    file = tmp_path / "resolv.conf"
    file.write_text(SILENT_SERVER)
    command = SETUP.format(file)
    try:
        done = subprocess.run([*IN_ITS_OWN, command], check=False, capture_output=True, timeout=20)
    except OSError:
        pytest.skip("needs unshare")
    if done.returncode:
        pytest.skip("needs namespaces of its own")
    return command


def test_a_name_that_is_being_looked_up_does_not_keep_a_process(setup: str) -> None:
    child = f'{setup} && exec "$0" -u -c "$1"'
    done = subprocess.run(
        [*IN_ITS_OWN, child, sys.executable, LOOKING_UP],
        check=False,
        capture_output=True,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stdout, done.stderr) == (7, b"tidied up\n", b"")
