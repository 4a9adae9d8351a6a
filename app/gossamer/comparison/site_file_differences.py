"""Compares the robots.txt files and sitemaps of two projects, host by host."""

from collections.abc import Iterator, Sequence
from typing import Any

from gossamer.model.site_file_changes import SiteFileChange, SiteFileKind
from gossamer.store.comparing.compared_project import ComparedProject
from gossamer.store.reading.site_files import ROBOTS_TEXTS, StoredSitemap, sitemaps_in
from gossamer.urls.url_mapping import UrlMapping


def changed_site_files(
    before: ComparedProject, after: ComparedProject, mapping: UrlMapping
) -> Iterator[SiteFileChange]:
    """The files that both crawls requested and that differ, and sitemaps that only one found."""
    was = {mapping.map(f"{site}/robots.txt"): rest for site, *rest in _read(before, ROBOTS_TEXTS)}
    now = {f"{site}/robots.txt": rest for site, *rest in _read(after, ROBOTS_TEXTS)}
    for url in sorted(was.keys() & now.keys()):
        if was[url] != now[url]:
            (old_status, old), (status, text) = was[url], now[url]
            yield SiteFileChange(
                SiteFileKind.ROBOTS,
                url,
                before_status=old_status,
                after_status=status,
                before_text=old,
                after_text=text,
            )
    yield from _changed_sitemaps(before, after, mapping)


def _changed_sitemaps(
    before: ComparedProject, after: ComparedProject, mapping: UrlMapping
) -> Iterator[SiteFileChange]:
    was = {mapping.map(each.url): each for each in _sitemaps(before)}
    now = {each.url: each for each in _sitemaps(after)}
    for url in sorted(was.keys() | now.keys()):
        old, new = was.get(url), now.get(url)
        if _differ(old, new, is_mapped=bool(mapping)):
            yield SiteFileChange(
                SiteFileKind.SITEMAP,
                url,
                before_urls=old.urls if old is not None and old.is_there else None,
                after_urls=new.urls if new is not None and new.is_there else None,
            )


def _differ(old: StoredSitemap | None, new: StoredSitemap | None, *, is_mapped: bool) -> bool:
    """Whether a sitemap came or went, or names other URLs, as that of a copy does anyway."""
    if any(each is not None and each.is_there is None for each in (old, new)):
        return False
    is_there = [each is not None and bool(each.is_there) for each in (old, new)]
    if old is None or new is None or not all(is_there):
        return is_there[0] != is_there[1]
    return old.urls != new.urls or (old.digest != new.digest and not is_mapped)


def _sitemaps(project: ComparedProject) -> list[StoredSitemap]:
    return sitemaps_in(lambda sql, values: _read(project, sql, values))


def _read(project: ComparedProject, sql: str, values: Sequence[int] = ()) -> list[tuple[Any, ...]]:
    return [row for part in project.read(sql, values) for row in part]
