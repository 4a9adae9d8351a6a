"""Who crawls against whom: each a command line that crawls one site and ends."""

import json
import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.bench.report import say
from tests.bench.series import PRODUCT

REPO: Final = Path(__file__).resolve().parents[2]
PYTHON: Final = REPO / ".venv" / "bin" / "python"
PEERS_PYTHON: Final = REPO / ".venv-bench" / "bin" / "python"
CONCURRENCY: Final = 16
LIMIT_S: Final = 900.0


@dataclass(frozen=True, slots=True)
class Contestant:
    """`command` makes the command line from a root URL and a folder for whatever is written.

    `seconds` finds in what it printed how long the crawl itself took, process start left out;
    None if it does not tell.
    """

    name: str
    command: Callable[[str, Path], list[str]]
    seconds: Callable[[str], float | None]


def told(output: str) -> float | None:
    """The `seconds` of the JSON object that a contestant printed."""
    return float(json.loads(output)["seconds"])


def _silent(_output: str) -> float | None:
    return None


def gossamer(root: str, out: Path, *options: str) -> list[str]:
    """The product's command line, storing everything."""
    project = str(out / "crawl.gossamer")
    return [
        *(str(PYTHON), "-P", "-m", "gossamer", "crawl", root, "-o", project, "--json", "-q"),
        *("--workers", str(CONCURRENCY), "--no-robots", *options),
    ]


def _peer(script: str, *arguments: str) -> list[str]:
    path = Path(__file__).parent / "peers" / script
    return [str(PEERS_PYTHON), "-P", str(path), *arguments]


def _wget2(root: str, _out: Path) -> list[str]:
    return [
        *("wget2", "--no-config", "-q", "-r", "-l", "inf", "--robots=off", "--hsts=off"),
        *(f"--max-threads={CONCURRENCY}", "-O", "/dev/null", root),
    ]


ALL: Final = (
    Contestant(PRODUCT, gossamer, told),
    Contestant(
        "Scrapy",
        lambda root, out: _peer("scrapy_crawl.py", root, str(CONCURRENCY), str(out / "feed.csv")),
        told,
    ),
    Contestant("Crawlee", lambda root, _: _peer("crawlee_crawl.py", root, str(CONCURRENCY)), told),
    Contestant("original", lambda root, _: _peer("original.py", root, str(CONCURRENCY)), told),
    Contestant("wget2", _wget2, _silent),
)


def present(names: list[str]) -> list[Contestant]:
    """The contestants of these names (all without names) that this machine has."""
    found = []
    for contestant in ALL:
        if names and contestant.name.lower() not in {*map(str.lower, names), PRODUCT.lower()}:
            continue
        program = contestant.command("", Path())[0]
        if shutil.which(program) is None:
            say(f"{contestant.name} is left out: there is no {program}")
            continue
        found.append(contestant)
    return found


@dataclass(frozen=True, slots=True)
class Ran:
    """One run: the whole process's wall time, and the crawl's own as far as it was told.

    `cpu_s` is the processor time of the process and its children, user and system.
    """

    wall_s: float
    crawl_s: float | None
    cpu_s: float


def run(contestant: Contestant, root: str, out: Path, home: Path) -> Ran:
    """Let it crawl; `out` is emptied before. RuntimeError with its words if it fails."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    command = contestant.command(root, out)
    cpu_before, began = cpu_of_children_s(), time.perf_counter()
    done = subprocess.run(
        command,
        cwd=REPO if contestant.name == PRODUCT else out,
        env=environment(home),
        check=False,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        timeout=LIMIT_S,
    )
    wall_s, cpu_s = time.perf_counter() - began, cpu_of_children_s() - cpu_before
    # wget2 answers 8 when any URL of the site was an error, which is the site's matter.
    if done.returncode not in ({0, 8} if contestant.name == "wget2" else {0}):
        raise RuntimeError(f"{contestant.name} failed:\n{done.stderr[-2000:]}")
    return Ran(wall_s, contestant.seconds(done.stdout), cpu_s)


def cpu_of_children_s() -> float:
    """Processor time of all children that have ended so far, and of theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment without the user's own settings, and without proxies."""
    kept = {key: value for key, value in os.environ.items() if "proxy" not in key.lower()}
    folders = {f"XDG_{name}_HOME": str(home) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    return {**kept, "HOME": str(home), **folders, **(more or {})}
