"""Tries the wheels of dist/ as a user would, in fresh Debian systems without this checkout.

Usage: sudo python3 packaging/wheel_trial.py [RELEASE...]

RELEASE is deb12, deb13, testing, unstable or what else chroots.py knows; without any, all four. In
each, an older version is installed without a network from a folder of wheels, upgraded to that of
dist/, used on the command line without Qt and then in the window, and uninstalled; then no file of
it may be left but the user's projects. A picture of the window is put into dist/trials.
Exit code 1 if something went wrong.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from environment import venv_python
from packages import DIST
from shell import REPO, SetupError
from system_packages import QT_LIBRARIES
from trial_steps import (
    ARCHIVE_AND_QUESTIONS,
    CLUSTER_IS_REFUSED,
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
from wheels import CORE, PURE, WINDOW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chroots import Chroot

RELEASES: Final = ("deb12", "deb13", "testing", "unstable")
OLDER: Final = "0.0.1"
_PIP: Final = "~/venv/bin/python -m pip --disable-pip-version-check -q"
_OFFLINE: Final = f"{_PIP} install --no-index --find-links /wheels"
_PATH: Final = "export PATH=~/venv/bin:$PATH\n"
_SITE: Final = "~/venv/lib/*/site-packages/gossamer"
_CHECK: Final = f"{_PIP} check\n"

STEPS_BEFORE_QT: Final = (
    Step(
        "an older gossamer-core installs without a network",
        f"python3 -m venv ~/venv; {_OFFLINE} gossamer-core=={OLDER}"
        f"; ~/venv/bin/gossamer --version | grep -F {OLDER}",
    ),
    Step("the older one crawls", _PATH + SITE + 'gossamer crawl "$url" -o old.gossamer -q'),
    Step(
        "it is upgraded, without Qt",
        f"{_OFFLINE} --upgrade gossamer-core; {_CHECK}"
        f"if ~/venv/bin/gossamer --version | grep -F {OLDER}; then false; fi\n"
        "if ls -d ~/venv/lib/*/*/PySide6; then false; fi",
    ),
    Step(
        "the command line crawls, audits, exports and compares",
        _PATH
        + SITE
        + """
        gossamer crawl "$url" -o shop.gossamer --export pages=pages.csv > report
        test -s report; test "$(wc -l < pages.csv)" -gt 20
        gossamer audit shop.gossamer > issues; grep -q H1 issues
        gossamer export shop.gossamer issues -o issues.xlsx; unzip -tq issues.xlsx
        gossamer compare old.gossamer shop.gossamer > changes; test -s changes
        """,
    ),
    ARCHIVE_AND_QUESTIONS.after(_PATH),
    CLUSTER_IS_REFUSED.after(_PATH),
    Step(
        "with the extra cluster, nodes crawl",
        f"{_OFFLINE} 'gossamer-core[cluster]'; {_CHECK}"
        + _PATH
        + SITE
        + """
        gossamer crawl "$url" -o nodes.gossamer --cluster local:2 --export pages=nodes.csv > report
        test "$(wc -l < nodes.csv)" = "$(wc -l < pages.csv)"
        """,
    ),
    IS_READ_IN_C.after(_PATH),
    Step(
        "without the library, the diagnostics say what to do",
        _PATH
        + """
        library=$(ls ~/venv/lib/*/site-packages/gossamer/extract/native/libnativewalk.so)
        mv $library ~/aside; gossamer info --diagnostics > said || true; mv ~/aside $library
        cat said; grep -q 'Reading pages in C: off .*install a C compiler' said
        """,
    ),
    Step(
        "the window asks for the package that has it, with exit code 2",
        _PATH
        + """
        code=0; DISPLAY=:7 gossamer 2> said || code=$?; cat said
        test $code = 2; grep -q "pip install gossamer" said; test "$(wc -l < said)" = 1
        """,
    ),
    Step("the window installs without a network", f"{_OFFLINE} 'gossamer[cluster]'; {_CHECK}"),
    QT_IS_NAMED.after(_PATH),
)
STEPS_IN_THE_WINDOW: Final = (
    opened("old.gossamer").after(_PATH),
    *window_steps(_PATH + "gossamer & program=$!\n", _SITE),
    Step(
        "the window of one version with the core of another says how to mend it",
        f"{_OFFLINE} --force-reinstall --no-deps gossamer-core=={OLDER}\n"
        + _PATH
        + """
        rm ~/venv/lib/*/site-packages/gossamer/session/session_factory.py  # as if it came later
        code=0; QT_QPA_PLATFORM=offscreen timeout 120 gossamer 2> said || code=$?; cat said
        test $code = 2; grep -q "install one version of both" said
        """
        + f"{_OFFLINE} --force-reinstall --no-deps gossamer-core; {_CHECK}",
    ),
    Step(
        "uninstalling leaves nothing of it but the person's projects",
        f"""
        {_PIP} uninstall -y gossamer gossamer-core
        test -z "$(find ~/venv -name '*ossamer*')"
        test -s shop.gossamer
        """,
    ),
)


def main(arguments: Sequence[str]) -> int:
    """Try them in each release; return the exit code."""
    with tempfile.TemporaryDirectory(prefix="gossamer-older-") as name:
        older: list[Path] = []  # made when first wanted

        def try_release(system: Chroot, release: str) -> int:
            older.extend(() if older else older_wheels(Path(name)))
            return tried(system, release, older)

        return try_in_each(arguments, __doc__, lambda: RELEASES, try_release)


def older_wheels(aside: Path) -> list[Path]:
    """Both wheels of what is checked out, as if it were of an older version."""
    copy = aside / "older"
    shutil.copytree(REPO, copy, ignore=shutil.ignore_patterns(".*", "build", "dist", "tests"))
    about = copy / "app" / "gossamer" / "__init__.py"
    text = re.sub(r'(?m)^__version__ = ".*"$', f'__version__ = "{OLDER}"', about.read_text("utf-8"))
    about.write_text(text, encoding="utf-8")
    for project in (CORE, WINDOW):
        command = [str(venv_python()), "-m", "hatchling", "build", "-t", "wheel", "-d", str(aside)]
        done = subprocess.run(
            command,
            cwd=copy / project.relative_to(REPO),
            env={**os.environ, PURE: "1"},
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise SetupError(f"no older wheel could be made:\n{done.stderr}")
    return list(aside.glob("*.whl"))


def tried(system: Chroot, release: str, older: Sequence[Path]) -> int:
    """Do all steps in a fresh system; returns how many failed."""
    system.install("python3", "python3-venv", "unzip")
    add_person(system)
    for wheel in (*DIST.glob("gossamer*.whl"), *older):
        system.copy(wheel, f"/wheels/{wheel.name}")
    system.copy(REPO / "packaging" / "constraints.txt", "/constraints.txt")
    steps = (as_root("what they need is fetched for this Python", fetching()), *STEPS_BEFORE_QT)
    if failed := failures(system, release, steps):
        return failed
    system.install(*WINDOW_TOOLS, *libraries(release))
    failed = failures(system, release, STEPS_IN_THE_WINDOW)
    keep_pictures(system, f"{release}-wheel")
    return failed


def fetching() -> str:
    """Lines that put what both distributions need beside them, and prove that all fits."""
    return (
        "python3 -m venv /fetch; /fetch/bin/python -m pip download -q --find-links /wheels"
        " --only-binary :all: -c /constraints.txt -d /wheels 'gossamer[cluster]'"
        "; chmod -R a+rX /wheels"
    )


def libraries(release: str) -> list[str]:
    """Debian's packages with the libraries that Qt takes from the system."""
    names = {"libglib2.0-0": "libglib2.0-0t64"} if release != "deb12" else {}
    return [names.get(each.name, each.name) for each in QT_LIBRARIES]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
