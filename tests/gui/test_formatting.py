"""Values as a user reads them, and what the web may not do to a view."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale
from PySide6.QtGui import QFont, QFontMetrics

from gossamer.export.export_columns import COLUMN_HEADINGS
from gossamer.gui.filters.facet_menu import facet_name
from gossamer.gui.look import outcome_style, theme
from gossamer.gui.look.theme import TEXT_ROLES
from gossamer.gui.tables.table_columns import INDEX, LINK_SPECS, SPECS
from gossamer.gui.tables.table_tabs import TABS
from gossamer.gui.text import local_formatting as formatting
from gossamer.model import number_format
from gossamer.model.facets import FACETS
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import LINK_TARGETS, View
from tests.cases import each_case


@pytest.fixture(autouse=True)
def american_numbers(english: None) -> Iterator[None]:
    del english
    before = QLocale()
    formatting.use_locale(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    formatting.use_locale(before)


def test_plain_text_stays_as_it_is() -> None:
    assert formatting.clean("Ein schöner Titel, 日本語") == "Ein schöner Titel, 日本語"


def test_long_text_is_cut_with_an_ellipsis() -> None:
    shown = formatting.clean("x" * 1_000_000)
    assert len(shown) == formatting.MAX_CHARS
    assert shown.endswith("…")


def test_bidi_control_characters_are_neutralised() -> None:
    assert formatting.clean("safe\u202egpj.exe\u2066\u200f") == "safegpj.exe"


def test_line_breaks_become_spaces_and_control_characters_visible() -> None:
    assert formatting.clean("a\r\nb\u2028c\x00d\ud800") == "a b c\ufffdd\ufffd"


@given(st.text(alphabet=st.characters(), max_size=2_000))
def test_clean_text_is_one_short_line_for_any_input(text: str) -> None:
    shown = formatting.clean(text)
    assert len(shown) <= formatting.MAX_CHARS
    assert not set(shown) & set("\n\r\t\x00\u2028\u2029\u202e\u2066")
    assert formatting.clean(shown) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (1_234_567, "1,234,567"), (2**63, "9223372036854775808"), (-5, "-5")],
)
def test_numbers_have_separators_and_no_limit(value: int, shown: str) -> None:
    assert formatting.number(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (7, "7"),
        (9_999, "9,999"),
        (12_345, "12,345"),
        (30_195, "30,195"),
        (999_999, "999,999"),
        (1_000_000, "1.0M"),
        (4_699_999, "4.6M"),
    ],
)
def test_counts_are_exact_below_a_million_and_rounded_down_above(value: int, shown: str) -> None:
    assert formatting.compact(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (9_999, "9,999"),
        (12_345, "12,345"),
        (999_999, "999,999"),
        (1_234_567, "123万"),
        (99_999_999, "9,999万"),
        (123_456_789, "1.2亿"),
    ],
)
def test_counts_from_a_million_on_are_in_ten_thousands_in_chinese(value: int, shown: str) -> None:
    formatting.use_locale(QLocale("zh_CN"))
    assert formatting.compact(value) == shown


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("counts", [("7", "42"), ("100", "1,000", "9,999"), ("10,000", "999,999")])
def test_a_label_with_a_count_keeps_its_width_while_it_grows(counts: tuple[str, ...]) -> None:
    metrics = QFontMetrics(theme.tabular(QFont()))
    widths = [metrics.horizontalAdvance(formatting.with_count("Errors", each)) for each in counts]
    assert max(widths) - min(widths) <= 2


@pytest.mark.parametrize(
    ("value_ms", "shown"),
    [(0, "0 ms"), (999, "999 ms"), (1_240, "1.24 s"), (30_000, "30.00 s"), (250_000, "250 s")],
)
def test_durations_change_unit(value_ms: int, shown: str) -> None:
    assert formatting.duration(value_ms) == shown


@given(st.integers(0, 2**62))
def test_the_window_writes_english_numbers_as_reports_do(value: int) -> None:
    assert formatting.number(value) == number_format.number(value)
    assert formatting.compact(value) == number_format.compact(value)
    assert formatting.duration(value % 10**9) == number_format.milliseconds(value % 10**9)


def test_the_c_locale_is_not_used_for_display() -> None:
    formatting.use_locale(QLocale.c())
    assert formatting.number(1_234_567) == "1,234,567"


def test_sizes_have_units_and_never_overflow() -> None:
    assert formatting.size(512) == "512 bytes"
    assert formatting.size(37_069) == "36.2 KiB"
    assert formatting.size(2**70).endswith("EiB")


def test_tooltips_escape_markup_and_break_long_lines() -> None:
    tip = formatting.tooltip("<b>not bold</b>", None, "", "x" * 250)
    assert "<b>" not in tip
    assert "&lt;b&gt;not bold" in tip
    assert tip.count("<br>") == 3


def test_an_empty_text_has_no_tooltip() -> None:
    assert formatting.tooltip(None, "") == ""


@each_case("outcome", list(Outcome))
def test_each_outcome_has_words_a_colour_and_a_sign(outcome: Outcome) -> None:
    assert outcome_style.label(outcome)
    assert len(outcome_style.label(outcome).split()) <= 5
    assert outcome_style.sentence(outcome).endswith(".")
    assert outcome_style.role(outcome, None) in TEXT_ROLES


def test_refusals_look_like_a_warning_and_dead_links_like_an_error() -> None:
    assert outcome_style.icon_name(Outcome.CLIENT_ERROR, 403) == "warning"
    assert outcome_style.icon_name(Outcome.CLIENT_ERROR, 404) == "error"
    assert outcome_style.role(Outcome.CLIENT_ERROR, 404) == "error"


@each_case("kind", list(LinkKind))
def test_each_kind_of_link_has_a_name(kind: LinkKind) -> None:
    assert outcome_style.kind_label(kind)


def test_every_column_can_be_shown_and_every_view_shows_addresses() -> None:
    assert set(INDEX) == View.ALL.columns
    assert {spec.column for spec in LINK_SPECS} == View.LINKS.columns
    assert len({spec.header for spec in SPECS}) == len(SPECS)
    for view in set(View) - set(LINK_TARGETS):
        assert "address" in TABS[view].columns
    assert {"source", "target"} <= set(TABS[View.LINKS].columns)


def test_facets_and_details_use_the_labels_of_columns() -> None:
    headers = {spec.header for spec in SPECS}
    named_alone = {
        "verdict",
        "status_class",
        "content_kind",
        "kind",
        "folder",
        "origin",
        "issue",
        "ignored",
        "custom",
    }
    headers |= {spec.header for spec in LINK_SPECS}
    for facet in set(FACETS) - named_alone - {"found_on"}:
        assert facet_name(facet) in headers, facet


AS_EXPORTED = {
    "fcp_ms": "First Contentful Paint Time (sec)",
    "lcp_ms": "Largest Contentful Paint Time (sec)",
    "tbt_ms": "Total Blocking Time (sec)",
    "page_bytes": "Total Page Size (bytes)",
    "script_bytes": "JavaScript Size (bytes)",
    "style_bytes": "CSS Size (bytes)",
    "image_bytes": "Image Size (bytes)",
    "font_bytes": "Font Size (bytes)",
    "third_party_requests": "Third Party Requests",
    "third_party_bytes": "Third Party Size (bytes)",
    "title": "Title 1",
    "h1": "H1-1",
    "description": "Meta Description 1",
    "size": "Size (bytes)",
    "canonical": "Canonical Link Element 1",
    "chain_length": "Number of Redirects",
    "title_pixels": "Title 1 Pixel Width",
    "description_pixels": "Meta Description 1 Pixel Width",
    "keywords": "Meta Keywords 1",
    "h1_2": "H1-2",
    "h2": "H2-1",
    "h2_2": "H2-2",
    "sentence_count": "Sentence Count",
    "crawler_robots": "Crawler Meta Robots",
    "structured_types": "Structured Data Types",
    "segment": "Segments",
    "url_length": "Length",
    "rich_results": "Rich Result Features",
    "robots": "Meta Robots 1",
    "robots_header": "X-Robots-Tag 1",
    "refresh": "Meta Refresh 1",
    "canonical_header": "HTTP Canonical 1",
    "next_url": 'rel="next" 1',
    "prev_url": 'rel="prev" 1',
    "next_header": 'HTTP rel="next" 1',
    "prev_header": 'HTTP rel="prev" 1',
    "amp_url": "amphtml Link Element",
    "mobile_url": "Mobile Alternate Link",
    "near_duplicate_match": "Closest Near Duplicate Match",
    "near_duplicates": "No. Near Duplicates",
    "near_duplicate": "Closest Near Duplicate Address",
    "console_errors": "JS Error",
    "console_warnings": "JS Warning",
}
"""Where an export follows other programs, or has a unit that the window shows beside each value."""


def test_column_labels_match_export_headings() -> None:
    for spec in (*SPECS, *LINK_SPECS):
        assert spec.column is not None
        exported = AS_EXPORTED.get(spec.column, spec.header)
        assert exported.casefold() == COLUMN_HEADINGS[spec.column].casefold()
