"""`cancel`: how long after the command the servers still hear of a crawl with 1,000 in flight."""

import argparse
import asyncio
import time
from typing import Final

from tests.bench.endless_site import EndlessSite, Shape
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series, percentile
from tests.bench.sessions import crawling, until

IN_FLIGHT: Final = 1000
# Answers keep coming and new requests keep leaving while cancel is called.
SHAPE: Final = Shape(seed=2, delay_s=(0.5, 1.5))
_READY_S: Final = 60.0
_SILENCE_S: Final = 0.3


def benchmark(options: argparse.Namespace) -> Findings:
    """Cancel `options.tries` crawls."""
    last: list[float] = []
    closed: list[float] = []
    returned: list[float] = []
    warnings: list[str] = []
    with EndlessSite(SHAPE) as site:
        for number in range(options.tries):
            tried = asyncio.run(_once(site))
            if tried is None:
                warnings.append(f"try {number + 1} never had {IN_FLIGHT} in flight")
                continue
            say(
                f"  try {number + 1} of {options.tries}: last byte after {tried[0]:.1f} ms,"
                f" last connection {tried[1]:.1f} ms, cancel returned {tried[2]:.1f} ms"
            )
            for values, value in zip((last, closed, returned), tried, strict=True):
                values.append(value)
    series = []
    for what, values in (
        ("last byte at the server", last),
        ("last connection closed", closed),
        ("cancel has returned", returned),
    ):
        target = "< 150" if values is last else ""
        series += [
            Series(what, PRODUCT, "ms", tuple(values)),
            Series(f"{what}, 99th percentile", PRODUCT, "ms", (percentile(values, 0.99),), target),
        ]
    notes = [f"after the call of cancel, with {IN_FLIGHT} requests in flight and new ones leaving"]
    return Findings("cancel", series, warnings, notes)


async def _once(site: EndlessSite) -> tuple[float, float, float] | None:
    """Milliseconds from the call to the last byte, the last closed connection, the return."""
    async with crawling(site.root_url, workers=IN_FLIGHT) as session:
        if not await until(lambda: site.seen().in_flight >= IN_FLIGHT * 0.98, _READY_S):
            return None
        called_ns = time.monotonic_ns()
        await session.cancel()
        returned_ns = time.monotonic_ns()
    await until(lambda: site.seen().open == 0, _READY_S)
    await asyncio.sleep(_SILENCE_S)
    seen = site.seen()
    after = (max(at_ns - called_ns, 0) for at_ns in (seen.received_ns, seen.closed_ns, returned_ns))
    last, closed, returned = (ns / 1e6 for ns in after)
    return last, closed, returned
