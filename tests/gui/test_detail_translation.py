"""Words from below the window: known by their shape, and by the code that makes them."""

import re

import pytest
from PySide6.QtCore import QCoreApplication

from gossamer.gui.look.outcome_style import warning_labels
from gossamer.gui.text import language
from gossamer.gui.text.detail_translation import DETAILS, detail_words
from gossamer.model.response_warnings import ResponseWarning
from tests.architecture.checkout import ROOT

BELOW = "".join(
    path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "app" / "gossamer").rglob("*.py"))
    if "gui" not in path.parts
)


@pytest.fixture
def chinese(english: None) -> None:
    """The window speaks Chinese; whatever test comes next begins in English again."""
    del english
    assert QCoreApplication.instance() is not None
    language.use("zh_CN")


@pytest.mark.parametrize("template", DETAILS)
def test_each_detail_is_made_somewhere_below_the_window(template: str) -> None:
    longest = max(re.split(r"\{\w+\}", template), key=len)
    assert longest.strip() in BELOW


@pytest.mark.parametrize(
    ("detail", "chinese_words"),
    [
        ("after 5 s", "5 秒后"),
        ("by Cloudflare; cut at 10485760 bytes", "由 Cloudflare 显示；截断于 10485760 字节"),
        (
            "https://a.example/robots.txt, line 3: Disallow: /",
            "https://a.example/robots.txt 第 3 行：Disallow: /",
        ),
        ("exclude pattern a; b", "排除规则 a; b"),
        ("the proxy: the deadline passed", "代理：已超时"),
        ("certificate has expired; after 0 s", "certificate has expired；0 秒后"),
        ("[Errno 104] Connection reset; 1", "[Errno 104] Connection reset; 1"),
        ("", ""),
    ],
)
@pytest.mark.usefixtures("chinese")
def test_what_is_ours_is_translated_and_the_rest_stays(detail: str, chinese_words: str) -> None:
    assert detail_words(detail) == chinese_words


def test_in_english_nothing_changes() -> None:
    for detail in ("after 5 s", "by X; cut at 1 bytes", "x; y; z", "the proxy: a; by b"):
        assert detail_words(detail) == detail


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("warning", ResponseWarning)
def test_every_warning_has_its_words(warning: ResponseWarning) -> None:
    assert warning_labels([warning]) not in {"", warning.label}
