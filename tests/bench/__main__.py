"""`python -m tests.bench [NAME...]`: run benchmarks; `packaging/dev.py bench` prepares them."""

import argparse
import importlib
import sys
from typing import Final

from tests.bench.machine import describe
from tests.bench.report import Findings, publish, say
from tests.sites.documentation import NotInstalledError

NAMES: Final = {
    "crawl": "whole crawls from the command line, against other crawlers",
    "memory": "memory, speed and bytes written on endless sites, by known URLs",
    "growth": "what the crawl host writes and takes, by known URLs, fed without a network",
    "connections": "ten thousand slow connections at once",
    "cancel": "how soon the traffic ends after Cancel",
    "window": "the same crawl with the window open: speed and stalls",
    "large": "the window on a finished project: scroll, sort, filter, trees",
    "audit": "the site audit of finished projects",
    "compare": "two projects that differ by a declared list",
    "history": "a site with 52 crawls: its history in the window",
    "export": "exports, summary and rescue of a project of millions of links",
    "search": "full-text search: first rows, all pages",
    "start": "help, shown window, first rows",
    "file": "size and speed of the project file",
    "profile": "where the time goes per page",
    "scaling": "one page worker against one per core",
    "shards": "many sites in shards whose processes are killed, against one project",
    "simulation": "a crawl on 1 to 1,000 machines, simulated, and checked against measured ones",
    "cluster": "nodes of a cluster against page workers of this machine",
    "rendering": "pages rendered in a browser: speed and memory",
}
EXIT_MISSING: Final = 1


def parser() -> argparse.ArgumentParser:
    """The command line."""
    names = "\n".join(f"  {name:12} {meaning}" for name, meaning in NAMES.items())
    made = argparse.ArgumentParser(
        prog="dev.py bench",
        description="Run benchmarks in one go.",
        epilog=f"benchmarks, all in this order unless named:\n{names}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("names", nargs="*", metavar="NAME", help="which benchmarks")
    made.add_argument("--rounds", type=int, default=5, help="runs of each contestant (default 5)")
    made.add_argument("--tries", type=int, default=50, help="tries of cancel (default 50)")
    made.add_argument(
        "--kills", type=int, default=0, metavar="N", help="cluster: N crawls with faults instead"
    )
    made.add_argument(
        "--network",
        action="store_true",
        help="cluster, shards: machines that are lost instead (network namespaces; root, iproute2)",
    )
    made.add_argument(
        "--lines",
        action="store_true",
        help="cluster: lines that take 200 ms, stall and are cut instead",
    )
    made.add_argument(
        "--full",
        action="store_true",
        help="memory, large, audit, compare, history up to 1,000,000 URLs; search: 100,000; "
        "simulation: 1,000 nodes",
    )
    made.add_argument(
        "--site",
        action="append",
        default=[],
        choices=("cppreference", "postgresql", "python", "java"),
        help="only this site; may be repeated; java only where openjdk-17-doc is installed",
    )
    made.add_argument(
        "--only", action="append", default=[], metavar="PEER", help="only against this peer"
    )
    return made


def main(arguments: list[str]) -> int:
    """Run what is asked for; 1 if something it needs is missing."""
    options = parser().parse_args(arguments)
    if unknown := [name for name in options.names if name not in NAMES]:
        parser().error(f"no benchmark is named {unknown[0]}")
    missing = False
    for name in options.names or NAMES:
        machine = describe()
        say(f"--- {name}: {NAMES[name]}")
        try:
            findings: Findings = importlib.import_module(f"tests.bench.{name}").benchmark(options)
        except NotInstalledError as e:
            say(f"{name} is left out: it {e}")
            missing = True
            continue
        publish(findings, machine)
    return EXIT_MISSING if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
