"""Tries the images of dist/ without a container engine, as an engine would start them.

Usage: sudo python3 packaging/image_trial.py

Each image is unpacked, and run in namespaces of its own as its configuration says: entrypoint,
user, environment, folder. Its files are read-only but for /data and /tmp, and there are no
privileges to gain; the network is this machine's. Tried are the help, a crawl of the demo site with
what is kept, searched and asked of it, SIGTERM and going on, and, of the image with Dask, a crawl
with a scheduler and two nodes, each in a container. Exit code 1 if something went wrong.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from oci_image import ImageConfig, unpack_image
from packages import DIST
from script_arguments import script_arguments
from shell import say
from system_packages import is_root

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# What an engine does with --read-only --tmpfs /tmp --volume DATA:/data --network host.
_ENTER: Final = """
set -e
mount --bind "$0" "$0"
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"
mount --bind "$DATA" "$0/data"
mount -o remount,bind,ro "$0"
exec setpriv --no-new-privs chroot --userspec="$OWNER" "$0" "$@"
"""
_WAIT_S: Final = 60.0
_LOOPBACK: Final = "127.0.0.1"


class TrialError(Exception):
    """What went wrong, in a sentence."""


@dataclass(frozen=True)
class Image:
    """An image that was unpacked into `root`, with a volume."""

    config: ImageConfig
    root: Path
    data: Path

    def start(
        self, *arguments: str, entrypoint: Sequence[str] | None = None
    ) -> subprocess.Popen[str]:
        """A container, with arguments in place of those of the image, if there are any."""
        program = [*(entrypoint or self.config.entrypoint), *(arguments or self.config.command)]
        inside = ["/usr/bin/env", "-i", "-C", self.config.folder, *self.config.environment]
        return subprocess.Popen(
            [
                *("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", _ENTER),
                *(str(self.root), *inside, *program),
            ],
            env={**os.environ, "DATA": str(self.data), "OWNER": self._owner()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *arguments: str, expected: int = 0) -> str:
        """What a container says until it ends; TrialError if not with this exit code."""
        process = self.start(*arguments)
        said, _ = process.communicate()
        if process.returncode != expected:
            words = shlex.join(arguments)
            raise TrialError(f"{words}: exit code {process.returncode}, not {expected}: {said}")
        return said

    def _owner(self) -> str:
        """User and group, by their numbers, as the image's own list of users has them."""
        for line in (self.root / "etc" / "passwd").read_text(encoding="utf-8").splitlines():
            name, _, user, group, *_ = line.split(":")
            if self.config.user in {name, user}:
                return f"{user}:{group}"
        raise TrialError(f"the image has no user {self.config.user}")


def main() -> int:
    """Try each; return the exit code."""
    images = sorted(DIST.glob("gossamer-*-image-*.tar"))
    failed = 0
    if not is_root() or not images:
        say("this needs root, and images in dist: dev.py package image.")
        return 1
    for archive in images:
        with tempfile.TemporaryDirectory(prefix="gossamer-image-trial-") as name:
            failed += tried(archive, Path(name))
    say(f"{failed} steps failed." if failed else "every step worked.")
    return int(failed > 0)


def tried(archive: Path, folder: Path) -> int:
    """Try an image; how many steps failed."""
    folder.chmod(0o755)
    root, data = folder / "root", folder / "data"
    for each in (root, data):
        each.mkdir()
    image = Image(unpack_image(archive, root), root, data)
    owner = image.root / image.config.volumes[0].lstrip("/")
    os.chown(data, owner.stat().st_uid, owner.stat().st_gid)  # as an engine copies a new volume
    steps = {
        "it says how it is used": says_help,
        "it can write nothing but its volume": writes_only_data,
        "it crawls, keeps, searches, answers in SQL": crawls,
        "SIGTERM ends a crawl in order, and it goes on": is_stopped,
    }
    if "cluster" in archive.name:
        steps["a scheduler and two nodes crawl the same pages"] = crawls_with_nodes
    failed = 0
    for sentence, step in steps.items():
        try:
            step(image)
        except TrialError as error:
            say(f"{archive.name}: {sentence}: FAILED: {error}")
            failed += 1
        else:
            say(f"{archive.name}: {sentence}: yes")
    return failed


def says_help(image: Image) -> None:
    """Without arguments."""
    if "Usage: gossamer" not in image.run():
        raise TrialError("there is no help")


def writes_only_data(image: Image) -> None:
    """As somebody who is not root."""
    script = (
        "id -u; touch /opt/gossamer/x && echo written; touch /data/x && rm /data/x && echo kept"
    )
    said, _ = image.start("-c", script, entrypoint=["/bin/sh"]).communicate()
    words = said.split()
    if words[0] == "0" or "written" in words or "kept" not in words:
        raise TrialError(said)


