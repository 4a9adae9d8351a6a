"""`profile`: where the time goes per page, stage by stage, in host and page workers.

py-spy looks at each process some hundred times a second; a moment belongs to the innermost frame
that a rule knows.
"""

import argparse
import asyncio
import linecache
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from gossamer.model.crawl_state import LIVE
from tests.bench.contestants import CONCURRENCY, PEERS_PYTHON
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series
from tests.bench.sessions import crawling, until
from tests.bench.sites import BenchSite, installed, serve
from tests.sites.documentation import NotInstalledError

RATE: Final = 200
"""Looks per second and process."""
HOST: Final = "host"
WORKERS: Final = "page workers"
OTHER: Final = "loop and rest"
_LIMIT_S: Final = 300.0
_FRAME: Final = re.compile(r"(?P<function>.+) \((?P<file>.+):(?P<line>\d+)\)$")


@dataclass(frozen=True, slots=True)
class Rule:
    """Frames in files whose path has `path`, of functions whose qualified name ends with
    `function`, on lines that contain `source`.
    """

    stage: str
    path: str
    function: str = ""
    source: str = ""

    def holds(self, function: str, file: str, line: int) -> bool:
        """Whether the rule knows this frame."""
        return (
            self.path in file
            and f".{function}".endswith(self.function and f".{self.function}")
            and (not self.source or self.source in linecache.getline(file, line))
        )


WAITING: Final = "waiting"
"""Not counted: threads that py-spy takes for busy while they wait for work."""
RULES: Final = (
    Rule(WAITING, "/concurrent/futures/thread.py", function="_worker"),
    Rule(WAITING, "/threading.py", function="wait"),
    Rule(WAITING, "/subprocess.py", function="_wait"),
    Rule(OTHER, "/app/gossamer/ipc/child_loop.py"),
    Rule(OTHER, "/app/gossamer/__main__.py"),
    Rule("start", "<frozen importlib"),
    Rule("start", "", function="<module>"),
    Rule("parse", "/app/gossamer/extract/", source="LexborHTMLParser("),
    Rule("join", "/app/gossamer/extract/links.py"),
    Rule("extract", "/app/gossamer/extract/"),
    Rule("encode", "/app/gossamer/ipc/channel.py", function="frame"),
    Rule("decode", "/app/gossamer/ipc/channel.py", function="FrameReader._decoded"),
    Rule("pass on", "/app/gossamer/ipc/"),
    Rule("pass on", "/app/gossamer/crawl_host/worker_pool.py"),
    Rule("admit", "/app/gossamer/engine/"),
    Rule("write", "/app/gossamer/store/"),
    Rule("fetch", "/app/gossamer/fetch/"),
    Rule("fetch", "/aiohttp/"),
)
STAGES: Final = tuple(dict.fromkeys([*(rule.stage for rule in RULES), OTHER]))
"""All stages; `pass on` is the way of messages between host and page workers but for the codec."""


def benchmark(options: argparse.Namespace) -> Findings:
    """Crawl each site once, watched."""
    program = PEERS_PYTHON.with_name("py-spy")
    if not program.exists():
        raise NotInstalledError("needs py-spy, which dev.py bench puts into .venv-bench")
    series: list[Series] = []
    with tempfile.TemporaryDirectory(prefix="gossamer-bench-") as name:
        tmp = Path(name)
        for site in installed(options.site or ["cppreference"]):
            pages, raw = asyncio.run(_watch(site, program, tmp))
            for process, files in raw.items():
                lines = (line for file in files for line in file.read_text().splitlines())
                series += _series(site.name, process, stages(lines), pages)
    return Findings("profile", series, notes=_NOTES)


async def _watch(site: BenchSite, program: Path, tmp: Path) -> tuple[int, dict[str, list[Path]]]:
    """Pages crawled, and py-spy's files by kind of process."""
    with ExitStack() as stack:
        root = stack.enter_context(serve(site, tmp))
        async with crawling(root, workers=CONCURRENCY) as session:
            host = psutil.Process(session.host_pid)
            await until(lambda: len(host.children()) >= (psutil.cpu_count() or 1), _LIMIT_S)
            workers = [child.pid for child in host.children()]
            spies = {
                tmp / f"{pid}.raw": _spy(program, pid, tmp / f"{pid}.raw")
                for pid in (host.pid, *workers)
            }
            await until(lambda: session.state not in LIVE, _LIMIT_S)
            pages = session.progress.pages
        for spy in spies.values():
            await asyncio.to_thread(spy.wait, _LIMIT_S)
        files = [path for path in spies if path.exists()]
        say(f"  {site.name}: {pages} pages, {len(files)} of {len(spies)} processes watched")
        return pages, {
            HOST: [path for path in files if path.stem == str(host.pid)],
            WORKERS: [path for path in files if path.stem != str(host.pid)],
        }


def _spy(program: Path, pid: int, out: Path) -> "subprocess.Popen[bytes]":
    """Watch a process until it ends."""
    return subprocess.Popen(
        [
            *(str(program), "record", "--pid", str(pid), "--output", str(out)),
            *("--format", "raw", "--full-filenames", "--rate", str(RATE)),
            *("--duration", str(int(_LIMIT_S))),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def stages(raw: Iterable[str]) -> Counter[str]:
    """Looks per stage, from lines of `outermost;...;innermost count`."""
    found: Counter[str] = Counter()
    for line in raw:
        stack, _, count = line.rpartition(" ")
        if stack:
            found[stage_of(stack.split(";"))] += int(count)
    del found[WAITING]
    return found


def stage_of(frames: list[str]) -> str:
    """The stage of the innermost frame that a rule knows."""
    for frame in reversed(frames):
        parts = _FRAME.match(frame)
        if parts is None:
            continue
        for rule in RULES:
            if rule.holds(parts["function"], parts["file"], int(parts["line"])):
                return rule.stage
    return OTHER


def _series(site: str, process: str, looks: Counter[str], pages: int) -> list[Series]:
    total = sum(looks.values()) or 1
    per_page = 1000 / RATE / max(pages, 1)
    series = [
        Series(
            f"{site}, {process}: {stage}",
            f"{looks[stage] / total:.0%}",
            "ms/page",
            (looks[stage] * per_page,),
        )
        for stage in STAGES
        if looks[stage]
    ]
    return [*series, Series(f"{site}, {process}: all", PRODUCT, "ms/page", (total * per_page,))]


_NOTES: Final = (
    f"sampled {RATE} times a second; who wants a core and has none counts too: trust the shares.",
    "who: the stage's share of that process.",
)
