"""Titles and descriptions of the pages of the documentation fit into a search result."""

from importlib import import_module
from types import ModuleType

import pytest

from tests.architecture.checkout import ROOT
from tests.cases import each_case

pytest.importorskip("sphinx", reason="Sphinx is installed for development only")


@pytest.fixture
def markup(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    return import_module("documentation_markup")


@each_case(
    ("name", "title", "language", "expected"),
    [
        ("install", "Install", "en", "Install - Gossamer documentation"),
        ("zh/install", "安装", "zh_CN", "安装 - Gossamer 文档"),
        ("issues/index", "Issues", "en", "Issues - Gossamer documentation"),
        ("window/issues", "Issues", "en", "Issues - Gossamer: help of the window"),
        ("a", "x" * 40, "en", f"{'x' * 40} - Gossamer"),
        ("a", "x" * 60, "en", "x" * 60),
        ("index", "Gossamer", "en", "Gossamer: an open desktop website crawler"),
    ],
)
def test_a_title_has_as_much_of_the_sites_name_as_there_is_room_for(
    markup: ModuleType, name: str, title: str, language: str, expected: str
) -> None:
    assert markup.page_title(name, title, language) == expected


@each_case(
    ("paragraphs", "expected"),
    [
        ([], ""),
        (["Issue, low priority"], ""),
        (["Issue, low priority", "It is\nmissing.", "Add it."], "It is missing. Add it."),
        (["Version 3.11 of it works. So does 3.12."], "Version 3.11 of it works. So does 3.12."),
        (["Decided. It is a process.", "Why. It crashes."], "It is a process. Why. It crashes."),
        (["It is a crawler. 中文文档"], "It is a crawler."),
        ([f"{'It is short. ' * 6}", f"{'long ' * 40}end."], ("It is short. " * 6).strip()),
        (["选择文件。" * 20], "选择文件。" * 14),
    ],
)
def test_a_description_is_the_first_whole_sentences(
    markup: ModuleType, paragraphs: list[str], expected: str
) -> None:
    assert markup.description(paragraphs) == expected


@each_case(
    "sentence", [f"{'long ' * 60}end.", f"{'长' * 200}。", f"It is short. {'long ' * 40}end."]
)
def test_a_sentence_that_is_too_long_is_cut(markup: ModuleType, sentence: str) -> None:
    cut = markup.description([sentence])
    assert cut.endswith(" …")
    assert 100 < markup.width(cut) <= 140
