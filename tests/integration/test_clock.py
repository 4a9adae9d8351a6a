"""The clock of the machine is set, far back and far ahead, while a crawl runs."""

import random
import time
from pathlib import Path

import pytest

from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from tests.integration.crawling import records, summary
from tests.integration.crawling_inside import crawl_inside
from tests.integration.hostile_names import HostileNames
from tests.sites import Response, Site
from tests.sites.certificates import Authority

TIMES = (0.0, 1.0, 1.1e9, 1.8e9, 4.2e9, 2.5e11)
"""From 1970, where a machine without a battery begins, to the year 9892."""


def test_the_crawl_result_does_not_depend_on_the_wall_clock(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.page("/", links=["/busy", "/gone", "/to", *(f"/{n}" for n in range(60))])
    later = ("Retry-After", "Wed, 21 Oct 2026 07:28:01 GMT")
    dated = ("Date", "Wed, 21 Oct 2026 07:28:00 GMT")
    site.respond("/busy", Response(503, headers=(later, dated)), Response())
    site.redirect("/to", "/0", headers=[("Set-Cookie", "a=1; Max-Age=60")])
    for n in range(60):
        site.page(f"/{n}", links=["/"], headers=[dated])
    path = tmp_path / "clock.gossamer"
    seeded = random.Random(7)
    began = time.monotonic()
    with monkeypatch.context() as patched:
        patched.setattr(time, "time", lambda: seeded.choice(TIMES) + seeded.random())
        settings = CrawlSettings(roots=(site.url(),), workers=5, max_tries=3)
        crawl_inside(path, settings, HostileNames(), Authority(tmp_path).trusted())
    rows = {url.removeprefix(site.url("")): row for url, row in records(path).items()}
    odd = {"/gone": Outcome.CLIENT_ERROR, "/to": Outcome.REDIRECT}
    assert {path: row.outcome for path, row in rows.items()} == {
        path: odd.get(path, Outcome.PAGE)
        for path in ("/", "/busy", "/gone", "/to", *(f"/{n}" for n in range(60)))
    }
    assert all(0 <= row.elapsed_ms < 10_000 for row in rows.values() if row.elapsed_ms is not None)
    assert 0 < summary(path).seconds <= time.monotonic() - began
