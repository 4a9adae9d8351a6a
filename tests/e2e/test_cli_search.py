"""Searches from the command line: what they print and write, and how they end."""

import csv
import json
from pathlib import Path

import pytest

from gossamer.model.settings.crawl_settings import CrawlSettings
from tests.e2e.program import gossamer
from tests.fakes.crawled import SITE, Crawled

SETTINGS = CrawlSettings(roots=(SITE,), full_text_search=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        crawled.page("/", "/red", "/blue", title="Start", text=b"Shoes of all colours")
        crawled.page("/red", "/", title="Red \x1b[31mshoes", text=b"Red shoes\x1b[5m")
        crawled.page("/blue", title="می\u200cروم", text=b"Blue shoes")
    with Crawled(tmp_path / "without.gossamer") as crawled:
        crawled.page("/")
    return tmp_path


def test_what_is_found_is_printed_or_written(folder: Path) -> None:
    shown = gossamer("search", "a.gossamer", "red shoes", cwd=folder)
    assert (shown.returncode, shown.stderr) == (0, "Found 1 page.\n")
    assert shown.stdout == f"Red \ufffd[31mshoes\n{SITE}/red\n  Red shoes\ufffd[5m\n"
    cut = gossamer("search", "a.gossamer", "shoes", "--limit", "1", cwd=folder)
    assert cut.stderr == "Found 3 pages; these are the first 1.\n"
    assert cut.stdout.count(SITE) == 1
    other = gossamer("search", "a.gossamer", "red", "--without", "--json", cwd=folder)
    answer = json.loads(other.stdout)
    assert answer["pages"] == 2
    assert [each["title"] for each in answer["results"]] == ["Start", "می\u200cروم"]
    marked = gossamer("search", "a.gossamer", "title:red", "--json", cwd=folder)
    (result,) = json.loads(marked.stdout)["results"]
    assert (result["url"], result["status"]) == (f"{SITE}/red", 200)
    options = ("--not-linking-to", f"{SITE}/", "-o", "out.csv", "--columns", "Address,Title 1")
    saved = gossamer("search", "a.gossamer", "shoes", *options, cwd=folder)
    assert (saved.returncode, saved.stdout) == (0, "")
    with (folder / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file))[1:] == [[f"{SITE}/blue", "می\u200cروم"]]
    nothing = gossamer("search", "a.gossamer", "leather", cwd=folder)
    assert (nothing.returncode, nothing.stdout, nothing.stderr) == (0, "", "Found 0 pages.\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("a.gossamer", "red AND"), "ends where a word should follow"),
        (("a.gossamer", "red", "--not-linking-to", f"{SITE}/green"), "is not in the project"),
        (("a.gossamer", "red", "--columns", "title"), "Use --columns with -o OUT"),
        (("without.gossamer", "red"), "crawl again with the setting Full-text search"),
        (("without.gossamer", "red", "--json"), "crawl again with the setting Full-text search"),
    ],
)
def test_a_search_that_has_no_answer_ends_with_a_sentence(
    arguments: tuple[str, ...], words: str, folder: Path
) -> None:
    done = gossamer("search", *arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
