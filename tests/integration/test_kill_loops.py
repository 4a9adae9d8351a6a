"""Processes killed at random moments, again and again: the crawl ends as if nothing had been."""

import os
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store import project as projects
from tests.fakes.contents import contents
from tests.integration.crawled_sites import mixed_site
from tests.integration.crawling import asked, crawl_all, resume_all
from tests.integration.killed_crawls import REQUESTS_PER_ROUND, VICTIMS, one_life
from tests.sites import Site

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="looks for processes of Linux")

ROUNDS = int(os.environ.get("GOSSAMER_KILL_ROUNDS", "5"))
SEED = int(os.environ.get("GOSSAMER_SEED", "20"))
"""The long form has 100 and more."""
PAGES = ROUNDS * REQUESTS_PER_ROUND
SETTINGS = {"workers": 8, "processes": 2, "max_similar": 10 * PAGES, "use_sitemaps": False}


def test_the_crawl_result_survives_repeated_kills_at_random_moments(
    site: Site, tmp_path: Path
) -> None:
    chance = random.Random(SEED)
    mixed_site(site, chance, PAGES)
    truth, project = tmp_path / "truth.gossamer", tmp_path / "a.gossamer"
    crawl_all(truth, site.url(), **SETTINGS)
    projects.create(project, CrawlSettings(roots=(site.url(),), **SETTINGS))  # type: ignore[arg-type]  # field by field
    for number in range(ROUNDS):
        committed = set(asked(project))
        begun = len(site.requests)
        one_life(site, project, chance, VICTIMS[number % len(VICTIMS)])
        again = {site.url(path) for path in site.paths[begun:]}
        assert not committed & again, f"seed {SEED}"
        # One that is lost with its worker is asked again in the same life.
        twice = [p for p, n in Counter(site.paths[begun:]).items() if n > 1 and p != "/robots.txt"]
        assert len(twice) <= 8, f"seed {SEED}"
    resume_all(project)
    assert contents(project, parents=False) == contents(truth, parents=False), f"seed {SEED}"
