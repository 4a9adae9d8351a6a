"""However the commits are ordered and batched, what a project file says in the end is the truth."""

import random
import tempfile
from collections import Counter, deque
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.model.link_kinds import INLINK_KINDS, OUTLINK_KINDS, LinkKind
from gossamer.model.outcome import Outcome, is_error
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.reading.reader import Reader
from gossamer.store.writing.writer import Writer
from gossamer.urls.url_folders import folders
from tests.fakes.empty_project import make_empty_project
from tests.fakes.random_crawl import Crawl, Site, random_site, url


def true_depths(site: Site) -> dict[int, int]:
    """Clicks from the root: breadth first, redirects for nothing."""
    depths: dict[int, int] = {}
    queue = deque([(0, 0)])
    while queue:
        number, depth = queue.popleft()
        if number in depths:
            continue
        depths[number] = depth
        for target, kind in site.ways(number):
            if kind is LinkKind.REDIRECT:
                queue.appendleft((target, depth))
            elif kind in OUTLINK_KINDS:
                queue.append((target, depth + 1))
    return depths


def true_hops(site: Site, depths: dict[int, int]) -> dict[int, int]:
    """The fewest redirects since a followed link or the root, over all ways there are."""
    hops: dict[int, int] = {0: 0}
    hops |= {t: 0 for n in depths for t, kind in site.ways(n) if kind in OUTLINK_KINDS}
    queue = deque(hops)
    while queue:
        number = queue.popleft()
        for target, kind in site.ways(number):
            if kind is LinkKind.REDIRECT and hops[number] + 1 < hops.get(target, 999):
                hops[target] = hops[number] + 1
                queue.append(target)
    return hops


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**64))
def test_ranks_are_correct_after_commits_in_any_order(seed: int) -> None:
    chance = random.Random(seed)
    site = random_site(chance)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.gossamer")
        make_empty_project(path, CrawlSettings(roots=(url(0),)))
        with Writer(path) as writer:
            crawl = Crawl(site, writer.commit, chance)
            crawl.run()
        with Reader(path) as reader:
            check_ranks(reader, site, crawl)
            check_inlinks(reader, site, crawl)
            check_folders(reader)


def check_ranks(reader: Reader, site: Site, crawl: Crawl) -> None:
    depths = true_depths(site)
    hops = true_hops(site, depths)
    for record in reader.iterate(View.ALL):
        number = crawl.numbers[record.id]
        assert record.depth == depths.get(number)
        assert record.depth is None or record.hops == hops[number]
        assert (record.outcome is Outcome.NOT_FOLLOWED) == (number not in depths)
        assert record.parent is None or record.parent < record.id


def check_inlinks(reader: Reader, site: Site, crawl: Crawl) -> None:
    counted = [
        (number, target)
        for number in true_depths(site)
        for target, kind in site.ways(number)
        if kind in INLINK_KINDS
    ]
    links = Counter(target for _, target in counted)
    sources = Counter(target for _, target in set(counted))
    for record in reader.iterate(View.ALL):
        number = crawl.numbers[record.id]
        assert (record.inlinks, record.unique_inlinks) == (links[number], sources[number])
        counts = reader.link_counts(record.id)
        into = reader.inlinks(record.id, limit=10_000)
        assert (counts.inlinks, counts.unique_inlinks) == (links[number], sources[number])
        assert counts.inlinks + counts.other_inlinks == len(into)
        assert counts.outlinks == record.outlinks
        out = len(reader.outlinks(record.id, limit=10_000))
        assert counts.outlinks + counts.other_outlinks == out
        ways = [(crawl.numbers[link.target_id], link.kind) for link in reader.outlinks(record.id)]
        assert ways == (site.ways(number) if number in true_depths(site) else [])


def check_folders(reader: Reader) -> None:
    urls: Counter[tuple[str, ...]] = Counter()
    errors: Counter[tuple[str, ...]] = Counter()
    for record in reader.iterate(View.ALL):
        path = () if record.outcome is Outcome.NOT_FOLLOWED else folders(record.url)
        for level in range(1, len(path) + 1):
            urls[path[:level]] += 1
            errors[path[:level]] += is_error(record.outcome)
    found = {}
    waiting: deque[tuple[tuple[str, ...], int | None]] = deque([((), None)])
    while waiting:
        above, parent = waiting.popleft()
        for node in reader.folders(parent):
            found[(*above, node.name)] = (node.urls, node.errors)
            waiting.append(((*above, node.name), node.id))
    assert found == {path: (urls[path], errors[path]) for path in urls}
