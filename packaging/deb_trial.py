"""Tries the Debian packages of dist/ as a user would, in fresh systems without this checkout.

Usage: sudo python3 packaging/deb_trial.py [RELEASE...]

RELEASE is deb12, deb13, testing or what else chroots.py knows; without any, those that dist/ has
packages for. In each, gossamer-core and then gossamer are installed, an older version is upgraded,
a user without rights crawls, audits, exports and opens a project in the window, and everything is
removed; then no file may be left but the user's. A picture of the window is put into
dist/trials. Exit code 1 if something went wrong.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Final

from chroots import RELEASES
from deb import PACKAGES, DebianRelease
from packages import DIST
from shell import SetupError, say
from trial_steps import (
    ARCHIVE_AND_QUESTIONS,
    CLUSTER_IS_REFUSED,
    DISPLAY,
    HOME,
    SITE,
    WAIT_FOR_WINDOW,
    WINDOW_TOOLS,
    Step,
    add_person,
    as_root,
    done,
    failures,
    keep_pictures,
    try_in_each,
    window_steps,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chroots import Chroot

TOOLS: Final = (
    *("appstream", "desktop-file-utils", "file", "libglib2.0-bin"),
    *("shared-mime-info", "hicolor-icon-theme", *WINDOW_TOOLS),
)
DEBS: Final = "/debs"
OLD_DEBS: Final = "/old-debs"
_NOTHING_KEPT: Final = " ".join(
    f"-o APT::AutoRemove::{what}Important=false" for what in ("Recommends", "Suggests")
)
"""So that what came with Gossamer goes, also where something else would recommend it."""
MOST_TOLD: Final = 40
"""Of the files that are not as before."""
_OLD_VERSION: Final = "0.0.1-1"
_LEFT_OVER: Final = "/usr/lib/gossamer/left-over"
"""A file that only the older version has."""
_CHANGING: Final = (
    *("/var/lib/dpkg", "/var/lib/apt", "/var/cache", "/var/log", HOME, OLD_DEBS),
    "/tmp",  # noqa: S108 - of the system that is tried in
)
"""What installing anything changes, and what is the user's own."""
_REMADE: Final = ("/etc/ld.so.cache", "/var/lib/systemd", "/var/lib/ucf")

CORE_STEPS: Final = (
    as_root(
        "gossamer-core installs",
        f"apt-get -qq install --no-install-recommends {DEBS}/gossamer-core_*",
    ),
    Step(
        "the command line crawls, audits and exports without Qt",
        SITE
        + """
        gossamer --version
        gossamer crawl "$url" -o shop.gossamer --export pages=pages.csv > report
        test -s report; test "$(wc -l < pages.csv)" -gt 20
        gossamer audit shop.gossamer > issues; grep -q 'H1' issues
        gossamer export shop.gossamer issues -o issues.xlsx; file issues.xlsx | grep -q Microsoft
        gossamer recrawl shop.gossamer -o again.gossamer > /dev/null
        gossamer compare shop.gossamer again.gossamer > changes; test -s changes
        gossamer info --diagnostics shop.gossamer | grep -x 'Reading pages in C: on'
        """,
    ),
    ARCHIVE_AND_QUESTIONS,
    CLUSTER_IS_REFUSED,
    Step(
        "the window asks for the package that has it",
        """
        code=0; DISPLAY=:7 gossamer 2> said || code=$?; cat said
        test $code = 2; grep -q "apt install gossamer" said; test "$(wc -l < said)" = 1
        """,
    ),
    Step(
        "a name that is taken where one stands does not matter",
        "mkdir -p gossamer && echo 'raise SystemExit(9)' > gossamer/__init__.py"
        " && gossamer --version && rm -r gossamer",
    ),
    Step(
        "shells complete and the manual page is there",
        """
        test -s /usr/share/man/man1/gossamer.1.gz
        bash -c '. /usr/share/bash-completion/completions/gossamer
            COMP_WORDS=(gossamer cr) COMP_CWORD=1; _gossamer_completion gossamer
            [ "${COMPREPLY[*]}" = "crawl crawlers" ]'
        """,
    ),
)
WINDOW_STEPS: Final = (
    as_root(
        "gossamer installs beside it",
        f"apt-get -qq install --no-install-recommends {DEBS}/gossamer_*",
    ),
    Step(
        "the desktop knows the program and its files",
        """
        desktop-file-validate /usr/share/applications/org.gossamer.Gossamer.desktop
        appstreamcli validate --strict --no-net /usr/share/metainfo/org.gossamer.*.xml
        cp shop.gossamer without-suffix
        for each in shop.gossamer without-suffix; do
            gio info -a standard::content-type $each | grep application/x-gossamer-project
        done
        gio mime application/x-gossamer-project | grep -q org.gossamer.Gossamer.desktop
        """,
    ),
    Step(
        "a project opens in the window by its menu entry",
        DISPLAY
        + f"""
        gio launch /usr/share/applications/org.gossamer.Gossamer.desktop ~/shop.gossamer &
        {WAIT_FOR_WINDOW}
        xprop -id $window WM_CLASS | grep -q '"Gossamer"'
        scrot --overwrite ~/window.png
        xdotool windowclose $window || true
        """,
    ),
    Step(
        "a file that is not there is told of in the window",
        DISPLAY
        + f"""
        gossamer ~/gone.gossamer & program=$!
        {WAIT_FOR_WINDOW}
        scrot --overwrite ~/gone.png
        kill $program
        wait $program
        """,
    ),
    *window_steps("gossamer & program=$!\n", "/usr/lib/gossamer/lib/*/site-packages/gossamer"),
)
LAST_STEPS: Final = (
    as_root("it is removed", "apt-get -qq remove gossamer gossamer-core"),
    Step("nothing of it is left", "test ! -e /usr/lib/gossamer -a ! -e /usr/bin/gossamer"),
    as_root(
        "it is purged, with what came with it",
        f"dpkg --purge gossamer gossamer-core; apt-get -qq {_NOTHING_KEPT} autoremove --purge",
    ),
    Step("the person's projects stay", "test -s shop.gossamer"),
)
UPGRADE_STEPS: Final = (
    as_root(
        "an older version installs", f"apt-get -qq install --no-install-recommends {OLD_DEBS}/*"
    ),
    as_root("it is upgraded", f"apt-get -qq install --no-install-recommends {DEBS}/*"),
    Step(
        "what only the older one had is gone, and its projects open",
        f"test ! -e {_LEFT_OVER}; gossamer info shop.gossamer | grep 'State: *finished'",
    ),
    as_root("the older one comes back", f"apt-get -qq install --allow-downgrades {OLD_DEBS}/*"),
)


