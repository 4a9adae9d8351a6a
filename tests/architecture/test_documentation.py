import re
import runpy
import sys
import tomllib
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import SETTINGS, CrawlSettings
from gossamer.model.settings.setting_types import Number
from tests.architecture.checkout import ROOT, committed_files, text_of
from tests.sites.hostile import cases
from tests.sites.hostile_transport import long_waits

sys.path.append(str(ROOT / "packaging"))
SETTINGS_TABLE = runpy.run_path(str(ROOT / "packaging" / "settings_table.py"))
ISSUE_PAGES = runpy.run_path(str(ROOT / "packaging" / "issue_pages.py"))
REFERENCE = runpy.run_path(str(ROOT / "packaging" / "reference_pages.py"))
NUMBERS = [name for name, each in SETTINGS.items() if isinstance(each.values, Number)]


def read(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_the_table_of_settings_is_the_one_made_from_their_declarations() -> None:
    document = read("settings.md")
    assert SETTINGS_TABLE["with_table"](document) == document, "run packaging/dev.py generate"


def test_pages_on_issues_are_the_ones_made_from_the_rules() -> None:
    folder = ROOT / "docs" / "issues"
    found = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
    assert found == ISSUE_PAGES["pages"](), "run packaging/dev.py generate"


def test_the_page_of_columns_is_the_one_made_from_the_fields() -> None:
    assert read("columns.md") == REFERENCE["columns"](), "run packaging/dev.py generate"


def test_the_index_of_issues_leads_to_each_page() -> None:
    linked = re.findall(r"\]\(([\w-]+\.md)\)", read("issues/index.md"))
    pages = sorted(file.name for file in (ROOT / "docs" / "issues").iterdir())
    assert sorted([*linked, "index.md"]) == pages
    assert len(linked) > 200


def test_every_setting_says_what_it_does() -> None:
    meanings = dict(
        re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", read("settings.md"), flags=re.MULTILINE)
    )
    assert list(meanings) == list(CrawlSettings.__struct_fields__)
    assert [name for name, meaning in meanings.items() if len(meaning) < 20] == []


@pytest.mark.parametrize("name", NUMBERS)
def test_a_setting_is_refused_outside_of_its_documented_bounds(name: str) -> None:
    row = re.search(rf"^\| `{name}` \|(.*)\|$", read("settings.md"), flags=re.MULTILINE)
    assert row is not None
    lowest, highest = map(float, row[1].split("|")[2:4])
    for accepted in (lowest, highest):
        assert settings_with(name, accepted).checked()
    for refused in (lowest * 0.99 - 0.001, highest * 1.01):
        with pytest.raises(UsageError):
            settings_with(name, refused).checked()


def settings_with(name: str, value: float) -> CrawlSettings:
    changed: dict[str, Any] = {"roots": ("https://example.com/",), name: value}
    return CrawlSettings(**changed)


def test_every_folder_is_explained_in_the_architecture() -> None:
    layout = (
        read("architecture.md").partition("\n    app/gossamer/")[2].partition("\n    resources/")[0]
    )
    explained = set(re.findall(r"^      (\w+)/", layout, flags=re.MULTILINE))
    assert explained == {
        path.parent.name for path in (ROOT / "app" / "gossamer").glob("*/__init__.py")
    }


def test_layers_in_the_architecture_are_the_ones_that_are_checked() -> None:
    layers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = layers["tool"]["importlinter"]["contracts"][0]
    lines = [
        line.split("  ")[0] for line in read("architecture.md").replace("\n    ", "\n").splitlines()
    ]
    start = lines.index("__main__")
    assert lines[start : start + len(contract["layers"])] == contract["layers"]


def test_links_between_documents_lead_somewhere() -> None:
    pages = [path for path in committed_files() if path.suffix == ".md"]
    dead = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", text_of(page) or "")
        if not (page.parent / target).exists()
    ]
    assert dead == []


def test_links_to_sections_lead_to_one() -> None:
    pages = [path for path in committed_files() if path.suffix == ".md"]
    dead = [
        f"{page.relative_to(ROOT)}: {file}#{section}"
        for page in pages
        for file, section in re.findall(
            r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", text_of(page) or ""
        )
        if section not in sections_of(page.parent / file if file else page)
    ]
    assert dead == []


def sections_of(page: Path) -> set[str]:
    """The fragments that lead to the headings of a page, as GitHub makes them."""
    text = re.sub(
        r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    found: set[str] = set()
    for heading in re.findall(r"^#+ +(.+?) *#*$", text, flags=re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.add(next(name for name in names_for(slug) if name not in found))
    return found


def names_for(slug: str) -> Iterator[str]:
    """The fragments of headings with the same words, one after the other."""
    yield slug
    yield from (f"{slug}-{number}" for number in count(1))


@pytest.mark.parametrize("page", ["durability.md", "hostile-web.md"])
def test_every_documented_guarantee_names_existing_tests(page: str) -> None:
    promised = read(page).partition("## What is not promised")[0]
    lines = [line for line in promised.splitlines() if re.match(r"\| (?!event |what )", line)]
    for line in lines:
        named = re.findall(r"`(tests/\w+/\w+\.py)::(test_\w+)`", line)
        assert named, line
        for file, test in named:
            source = (ROOT / file).read_text(encoding="utf-8")
            assert f"\ndef {test}(" in source, f"{file}::{test}"
    assert len(lines) > 20


def test_every_behaviour_of_the_hostile_site_is_documented() -> None:
    paths = [case.path for case in (*cases(), *long_waits())]
    named = re.findall(r"`(/[\w/.-]*)`", read("hostile-web.md"))
    assert [path for path in named if not any(case.startswith(path) for case in paths)] == []
    assert [path for path in paths if not path.startswith(tuple(named))] == []
