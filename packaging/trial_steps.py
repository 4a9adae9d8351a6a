"""What trials of packages do in fresh systems: steps of a user, as lines of a shell."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from chroots import fresh_chroot
from packages import DIST
from script_arguments import ANY_NUMBER, script_arguments
from shell import SetupError, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chroots import Chroot

PERSON: Final = "person"
HOME: Final = "/home/person"
WINDOW_TOOLS: Final = ("xvfb", "openbox", "scrot", "xdotool", "x11-utils")
"""Debian's packages that steps in a window need."""
SITE: Final = """
: > ~/site  # here, as the server's own shell may empty that of the step before too late
gossamer demo --serve > ~/site & site=$!
trap 'kill $site' EXIT
for i in $(seq 600); do grep -q http ~/site && break; sleep 0.1; done
url=$(grep -o 'http://[^ ]*' ~/site | head -1)
"""
"""Lines before those that crawl `$url`."""
DISPLAY: Final = """
Xvfb :7 -screen 0 1280x800x24 -nolisten tcp 2> ~/x.log & x=$!
trap 'kill $x; wait $x || true' EXIT
export DISPLAY=:7 GOSSAMER_NO_TOUR=1
for i in $(seq 100); do xdpyinfo > /dev/null 2>&1 && break; sleep 0.1; done
openbox & sleep 1
"""
"""Lines before those that open a window."""
WAIT_FOR_WINDOW: Final = (
    "window=$(timeout 60 xdotool search --sync --onlyvisible --name Gossamer | tail -1); sleep 6"
)
_TELL: Final = "trap 'echo \"it ended with $? at: $BASH_COMMAND\"' ERR\n"
"""What a step that fails says: its commands often fail without a word."""
_NEW: Final = "export XDG_CONFIG_HOME=$(mktemp -d)\n"
"""For windows that know nothing of what was done before."""
_STATE: Final = "$XDG_CONFIG_HOME/gossamer/window.ini"
_PICTURES: Final = DIST / "trials"


@dataclass(frozen=True)
class Step:
    """A thing that a user does, as lines of bash, which end at the first error.

    Bash takes `! command` for one in the last line alone: write `if command; then false; fi`.
    """

    sentence: str
    script: str
    as_person: bool = True
    network: bool = False

    def after(self, lines: str) -> Step:
        """The same, after these lines."""
        return replace(self, script=lines + self.script)


CLUSTER_IS_REFUSED: Final = Step(
    "without Dask, a cluster is refused in a sentence that says how to have one",
    """
    code=0; gossamer crawl http://127.0.0.1:9/ --cluster local:2 2> said || code=$?; cat said
    test $code = 2; grep -q "pip install 'gossamer-core\\[cluster\\]'" said
    test "$(wc -l < said)" = 1
    """,
)

_PAGES: Final = "SELECT address, title_1 FROM internal WHERE title_1 <> '' ORDER BY address"
ARCHIVE_AND_QUESTIONS: Final = Step(
    "pages are kept, imported, copied, read again, searched and asked in SQL",
    SITE
    + f"""
    gossamer crawl "$url" -o kept.gossamer -q --archive --full-text-search > /dev/null
    kill $site; trap - EXIT
    ls kept.archive/kept-*.warc.gz
    gossamer export kept.gossamer wacz -o kept.wacz
    gossamer import kept.wacz -o imported.gossamer -q > /dev/null
    for each in kept imported; do gossamer sql $each.gossamer "{_PAGES}" > $each.csv; done
    test "$(wc -l < kept.csv)" -gt 100; cmp kept.csv imported.csv
    gossamer export kept.gossamer offline -o copy; test -s copy/index.html
    gossamer audit --again kept.gossamer -q | grep -q H1
    gossamer search kept.gossamer workshop > found; grep -q /workshop/ found
    """,
)
IS_READ_IN_C: Final = Step(
    "pages are read in C, and the diagnostics say so",
    "gossamer info --diagnostics > said; cat said; grep -qx 'Reading pages in C: on' said",
)
QT_IS_NAMED: Final = Step(
    "without Qt's libraries, one of them is named, with exit code 2",
    """
    code=0; DISPLAY=:7 gossamer 2> said || code=$?; cat said
    test $code = 2; grep -q "Qt cannot be loaded (lib" said; test "$(wc -l < said)" = 1
    """,
)


