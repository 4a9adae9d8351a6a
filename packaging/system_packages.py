"""What the operating system must bring, and how it is installed where we may."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from shell import REPO, run_quietly, say, setup_lock

if TYPE_CHECKING:
    from collections.abc import Sequence

GIVEN_UP = REPO / ".venv.given-up"  # so that a machine without network does not wait at each start
DAY_S = 86_400


@dataclass(frozen=True)
class SystemPackage:
    """A Debian package and what shows, on any system, that its content is there.

    Exactly one of `library` (a name for dlopen), `command` and `path` is set.
    """

    name: str
    library: str = ""
    command: str = ""
    path: str = ""

    def is_there(self) -> bool:
        """Say whether this machine has what the package would bring."""
        if self.library:
            return loads(self.library)
        if self.command:
            search = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
            return shutil.which(self.command, path=search) is not None
        return Path(self.path).exists()

    def content(self) -> str:
        """Name the content for systems that call the package otherwise."""
        return self.library or self.command or self.path


# What Qt's xcb platform plugin and Qt itself are linked with, as far as the wheel lacks it.
QT_LIBRARIES = (
    SystemPackage("libegl1", library="libEGL.so.1"),
    SystemPackage("libgl1", library="libGL.so.1"),
    SystemPackage("libglib2.0-0", library="libglib-2.0.so.0"),
    SystemPackage("libxkbcommon0", library="libxkbcommon.so.0"),
    SystemPackage("libxkbcommon-x11-0", library="libxkbcommon-x11.so.0"),
    SystemPackage("libdbus-1-3", library="libdbus-1.so.3"),
    SystemPackage("libfontconfig1", library="libfontconfig.so.1"),
    SystemPackage("libxcb-cursor0", library="libxcb-cursor.so.0"),
    SystemPackage("libxcb-icccm4", library="libxcb-icccm.so.4"),
    SystemPackage("libxcb-keysyms1", library="libxcb-keysyms.so.1"),
    SystemPackage("libxcb-image0", library="libxcb-image.so.0"),
    SystemPackage("libxcb-render-util0", library="libxcb-render-util.so.0"),
    SystemPackage("libxcb-shape0", library="libxcb-shape.so.0"),
    SystemPackage("libxcb-randr0", library="libxcb-randr.so.0"),
    SystemPackage("libxcb-xkb1", library="libxcb-xkb.so.1"),
)
# What compiles the parts in C, which Python does more slowly where there is no compiler.
COMPILER = (
    SystemPackage("gcc", command="cc"),
    SystemPackage("libc6-dev", path="/usr/include/stdlib.h"),
    SystemPackage(
        f"libpython3.{sys.version_info[1]}-dev", path=f"{sysconfig.get_path('include')}/Python.h"
    ),
)
# Real windows driven with mouse and keyboard, a browser that renders pages, a real server, real
# pages. Tests that want one of these are skipped without it.
TEST_PROGRAMS = (
    SystemPackage("chromium-headless-shell", command="chromium-headless-shell"),
    SystemPackage("chromium", command="chromium"),
    SystemPackage("xvfb", command="Xvfb"),
    SystemPackage("xdotool", command="xdotool"),
    SystemPackage("openbox", command="openbox"),
    SystemPackage("nginx-light", command="nginx"),
    SystemPackage("systemd", path="/lib/systemd/systemd"),
    SystemPackage("dbus-daemon", command="dbus-daemon"),
    SystemPackage("openssl", command="openssl"),
    SystemPackage("iproute2", command="ip"),
    SystemPackage("desktop-file-utils", command="desktop-file-validate"),
    SystemPackage("appstream", command="appstreamcli"),
    SystemPackage("postgresql-doc-15", path="/usr/share/doc/postgresql-doc-15/html/index.html"),
    SystemPackage(
        "cppreference-doc-en-html", path="/usr/share/cppreference/doc/html/en/index.html"
    ),
)
# What a benchmark wants besides: another site, another crawler. It goes without where need be.
BENCH_PACKAGES = (
    SystemPackage("python3.11-doc", path="/usr/share/doc/python3.11/html/index.html"),
    SystemPackage("wget2", command="wget2"),
)
# Minimal images of Debian leave documentation out when they unpack; some packages are nothing else.
KEPT_FOLDERS = ("postgresql-doc-15", "python3.11", "python3.11-doc")


def listed(packages: Sequence[SystemPackage]) -> str:
    """Join what packages bring, for a sentence."""
    return ", ".join(package.content() for package in packages)


def install_system_packages(
    wanted: Sequence[SystemPackage], *, retry: bool = False
) -> list[SystemPackage]:
    """Install what Linux lacks of `wanted` where we may, and return what is still missing.

    What could not be installed is tried again after a day, or at once with `retry`.
    """
    if sys.platform != "linux":
        return []
    missing = [package for package in wanted if not package.is_there()]
    if not missing:
        return []
    if shutil.which("apt-get") is None:
        say(f"please install with this system's package manager: {listed(missing)}.")
        return missing
    if not is_root():
        names = " ".join(package.name for package in missing)
        say("some system packages are missing; this line installs them:")
        print(f"    sudo apt-get install -y --no-install-recommends {names}", file=sys.stderr)
        return missing
    given_up = set() if retry else recently_given_up()
    if any(package.name not in given_up for package in missing):
        with setup_lock():
            install_with_apt([package.name for package in missing if not package.is_there()])
        missing = [package for package in missing if not package.is_there()]
        GIVEN_UP.write_text("\n".join(package.name for package in missing), encoding="utf-8")
    return missing


def recently_given_up() -> set[str]:
    """Return the names of the packages that could not be installed within the last day."""
    try:
        if time.time() - GIVEN_UP.stat().st_mtime > DAY_S:
            return set()
        return set(GIVEN_UP.read_text(encoding="utf-8").split())
    except OSError:
        return set()


def is_root() -> bool:
    """Say whether this process may install system packages."""
    return sys.platform == "linux" and os.geteuid() == 0


def install_with_apt(names: Sequence[str]) -> None:
    """Install Debian packages as root, leaving out those that this release does not carry."""
    if not names:
        return
    say(f"installing {' '.join(names)} ...")
    apt(["update", "-qq"], "refreshing the package lists")
    carried = [name for name in names if apt_carries(name)]
    if unknown := sorted(set(names) - set(carried)):
        say(f"this system's archive has no {' '.join(unknown)}.")
    if carried:
        # --reinstall: unpack again what a minimal image had left out.
        kept = [f"DPkg::Options::=--path-include=/usr/share/doc/{name}/*" for name in KEPT_FOLDERS]
        options = ["-y", "-qq", "--no-install-recommends", "--reinstall"]
        options += [word for option in kept for word in ("-o", option)]
        apt(["install", *options, *carried], f"installing {' '.join(carried)}")


def apt(arguments: Sequence[str], purpose: str) -> None:
    """Run apt-get without questions; show what it said when it fails, and go on."""
    # Another apt may be at work on a machine that has just started: wait for it.
    run_quietly(
        ["apt-get", "-o", "DPkg::Lock::Timeout=600", *arguments],
        f"{purpose} did not work",
        environment={"DEBIAN_FRONTEND": "noninteractive"},
    )


def apt_carries(name: str) -> bool:
    """Say whether apt could install a package of this name."""
    shown = subprocess.run(["apt-get", "install", "-s", name], capture_output=True, check=False)
    return shown.returncode == 0


def loads(library: str) -> bool:
    """Say whether the dynamic linker finds a shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
