"""Fresh Debian systems in folders, to build and try packages in: needs Linux, root and debootstrap.

A release is installed once by debootstrap into an archive (some 200 MB, 40 seconds) in the folder
$GOSSAMER_CHROOTS, or gossamer-chroots in the user's cache, and unpacked for each use. Packages
come from the Debian mirror of this machine's apt, or from $GOSSAMER_MIRROR.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shell import SetupError, say
from system_packages import is_root

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

RELEASES: Mapping[str, str] = {
    "deb12": "bookworm",
    "deb13": "trixie",
    "testing": "testing",
    "unstable": "unstable",
}
"""Our names for releases, and debootstrap's. Others go by debootstrap's."""
_SCRIPTS = Path("/usr/share/debootstrap/scripts")
_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
_THEIR_CERTIFICATES = "/etc/ssl/outside.crt"
"""This machine's, which may be other ones than Debian's package installs at the usual path."""
_BUNDLES = ("PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
_PASSED_ON = re.compile(r"(?i)PIP_.*|NPM_CONFIG_.*|.*_PROXY")
"""How this machine reaches the network."""
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_APT = 'Acquire::Check-Valid-Until "false";'
"""A mirror that is kept for tests may be older than testing and unstable say they are good for."""
# In namespaces of its own: at the end, nothing is mounted any more and no process is left.
_ENTER = """
set -e
[ -z "$ALONE" ] || ip link set lo up
mount --rbind /dev "$0/dev"
mount -t proc proc "$0/proc"
mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm"
exec chroot "$0" sh -c '"$@"; exit $?' sh "$@"  # a shell takes in children that lost their parent
"""


@dataclass(frozen=True)
class Chroot:
    """A system in `folder`."""

    folder: Path

    def run(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        network: bool = True,
        **options: Any,
    ) -> subprocess.CompletedProcess[Any]:
        """Run a command as root in it; `options` are those of subprocess.run.

        Without a `network` it reaches its own loopback addresses only.
        """
        outside = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
        if not network:
            outside.append("--net")
        inside = ["/usr/bin/env", "-i", *self._environment(environment or {}), *command]
        enter = [*outside, "sh", "-c", _ENTER, str(self.folder), *inside]
        alone = {**os.environ, "ALONE": "" if network else "1"}
        return subprocess.run(enter, env=alone, stdin=subprocess.DEVNULL, check=False, **options)

    def install(self, *packages: str) -> None:
        """Install Debian packages, without what they recommend."""
        for words in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
            done = self.run(
                ["apt-get", "-qq", *words],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            if done.returncode:
                raise SetupError(f"apt-get {words[0]} did not work in the chroot:\n{done.stdout}")

    def copy(self, source: Path, inside: str) -> None:
        """Copy a file or folder to a path in it, which begins with a slash."""
        target = self.path(inside)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True, symlinks=True)
        else:
            shutil.copy(source, target)

    def path(self, inside: str) -> Path:
        """Where a path in it is seen from outside."""
        return self.folder / inside.lstrip("/")

    @staticmethod
    def _environment(more: Mapping[str, str]) -> list[str]:
        passed = {name: text for name, text in os.environ.items() if _PASSED_ON.fullmatch(name)}
        passed |= {name: _THEIR_CERTIFICATES for name in _BUNDLES if name in os.environ}
        ours = {
            "HOME": "/root",
            "PATH": _PATH,
            "LANG": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive",
        }
        return [f"{name}={text}" for name, text in {**passed, **ours, **more}.items()]


@contextlib.contextmanager
def fresh_chroot(release: str) -> Iterator[Chroot]:
    """A system with nothing but Debian's essential packages and apt, removed afterwards."""
    refuse_unless_possible()
    with tempfile.TemporaryDirectory(prefix="gossamer-chroot-", ignore_cleanup_errors=True) as name:
        yield unpacked(release, Path(name))


