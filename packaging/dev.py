"""Sets Gossamer up and runs it, its tests and its checks, from a fresh checkout.

Usage:
    python3 packaging/dev.py run [ARGS...]      start gossamer with these arguments
    python3 packaging/dev.py test [ARGS...]     run the tests; arguments go to pytest
    python3 packaging/dev.py check [--fix]      lint, format, types and import contracts
    python3 packaging/dev.py check --sanitize   what is in C, over a corpus, with sanitizers
    python3 packaging/dev.py generate           bring what is made from declarations up to date
    python3 packaging/dev.py docs               build the documentation, check its links
    python3 packaging/dev.py bench [NAME...]    make the figures of docs/performance.md
    python3 packaging/dev.py package KIND       make packages in dist/; KIND --help tells more
    python3 packaging/dev.py setup              only install what the other verbs need

Each verb first installs what it needs and the machine lacks: system libraries through apt when
root (otherwise the line to run is printed), the Python packages into .venv. It needs nothing but
Python 3.11, and costs a fraction of a second when everything is there.
"""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from axe_core import prepare_axe
from bench_peers import prepare_peers
from environment import faster_python, prepare_venv, venv_python
from generated_files import generate as generate_files
from help_pages import build_help_pages
from lexbor_build import build_lexbor
from native_library import (
    FOLDER,
    SOURCE_NAME,
    STANDARD,
    build_native_library,
    compiler,
    run_sanitized,
)
from packages import KINDS, build_packages, kind_parser
from script_arguments import EXIT_USAGE, ScriptParser
from shell import REPO, SetupError, become, say
from system_packages import (
    BENCH_PACKAGES,
    COMPILER,
    QT_LIBRARIES,
    TEST_PROGRAMS,
    install_system_packages,
    listed,
)
from translations import build_translations

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

OLDEST, NEWEST = (3, 11), (3, 14)
# import-linter is a command only, no module that python -m could start.
LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"
EXIT_FAILED, EXIT_INTERRUPTED = 1, 130


def main(arguments: Sequence[str]) -> int:
    """Run the verb that `arguments` begins with and return the exit code."""
    verbs: dict[str, Callable[[list[str]], int]] = {
        "run": run,
        "test": test,
        "check": check,
        "generate": generate,
        "docs": docs,
        "bench": bench,
        "package": package,
        "setup": setup,
    }
    parser = ScriptParser(__doc__)
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        parser.print_help(sys.stdout if arguments else sys.stderr)
        return 0 if arguments else EXIT_USAGE
    if arguments[0] not in verbs:
        parser.error(f"there is no verb {arguments[0]}, but {', '.join(verbs)}")
    if python := faster_python(sysconfig.get_config_var("CONFIG_ARGS") or ""):
        return become([python, __file__, *arguments])
    try:
        refuse_other_pythons()
        return verbs[arguments[0]](list(arguments[1:]))
    except SetupError as error:
        say(str(error))
        return EXIT_FAILED
    except KeyboardInterrupt:
        say("interrupted.")
        return EXIT_INTERRUPTED


def run(arguments: list[str]) -> int:
    """Start gossamer in place of this process, or its demo where no window can open."""
    wants_window = not arguments
    if wants_window and not has_display():
        say("there is no display for a window, so Gossamer crawls its demo site in this terminal.")
        wants_window, arguments = False, ["demo"]
    missing = install_system_packages(QT_LIBRARIES)
    if missing and wants_window:
        raise SetupError(f"the window needs {listed(missing)}: install that, then try again.")
    prepare()
    # -P: a folder named gossamer where the user stands must not be taken for ours.
    return become([str(venv_python()), "-P", "-m", "gossamer", *arguments])