def opened(project: str) -> Step:
    """A project opens in the window."""
    return Step(
        f"{project} opens in the window",
        DISPLAY
        + f"""
        gossamer ~/{project} & program=$!
        {WAIT_FOR_WINDOW}
        scrot --overwrite ~/window.png
        kill $program; wait $program
        """,
    )


def window_steps(start: str, home: str) -> tuple[Step, ...]:
    """What a user sees in the window that the lines `start` open, installed in `home`.

    `home` is the folder of the package gossamer, which a shell may expand.
    """
    help_opens = f"""
    {WAIT_FOR_WINDOW}
    xdotool key 67  # F1 by its code: by its name, xdotool presses Alt too in Debian testing
    timeout 60 xdotool search --sync --onlyvisible --name 'Gossamer help'; sleep 2
    xdotool type 'Tutorial: your first crawl'; xdotool key Return
    timeout 60 xdotool search --sync --onlyvisible --name 'first crawl - Gossamer help'; sleep 2
    scrot --overwrite ~/help.png
    """
    close = "\nkill $program; wait $program\n"
    return (
        Step(
            "the help has pages, and the pictures that they show",
            f"""
            cd {home}/resources/help/pages
            test "$(grep -o '"zh/[a-z-]*"' pages.json | sort -u | wc -l)" -gt 5
            pictures=$(grep -o '](images/[a-z-]*\\.png)' pages.json | tr -d ']()' | sort -u)
            test "$(echo "$pictures" | wc -l)" -gt 5
            for each in $pictures; do test -s $each; done
            """,
        ),
        Step(
            "F1 opens the help, where no tour is wanted",
            DISPLAY + _NEW + start + help_opens + close + f"! grep tour= {_STATE}",
        ),
        Step(
            "the first start begins the tour",
            DISPLAY
            + _NEW
            + "unset GOSSAMER_NO_TOUR\n"
            + start
            + f"{WAIT_FOR_WINDOW}; scrot --overwrite ~/tour.png"
            + close
            + f"grep tour=started {_STATE}",
        ),
    )


def as_root(sentence: str, script: str) -> Step:
    """What root does, with a network: to install and remove."""
    return Step(sentence, script, as_person=False, network=True)


def add_person(system: Chroot) -> None:
    """Have somebody without rights there."""
    system.run(["useradd", "--create-home", "--home-dir", HOME, "--shell", "/bin/bash", PERSON])


def try_in_each(
    arguments: Sequence[str],
    usage: str | None,
    releases: Callable[[], Sequence[str]],
    tried: Callable[[Chroot, str], int],
) -> int:
    """Try something in a fresh system of each release that the arguments name; the exit code.

    `releases` are those where they name none; `tried` returns how many steps failed.
    """
    named, _ = script_arguments(usage, arguments, operands=ANY_NUMBER)
    failed = 0
    try:
        for release in named or releases():
            with fresh_chroot(release) as system:
                failed += tried(system, release)
    except SetupError as error:
        say(str(error))
        return 1
    say(f"{failed} steps failed." if failed else "every step worked.")
    return int(failed > 0)


def keep_pictures(system: Chroot, label: str) -> None:
    """Put the pictures that steps made into dist/trials, under names that begin with `label`."""
    for picture in system.path(HOME).glob("*.png"):
        _PICTURES.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, _PICTURES / f"{label}-{picture.name}")


def failures(system: Chroot, release: str, steps: Sequence[Step]) -> int:
    """Do these steps, say how each went, and return how many failed."""
    failed = 0
    for step in steps:
        result = done(system, step)
        say(f"{release}: {step.sentence}: {'FAILED' if result.returncode else 'yes'}")
        if result.returncode:
            print(result.stdout)
            failed += 1
    return failed


def done(system: Chroot, step: Step) -> subprocess.CompletedProcess[str]:
    """Do one step; what it prints is in the result."""
    command = ["bash", "-Eeuo", "pipefail", "-c", _TELL + step.script]
    if step.as_person:
        command = ["runuser", "-u", PERSON, "--", "env", "-C", HOME, f"HOME={HOME}", *command]
    return system.run(
        command,
        network=step.network,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