def kept_chroot(release: str, use: str) -> Chroot:
    """The system that an earlier run left for this `use`, or a fresh one that is not removed."""
    refuse_unless_possible()
    folder = archive_folder() / f"{release}-{use}"
    if folder.exists():
        return Chroot(folder)
    aside = folder.with_name(f".{folder.name}.part")
    remove(aside)
    aside.mkdir(parents=True)
    unpacked(release, aside)
    return Chroot(aside.rename(folder))


def unpacked(release: str, folder: Path) -> Chroot:
    """A fresh system in `folder`, which is empty."""
    archive = base_archive(release)
    subprocess.run(["tar", "-C", str(folder), "--numeric-owner", "-xpf", str(archive)], check=True)
    folder.chmod(0o755)
    system = Chroot(folder)
    system.path("/etc/resolv.conf").unlink(missing_ok=True)
    system.copy(Path("/etc/resolv.conf").resolve(), "/etc/resolv.conf")
    if _CERTIFICATES.exists():
        system.copy(_CERTIFICATES.resolve(), _THEIR_CERTIFICATES)
    system.path("/etc/apt/apt.conf.d/gossamer").write_text(_APT, encoding="utf-8")
    return system


def base_archive(release: str) -> Path:
    """The archive of a release, made if there is none."""
    archive = archive_folder() / f"{release}.tar"
    if not archive.exists():
        say(f"installing {release} by debootstrap ...")
        archive.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=archive.parent, ignore_cleanup_errors=True) as name:
            system, packed = Path(name) / "system", Path(name) / archive.name
            system.mkdir()
            bootstrap(release, system)
            pack = ["tar", "-C", str(system), "--numeric-owner", "-cf", str(packed), "."]
            subprocess.run(pack, check=True)
            packed.rename(archive)
    return archive


def bootstrap(release: str, folder: Path) -> None:
    """Install a release into a folder."""
    done = subprocess.run(
        debootstrap(release, folder, mirror()),
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        said = "\n".join(done.stdout.splitlines()[-5:])
        raise SetupError(f"debootstrap could not install {release}:\n{said}")


def debootstrap(release: str, folder: Path, source: str, scripts: Path = _SCRIPTS) -> list[str]:
    """The command that installs a release from `source`; `scripts` has one for each that it knows.

    Of Ubuntu, the newest are made by the script for all of them: Debian's debootstrap does not know
    their names. Some of the tools to build and try packages with are in its part universe.
    """
    suite = RELEASES.get(release, release)
    command = ["debootstrap", "--variant=minbase", suite, str(folder), source]
    if "ubuntu" in source:
        command.insert(1, "--components=main,universe")
        command += [] if (scripts / suite).exists() else [str(scripts / "gutsy")]
    return command


def mirror() -> str:
    """The address of the archive that this machine's apt has Debian's packages from."""
    if given := os.environ.get("GOSSAMER_MIRROR"):
        return given
    asked = ["apt-get", "indextargets", "--format", "$(LABEL) $(REPO_URI)", "Created-By: Packages"]
    told = subprocess.run(asked, check=False, capture_output=True, text=True).stdout
    for line in told.splitlines():
        label, _, address = line.rpartition(" ")
        if label == "Debian":
            return address
    raise SetupError("apt names no Debian mirror here: set GOSSAMER_MIRROR to the URL of one.")


def archive_folder() -> Path:
    """Where archives of releases are kept."""
    if given := os.environ.get("GOSSAMER_CHROOTS"):
        return Path(given)
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "gossamer-chroots"


def refuse_unless_possible() -> None:
    """Raise SetupError where no chroot can be made."""
    if not is_root():
        raise SetupError("a chroot needs Linux and root: run this with sudo.")
    missing = [name for name in ("debootstrap", "unshare", "chroot") if shutil.which(name) is None]
    if missing:
        raise SetupError(f"a chroot needs {', '.join(missing)}: install that, then try again.")


def remove(folder: Path) -> None:
    """Remove a system. Nothing is mounted in it but while a command runs."""
    shutil.rmtree(folder, ignore_errors=True)
