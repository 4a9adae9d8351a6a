"""Audits projects that were filled by hand, and tells the issues by names and paths."""

import sqlite3
from contextlib import closing
from pathlib import Path

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_audit import run_site_audit
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from tests.fakes.crawled import SITE, Crawled


def audited(crawled: Crawled, settings: CrawlSettings | None = None) -> dict[str, list[str]]:
    """Audit what was crawled; the paths of each rule that holds for any, by its full name."""
    run_site_audit(crawled.path, settings)
    return issues(crawled.path)


def issues(path: Path) -> dict[str, list[str]]:
    """The paths of each rule that holds for any URL, by its full name."""
    found: dict[str, list[str]] = {}
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            "SELECT i.rule, u.url FROM issue i JOIN url u ON u.id = i.id ORDER BY i.rule, u.id"
        )
        for rule, url in rows:
            found.setdefault(RULES[rule].full_name(DEFAULTS), []).append(url.removeprefix(SITE))
        counts = dict(connection.execute("SELECT rule, urls FROM issue_count WHERE urls > 0"))
    by_name = {RULES[rule].full_name(DEFAULTS): number for rule, number in counts.items()}
    assert by_name == {name: len(urls) for name, urls in found.items()}
    return found


def issue_values(path: Path, name: str) -> dict[str, object]:
    """What a rule measured, by path; that of a URL, its path."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            "SELECT i.rule, u.url, i.value FROM issue i JOIN url u ON u.id = i.id"
        ).fetchall()
    return {
        url.removeprefix(SITE): value
        for rule, url, value in rows
        if RULES[rule].full_name(DEFAULTS) == name
    }


def columns(path: Path, name: str) -> dict[str, object]:
    """A column of `url_audit` by path, without those that are NULL."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            f"SELECT u.url, a.{name} FROM url_audit a JOIN url u ON u.id = a.id"  # noqa: S608 - names from tests
            f" WHERE a.{name} IS NOT NULL"
        )
        return {url.removeprefix(SITE): value for url, value in rows}
