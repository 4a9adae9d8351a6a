"""Words from below the window: every one that is declared there has its Chinese."""

import re
from string import Formatter

import pytest
from PySide6.QtCore import QCoreApplication

from gossamer.gui.look.outcome_style import warning_labels
from gossamer.gui.text import language
from gossamer.gui.text.translated_sentences import detail_words, spoken
from gossamer.model.outcome_details import Detail, DetailCode, free_text, joined
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.translatable import Translatable
from tests.cases import each_case


@pytest.fixture
def chinese(english: None) -> None:
    """The window speaks Chinese; whatever test comes next begins in English again."""
    del english
    assert QCoreApplication.instance() is not None
    language.use("zh_CN")


def places(template: str) -> list[tuple[str | None, str | None]]:
    """The places for values, and how these are written, in any order."""
    return sorted((name, form) for _, name, form, _ in Formatter().parse(template) if name)


@pytest.mark.usefixtures("chinese")
@each_case("code", DetailCode)
def test_every_detail_has_chinese_words_with_the_same_values(code: DetailCode) -> None:
    words = spoken(Translatable(code.template))
    assert places(words) == places(code.template)
    has_words = re.search("[a-z]", re.sub(r"\{[^}]*\}", "", code.template)) is not None
    assert words != code.template or not has_words


@pytest.mark.usefixtures("chinese")
@each_case(
    ("detail", "chinese_words"),
    [
        (DetailCode.REFRESH(seconds=5), "5 秒后"),
        (
            joined(DetailCode.CHALLENGE(service="Cloudflare"), DetailCode.CUT(size=10485760)),
            "由 Cloudflare 显示；截断于 10485760 字节",
        ),
        (
            DetailCode.ROBOTS_LINE(
                robots_txt="https://a.example/robots.txt", line=3, rule="Disallow: /"
            ),
            "https://a.example/robots.txt 第 3 行：Disallow: /",
        ),
        (DetailCode.EXCLUDE_PATTERN(pattern="a; b"), "排除规则 a; b"),
        (DetailCode.PROXY(why=DetailCode.DEADLINE()), "代理：已超时"),
        (free_text("after 5 s"), "after 5 s"),
        (None, ""),
    ],
)
def test_details_are_translated_and_keep_their_values(
    detail: Detail | None, chinese_words: str
) -> None:
    assert detail_words(detail) == chinese_words


@pytest.mark.usefixtures("chinese")
@each_case("warning", ResponseWarning)
def test_every_warning_has_its_words(warning: ResponseWarning) -> None:
    assert warning_labels([warning]) not in {"", warning.label}
