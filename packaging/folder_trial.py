"""Tries the frozen folder of dist/ as a user would, in systems without Python or this checkout.

Usage: sudo python3 packaging/folder_trial.py [RELEASE...]

RELEASE is deb12, deb13 or what else chroots.py knows; without any, these two. In each, the folder
is unpacked into a system that has nothing but Debian's essential packages. Somebody without rights
crawls, audits, exports, compares and resumes (folder/journey.sh). When the system has what every
desktop has, they open the window. Pictures are put into dist/trials. Exit code 1 if something
went wrong.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from frozen_folder import archive_name
from packages import DIST
from shell import REPO, SetupError
from trial_steps import (
    CLUSTER_IS_REFUSED,
    HOME,
    IS_READ_IN_C,
    QT_IS_NAMED,
    SITE,
    WINDOW_TOOLS,
    Step,
    add_person,
    as_root,
    failures,
    keep_pictures,
    opened,
    try_in_each,
    window_steps,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chroots import Chroot

RELEASES: Final = ("deb12", "deb13")
_PROGRAM: Final = f"{HOME}/gossamer/gossamer"
_PATH: Final = "export PATH=~/gossamer:$PATH\n"
_OF_DESKTOPS: Final = ("libgl1", "libegl1", "fontconfig", "fonts-dejavu-core")
"""What the window needs of a system, and each with a desktop has."""

STEPS_BEFORE_QT: Final = (
    Step("there is no Python", "! command -v python3"),
    Step(
        "the command line does what people do",
        f"sh /journey.sh {_PROGRAM}; {_PROGRAM} demo > shown; test -s shown",
    ),
    IS_READ_IN_C.after(_PATH),
    CLUSTER_IS_REFUSED.after(_PATH),
    Step(
        "the licences of what is inside are there",
        """
        cd gossamer; test -s LICENSE -a -s LICENSES/README.txt -a -s LICENSES/qt/LGPL-3
        for each in aiohttp axe-core lxml numpy pyinstaller python selectolax; do
            test -n "$(ls LICENSES/$each)"
        done
        """,
    ),
    QT_IS_NAMED.after(_PATH),
)
STEPS_IN_THE_WINDOW: Final = (
    Step(
        "no start compiles PySide's modules",
        "ls gossamer/_internal/shiboken6/files.dir/shibokensupport/signature/__pycache__/loader.*",
    ),
    Step("a project is there", _PATH + SITE + 'gossamer crawl "$url" -o shop.gossamer -q'),
    opened("shop.gossamer").after(_PATH),
    *window_steps(_PATH + "gossamer & program=$!\n", "~/gossamer/_internal/gossamer"),
    Step("the folder is all that there was", "rm -r gossamer; test -s shop.gossamer"),
)


def main(arguments: Sequence[str]) -> int:
    """Try it in each release; return the exit code."""
    return try_in_each(arguments, __doc__, lambda: RELEASES, tried)


def tried(system: Chroot, release: str) -> int:
    """Do all steps in a fresh system; returns how many failed."""
    archive = DIST / f"{archive_name()}.tar.xz"
    if not archive.exists():
        raise SetupError(f"dist has no {archive.name}: make it with dev.py package folder.")
    system.install("xz-utils")
    add_person(system)
    system.copy(archive, "/folder.tar.xz")
    system.copy(REPO / "packaging" / "folder" / "journey.sh", "/journey.sh")
    unpack = (
        f"mkdir {HOME}/gossamer; tar -C {HOME}/gossamer --strip-components 1 -xf /folder.tar.xz"
    )
    unpacked = as_root("it is unpacked", f"{unpack}; chown -R person {HOME}/gossamer")
    if failed := failures(system, release, (unpacked, *STEPS_BEFORE_QT)):
        return failed
    system.install(*_OF_DESKTOPS, *WINDOW_TOOLS)
    failed = failures(system, release, STEPS_IN_THE_WINDOW)
    keep_pictures(system, f"{release}-folder")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
