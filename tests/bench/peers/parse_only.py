"""What parsing alone costs: lexbor over bytes that are in memory, on all cores, nothing kept.

Usage: parse_only.py PROCESSES < list of files, one per line. Prints one JSON object; its
`seconds` begin when all processes have all bytes.
"""

import json
import multiprocessing
import sys
import time
from multiprocessing.synchronize import Barrier
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser


def parse(bodies: list[bytes], ready: Barrier, done: Barrier) -> None:
    """Parse all bodies once the others are ready too."""
    ready.wait()
    for body in bodies:
        LexborHTMLParser(body)
    done.wait()


def shares(bodies: list[bytes], processes: int) -> list[list[bytes]]:
    """The bodies in parts of about the same number of bytes."""
    ordered = sorted(bodies, key=len, reverse=True)
    parts: list[list[bytes]] = [[] for _ in range(processes)]
    sizes = [0] * processes
    for body in ordered:
        smallest = sizes.index(min(sizes))
        parts[smallest].append(body)
        sizes[smallest] += len(body)
    return parts


def main(processes: int) -> None:
    """Time it."""
    bodies = [Path(line).read_bytes() for line in sys.stdin.read().splitlines()]
    context = multiprocessing.get_context("fork")  # the bytes are there already, uncopied
    ready, done = context.Barrier(processes + 1), context.Barrier(processes + 1)
    children = [
        context.Process(target=parse, args=(part, ready, done))
        for part in shares(bodies, processes)
    ]
    for child in children:
        child.start()
    ready.wait()
    began = time.perf_counter()
    done.wait()
    json.dump({"seconds": time.perf_counter() - began, "urls": len(bodies)}, sys.stdout)
    for child in children:
        child.join()


if __name__ == "__main__":
    main(int(sys.argv[1]))