def test(arguments: list[str]) -> int:
    """Run pytest in place of this process; Qt draws off screen unless told otherwise."""
    missing = install_system_packages(QT_LIBRARIES + COMPILER + TEST_PROGRAMS)
    if qt := [package for package in missing if package in QT_LIBRARIES]:
        raise SetupError(f"the window's tests need {listed(qt)}: install that, then try again.")
    if missing:
        say(f"tests that need {listed(missing)} are skipped.")
    prepare()
    os.chdir(REPO)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    # Large pages of memory, as far as glibc knows them: less processor time for the window's tests.
    os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
    # pytest compiles its plugins with their assertions rewritten, in a second: once is enough.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # The whole suite with five processes for two cores, as many tests wait for other processes;
    # folders of it with four: those of tests/unit wait for nothing. A file is a process's own,
    # which makes the fixtures of its module once, and they come in the order of tests/conftest.py.
    # Any other choice of tests in one process, where a debugger can follow.
    at_once = str((4 if arguments else 5) * (os.cpu_count() or 1) // 2)
    # With xdist, one that crashes is a failure and not replaced: version 3.8 hangs then.
    elsewhere = [
        "-n",
        at_once,
        "--max-worker-restart=0",
        "--dist=loadfile",
        "--no-loadscope-reorder",
    ]
    shared_out = ["--forks", at_once] if sys.platform == "linux" else elsewhere
    is_many = all((REPO / argument).is_dir() for argument in arguments)
    how = shared_out if is_many else []
    return become([str(venv_python()), "-m", "pytest", *how, *arguments])


def check(arguments: list[str]) -> int:
    """Run every static check at once and show what each failing one says."""
    parser = verb_parser("check")
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--fix", action="store_true")
    either.add_argument("--sanitize", action="store_true")
    wanted = parser.read(arguments)
    prepare_venv()
    python = str(venv_python())
    if wanted.sanitize:
        return run_sanitized(python)
    if wanted.fix:
        for fixer in (["check", "--fix-only", "--quiet"], ["format", "--quiet"]):
            subprocess.run([python, "-m", "ruff", *fixer], cwd=REPO, check=False)
    commands = {
        "lint": [python, "-m", "ruff", "check", "--quiet"],
        "format": [python, "-m", "ruff", "format", "--check"],
        "types": [python, "-m", "mypy", "app", "tests", "packaging"],
        "imports": [python, "-c", LINT_IMPORTS, "--no-logo"],
    }
    if c := compiler():
        commands["C"] = [c, *STANDARD, "-Werror", "-fsyntax-only", str(FOLDER / SOURCE_NAME)]
    with ThreadPoolExecutor(len(commands)) as pool:
        passed = list(pool.map(report_check, commands.keys(), commands.values()))
    return 0 if all(passed) else EXIT_FAILED


def report_check(name: str, command: list[str]) -> bool:
    """Run one check, print its verdict in one piece, and say whether it passed."""
    began = time.monotonic()
    done = subprocess.run(
        command,
        cwd=REPO,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    verdict = "passed" if done.returncode == 0 else "FAILED"
    said = "" if done.returncode == 0 else done.stdout.rstrip() + "\n"
    sys.stdout.write(f"{said}{name}: {verdict} ({time.monotonic() - began:.1f} s)\n")
    sys.stdout.flush()
    return done.returncode == 0


def generate(arguments: list[str]) -> int:
    """Bring every file up to date that is made from declarations in the code."""
    verb_parser("generate").read(arguments)
    prepare()
    return generate_files(venv_python())


def docs(arguments: list[str]) -> int:
    """Build the documentation in place of this process; Gossamer checks its links."""
    verb_parser("docs").read(arguments)
    prepare()
    return become([str(venv_python()), str(REPO / "packaging" / "documentation.py")])


def bench(arguments: list[str]) -> int:
    """Run benchmarks in place of this process, against the peers that can be installed."""
    if not {"-h", "--help"} & set(arguments):
        missing = install_system_packages(QT_LIBRARIES + COMPILER + TEST_PROGRAMS + BENCH_PACKAGES)
        if missing:
            say(f"benchmarks that need {listed(missing)} do without, or are left out.")
        prepare_peers()
    prepare()
    os.chdir(REPO)
    return become([str(venv_python()), "-m", "tests.bench", *arguments])


def package(arguments: list[str]) -> int:
    """Make packages of one kind from what is checked out."""
    kind = arguments[0] if arguments else ""
    if kind not in KINDS:
        parser = verb_parser("package")
        parser.parse_known_args(arguments)  # which may ask for help
        parser.error(f"say which kind of package to make: {', '.join(KINDS)}")
    options = kind_parser(kind).read(arguments[1:])
    prepare(retry=True)
    build_packages(kind, options)
    return 0


def setup(arguments: list[str]) -> int:
    """Install what the other verbs need and start nothing."""
    verb_parser("setup").read(arguments)
    missing = install_system_packages(QT_LIBRARIES + COMPILER + TEST_PROGRAMS, retry=True)
    prepare(retry=True)
    if missing:
        raise SetupError(f"everything is set up but {listed(missing)}.")
    say("everything is set up.")
    return 0


def verb_parser(verb: str) -> ScriptParser:
    """Of a verb that has no words for other programs."""
    return ScriptParser(__doc__, f"dev.py {verb}")


def prepare(*, retry: bool = False) -> None:
    """Bring everything up to date that a start of Gossamer needs.

    Packages, translations, what is in C, the parser, axe-core, and bytecode, which pip makes of
    what it installs: where Python is told to write none, each process of ours would compile every
    module anew, twice the time to import.
    """
    prepare_venv()
    build_translations(venv_python())
    build_help_pages()
    build_native_library()
    build_lexbor(venv_python(), retry=retry)
    prepare_axe(venv_python(), retry=retry)
    compileall.compile_dir(REPO / "app" / "gossamer", quiet=2)


def refuse_other_pythons() -> None:
    """Raise SetupError unless this Python is one that Gossamer supports."""
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        names = [f"python3.{minor}" for minor in range(NEWEST[1], OLDEST[1] - 1, -1)]
        found = next((name for name in names if shutil.which(name)), None)
        hint = f"run this with {found} instead" if found else "install one of them"
        raise SetupError(
            f"Gossamer needs Python 3.11 to 3.{NEWEST[1]} and this is {sys.version.split()[0]}:"
            f" {hint}.",
        )


def has_display() -> bool:
    """Say whether Qt has somewhere to open a window."""
    if sys.platform in {"win32", "darwin"}:
        return True
    return any(os.environ.get(key) for key in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