def crawls(image: Image) -> None:
    """With an archive and texts."""
    with demo_site(image) as url:
        image.run("crawl", url, "-o", "a.gossamer", "-q", "--archive", "--full-text-search")
    for arguments, word in (
        (("search", "a.gossamer", "workshop"), "Found"),
        (("sql", "a.gossamer", "SELECT count(*) AS pages FROM internal"), "pages"),
        (("audit", "a.gossamer", "-q"), "H1"),
        (("export", "a.gossamer", "wacz", "-o", "a.wacz"), "Saved"),
        (("import", "a.wacz", "-o", "b.gossamer", "-q"), "pages"),
    ):
        if word not in image.run(*arguments):
            raise TrialError(f"{arguments[0]} says nothing of {word}")
    files = [each for each in image.data.rglob("*") if each.is_file()]
    if {each.stat().st_uid for each in files} != {image.data.stat().st_uid}:
        raise TrialError("not all files of the volume are the user's")


def is_stopped(image: Image) -> None:
    """What `podman stop` does: the signal goes to the first process of the container."""
    with demo_site(image) as url:
        process = image.start("crawl", url, "-o", "c.gossamer", "--rate", "20")
        await_that((image.data / "c.gossamer").exists)
        time.sleep(2)
        os.kill(child_of(process), signal.Signals[image.config.stop_signal])
        said, _ = process.communicate()
        if process.returncode != 130:  # noqa: PLR2004 - as docs/command-line.md has it
            raise TrialError(f"exit code {process.returncode}: {said}")
        image.run("resume", "c.gossamer", "-q", "--rate", "1000")
    if "finished" not in image.run("info", "c.gossamer"):
        raise TrialError("it was not finished")


def crawls_with_nodes(image: Image) -> None:
    """Over one scheduler on this machine."""
    port = free_port()
    address = f"tcp://{_LOOPBACK}:{port}"
    node = ("--nworkers", "1", "--nthreads", "2", "--memory-limit", "0", "--no-dashboard")
    with demo_site(image) as url, contextlib.ExitStack() as stack:
        scheduler = ("--host", f"tcp://{_LOOPBACK}", "--port", str(port), "--no-dashboard")
        entered(stack, image, ("dask", "scheduler"), scheduler)
        await_that(lambda: answers(port))
        for _ in range(2):
            entered(stack, image, ("dask", "worker"), (address, *node))
        image.run("crawl", url, "-o", "n.gossamer", "-q", "--cluster", address)
        image.run("crawl", url, "-o", "m.gossamer", "-q")
    query = "SELECT address, status_code, title_1 FROM internal ORDER BY address"
    alone, together = (image.run("sql", name, query) for name in ("m.gossamer", "n.gossamer"))
    if alone != together or alone.count("\n") < 100:  # noqa: PLR2004 - the demo has four times as many
        raise TrialError("the nodes crawled other pages than one machine")


@contextlib.contextmanager
def demo_site(image: Image) -> Iterator[str]:
    """The address of the demo site, which a container serves."""
    with running(image.start("demo", "--serve")) as process:
        if process.stdout is None or not (line := process.stdout.readline()).startswith("http"):
            raise TrialError("the demo site is not served")
        yield line.strip()


@contextlib.contextmanager
def running(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """Inside, a container; it is killed in the end."""
    with process:
        try:
            yield process
        finally:
            process.kill()


def entered(
    stack: contextlib.ExitStack, image: Image, program: Sequence[str], arguments: Sequence[str]
) -> None:
    """Have a container of another program run as long as the stack."""
    stack.enter_context(running(image.start(*arguments, entrypoint=["tini", "--", *program])))


def child_of(process: subprocess.Popen[str]) -> int:
    """The process number of the container's first process, seen from here."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return int(children.read_text(encoding="ascii").split()[0])


def await_that(holds: Callable[[], bool]) -> None:
    """Wait until that is so; TrialError."""
    deadline = time.monotonic() + _WAIT_S
    while not holds():
        if time.monotonic() > deadline:
            raise TrialError("it takes too long")
        time.sleep(0.1)


def answers(port: int) -> bool:
    """Whether something listens there."""
    with socket.socket() as probe:
        return probe.connect_ex((_LOOPBACK, port)) == 0


def free_port() -> int:
    """One that nobody has at the moment."""
    with socket.socket() as probe:
        probe.bind((_LOOPBACK, 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    script_arguments(__doc__)
    sys.exit(main())
