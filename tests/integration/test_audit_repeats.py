"""The audit of a crawl that was paused, killed, answered in another order, or judged again."""

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from typing import Final

import psutil
import pytest
from msgspec.structs import replace

from gossamer.audit.site_audit import run_site_audit
from gossamer.model.errors import CrawlHostError
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.session.audit_process import audit_project
from gossamer.store.project import stored_settings
from tests.fakes.pausing_child import pause_children
from tests.integration.audited_sites import Listed, crawl_and_audit, listed_urls
from tests.integration.crawling import new_session, resume_all, run, trouble_of, until
from tests.sites.audit_site.planted_crawls import PlantedCrawl, planted_pages

STRICTER: Final[dict[str, object]] = {
    "title_max_length": 40,
    "title_min_length": 43,
    "title_max_pixels": 350,
    "title_min_pixels": 420,
    "description_max_length": 95,
    "description_min_length": 120,
    "h1_max_length": 12,
    "h2_max_length": 20,
    "url_max_length": 40,
    "alt_max_length": 12,
    "image_max_kib": 200,
    "content_min_words": 260,
    "duplicate_min_percent": 50,
    "crawl_depth_max": 2,
    "internal_outlinks_max": 2,
    "external_outlinks_max": 1,
    "document_max_mib": 3,
    "reading_ease_difficult": 100,
    "reading_ease_very_difficult": 90,
    "audit_meta_keywords": True,
}
"""Thresholds that other pages break than usual."""


@pytest.fixture(scope="module")
def planted() -> Iterator[PlantedCrawl]:
    with planted_pages(random.Random(1)) as crawl:
        yield crawl


@pytest.fixture(scope="module")
def project(planted: PlantedCrawl, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that was crawled in one go by one worker, and audited."""
    path = tmp_path_factory.mktemp("audited") / "a.gossamer"
    crawl_and_audit(path, planted, workers=1, processes=1)
    return path


@pytest.fixture(scope="module")
def listed(project: Path) -> Listed:
    return listed_urls(project)


def enough(progress: Progress) -> bool:
    """Whether about a third was crawled."""
    return progress.pages >= 150


def more(progress: Progress) -> bool:
    """Whether more was, and much is left."""
    return progress.pages >= 225


def test_neither_order_nor_a_pause_nor_a_kill_changes_anything(
    planted: PlantedCrawl, listed: Listed, tmp_path: Path
) -> None:
    """Answers come in any order; the crawl is audited while it is paused, and later killed."""
    path = tmp_path / "a.gossamer"
    settings = {"max_tries": 1, **planted.settings, "workers": 50, "processes": 2}

    async def main() -> None:
        async with new_session(path, planted.site.url("/"), **settings) as session:
            await session.start()
            await until(session, enough)
            await session.pause()
            await audit_project(path)
            assert listed_urls(path) != listed
            await session.start()
            await until(session, more)
            assert session.host_pid is not None
            os.kill(session.host_pid, signal.SIGKILL)
            await trouble_of(session)

    run(main())
    resume_all(path)
    run_site_audit(path)
    assert listed_urls(path) == listed


def test_other_thresholds_list_what_a_crawl_with_them_does_and_back(
    planted: PlantedCrawl, project: Path, listed: Listed, tmp_path: Path
) -> None:
    path = tmp_path / "a.gossamer"
    copyfile(project, path)
    usual = stored_settings(path)
    stricter = replace(usual, **STRICTER)
    run_site_audit(path, stricter)
    found = listed_urls(path)
    assert found == crawl_and_audit(tmp_path / "b.gossamer", planted, **STRICTER)
    assert found != listed
    run_site_audit(path, usual)
    assert listed_urls(path) == listed


def test_killed_audit_is_made_up_for(
    project: Path, listed: Listed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.gossamer"
    copyfile(project, path)
    usual = stored_settings(path)
    others = set(psutil.Process().children())  # what other tests have not yet waited for
    killed: list[int] = []

    def kill(step: ProcessStep) -> None:
        if step.done and not killed:
            killed.extend(child.pid for child in set(psutil.Process().children()) - others)
            os.kill(killed[0], signal.SIGKILL)

    with monkeypatch.context() as patch:
        pause_children(patch)
        with pytest.raises(CrawlHostError):
            run(audit_project(path, kill, replace(usual, **STRICTER)))
    assert len(killed) == 1
    run_site_audit(path, usual)
    assert listed_urls(path) == listed
