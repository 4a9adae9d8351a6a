"""Saved filters: the same in every crawl of a site, on the command line too."""

import csv
import json
from pathlib import Path

import pytest

from gossamer.cli.main import run_cli
from gossamer.model.errors import UsageError
from gossamer.model.portable_filters import PortableFilter, SavedFilter
from gossamer.model.project_queries import Filter, View, facet_values
from gossamer.model.search_query import Search
from gossamer.session.saved_filters import local_filter, portable_filter
from gossamer.session.series import series_of
from gossamer.store.reading.reader import Reader
from tests.fakes.crawled import SITE, Crawled
from tests.fakes.finished_crawl import finished_crawl


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def crawl(path: Path, *pages: str) -> Reader:
    with Crawled(path) as crawled:
        for page in pages:
            crawled.page(page)
    return Reader(path)


def test_folders_and_urls_are_found_by_address_in_another_crawl(tmp_path: Path) -> None:
    with (
        crawl(tmp_path / "a.gossamer", "/", "/blog/2026/a", "/shop/b") as first,
        crawl(tmp_path / "b.gossamer", "/shop/b", "/x/y", "/blog/2026/c", "/") as second,
    ):
        folder = first.folder_at(f"{SITE}/blog/2026/")
        own = Filter(
            text="a",
            expression=True,
            folder=folder,
            found_on=first.lookup(f"{SITE}/"),
            time_ms=(100, None),
            facets=facet_values(
                status={200, 301}, verdict={"ok"}, depth={-1, 3}, custom={"7:found"}, origin={SITE}
            ),
            search=Search("red", is_absent=True, not_linking_to=f"{SITE}/shop/b"),
        )
        saved = SavedFilter(name="Blog", filter_=portable_filter(first, own))
        assert local_filter(first, saved) == own
        there = local_filter(second, saved)
        assert there.found_on == second.lookup(f"{SITE}/")
        blog = Filter(folder=there.folder)
        assert [each.url for each in second.records(second.ids(View.ALL, blog))] == [
            f"{SITE}/blog/2026/c"
        ]


@pytest.mark.parametrize(
    ("portable", "said"),
    [
        (PortableFilter(folder=f"{SITE}/none/"), "/none/"),
        (PortableFilter(folder="no address"), "no address"),
        (PortableFilter(found_on=f"{SITE}/none"), "/none"),
        (PortableFilter(facets={"of tomorrow": (1,)}), "newer Gossamer"),
        (PortableFilter(facets={"status": (404, "gone")}), "newer Gossamer"),
        (PortableFilter(facets={"depth": (-1, 2**70)}), "newer Gossamer"),
        (PortableFilter(facets={"outcome": (99_999,)}), "newer Gossamer"),
        (PortableFilter(facets={"custom": ("found",)}), "newer Gossamer"),
        (PortableFilter(time_ms=(2**70, None)), "newer Gossamer"),
        (PortableFilter(version=2), "newer Gossamer"),
    ],
)
def test_what_a_crawl_does_not_know_is_told(
    tmp_path: Path, portable: PortableFilter, said: str
) -> None:
    with (
        crawl(tmp_path / "a.gossamer", "/") as reader,
        pytest.raises(UsageError, match=said),
    ):
        local_filter(reader, SavedFilter(name="Blog", filter_=portable))


def test_an_export_uses_one_by_its_name(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    project = finished_crawl(tmp_path / "a.gossamer")
    export = ["export", str(project), "all", "-o", str(tmp_path / "a.csv"), "--saved-filter"]
    assert run_cli([*export, "broken"], lambda _: 1) == 2
    assert "none is saved yet" in capfd.readouterr().err
    broken = PortableFilter(facets={"status": (404,)})
    series_of(project).save_filter(SavedFilter(name="Broken", filter_=broken))
    assert run_cli([*export, "x"], lambda _: 1) == 2
    assert "there are: Broken" in capfd.readouterr().err
    for more, addresses in (
        ((), [f"{SITE}/gone"]),
        (("--where", "status=200"), [f"{SITE}/0", f"{SITE}/1"]),
        (("--where", "verdict=ok"), []),
    ):
        assert run_cli([*export, "BROKEN", *more], lambda _: 1) == 0
        with (tmp_path / "a.csv").open(encoding="utf-8-sig") as file:
            assert [row["Address"] for row in csv.DictReader(file)] == addresses


def test_an_audit_counts_the_issues_of_a_saved_filter_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    project = finished_crawl(tmp_path / "a.gossamer", pages=3)
    series = series_of(project)
    one = PortableFilter(text=f"{SITE}/1")
    series.save_filter(SavedFilter(name="One", filter_=one))
    series.save_filter(SavedFilter(name="Links", filter_=PortableFilter(facets={"kind": (1,)})))

    def audit(*options: str, code: int = 0) -> str:
        assert run_cli(["audit", str(project), "-q", *options], lambda _: 1) == code
        said = capfd.readouterr()
        return said.err if code else said.out

    def urls(*options: str) -> dict[str, int]:
        told = json.loads(audit("--json", *options))
        return {"urls": told["urls"]} | {each["name"]: each["urls"] for each in told["issues"]}

    same = "Content: Exact Duplicates"
    everything, of_one = urls(), urls("--saved-filter", "one")
    assert everything["urls"] > of_one["urls"] == 1
    assert everything[same] > of_one[same] == 1
    assert urls("--saved-filter", "One", "--where", "status=404") == {"urls": 0}
    assert urls("--where", f"issue={same}")[same] == everything[same]
    sarif = json.loads(audit("--format", "sarif", "--saved-filter", "One"))
    assert f"{SITE}/1" in json.dumps(sarif)
    assert f"{SITE}/2" not in json.dumps(sarif["runs"][0]["results"])
    audit("--saved-filter", "One", "--fail-on", f"{same}:1")
    audit("--fail-on", f"{same}:1", code=5)
    assert "there are: Links, One" in audit("--saved-filter", "Two", code=2)
    assert "not about links" in audit("--saved-filter", "Links", code=2)