def main(arguments: Sequence[str]) -> int:
    """Try them in each release; return the exit code."""
    return try_in_each(arguments, __doc__, packaged_releases, tried)


def packaged_releases() -> list[str]:
    """The releases that dist/ has packages for, by the ends of their names.

    Those of testing end with its codename, as it has no number yet.
    """
    found = {path.name.partition("~")[2].partition("_")[0] for path in DIST.glob("gossamer_*.deb")}
    if not found:
        raise SetupError("dist has no packages: make some with dev.py package deb.")
    return sorted({each if each in RELEASES else "testing" for each in found})


def tried(system: Chroot, release: str) -> int:
    """Do all steps in a fresh system; returns how many failed."""
    system.install("python3", *TOOLS)
    copy_packages(system)
    make_older(system)
    add_person(system)
    before = files_of(system)
    failed = failures(system, release, CORE_STEPS) + failures(system, release, WINDOW_STEPS)
    keep_pictures(system, release)
    failed += failures(system, release, LAST_STEPS) + told_changes(
        before, files_of(system), release
    )
    failed += failures(system, release, UPGRADE_STEPS) + failures(system, release, LAST_STEPS)
    return failed + told_changes(before, files_of(system), release)


def copy_packages(system: Chroot) -> list[str]:
    """Have the packages for this release, which has its Python, in it; where they are there."""
    python = system.path("/usr/bin/python3").readlink().name
    target = DebianRelease.of(system.path("/etc/os-release").read_text("utf-8"), python)
    copied = []
    for package in PACKAGES:
        (deb,) = DIST.glob(f"{package}_*~{target.label}_*.deb")
        copied.append(f"{DEBS}/{deb.name}")
        system.copy(deb, copied[-1])
    return copied


def make_older(system: Chroot) -> None:
    """Make packages of an older version, which have a file that the newer ones lack."""
    script = f"""
    mkdir {OLD_DEBS}
    for deb in {DEBS}/*; do
        dpkg-deb --raw-extract $deb /old
        sed -i 's/^Version: .*/Version: {_OLD_VERSION}/' /old/DEBIAN/control
        sed -i 's/gossamer-core (= [^)]*)/gossamer-core (= {_OLD_VERSION})/' /old/DEBIAN/control
        case $deb in *-core*) echo old > /old{_LEFT_OVER};; esac
        dpkg-deb -Znone --build /old {OLD_DEBS} > /dev/null
        rm -r /old
    done
    """
    made = done(system, Step("an older version is made", script, as_person=False))
    if made.returncode:
        raise SetupError(f"no older version could be made:\n{made.stdout}")


def files_of(system: Chroot) -> Mapping[str, str]:
    """What is in the system: to each path what shows whether it is another."""
    script = r"find / -xdev \( -path /proc -o -path /dev \) -prune -o -printf '%p\t%y%s%l\n'"
    told = system.run(["sh", "-c", script], stdout=subprocess.PIPE, text=True).stdout
    lines = (line.rpartition("\t") for line in told.splitlines())
    return {
        path: state if not state.startswith("d") else "d"
        for path, _, state in lines
        if not path.startswith((*_CHANGING, *_REMADE))
    }


def told_changes(before: Mapping[str, str], after: Mapping[str, str], release: str) -> int:
    """Say what differs; returns 1 if something does."""
    changed = sorted(
        path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    )
    verdict = f"NO, {len(changed)} files" if changed else "yes"
    say(f"{release}: the system is as it was before: {verdict}")
    print("".join(f"    {path}\n" for path in changed[:MOST_TOLD]), end="")
    return int(bool(changed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
