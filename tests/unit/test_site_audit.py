"""How the site audit runs: what is written when, and what is decided again."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gossamer.audit.live_page_issues import page_issues
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_audit import STAGES, AuditProgress, is_current, run_site_audit
from gossamer.audit.site_rule import PageRule, StageRule
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import Directive, MarkupFlag
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import DEFAULTS, THRESHOLDS, CrawlSettings
from gossamer.model.text_errors import ErrorKind, TextError, encode_errors
from gossamer.model.visit import Visit
from gossamer.store.auditing.audited_project import AuditCancelled
from gossamer.store.project import store_settings, stored_settings
from tests.fakes.audited import audited, issues
from tests.fakes.crawled import SITE, Crawled


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        yield crawled


def with_thresholds(**changes: Any) -> CrawlSettings:
    return CrawlSettings(roots=(SITE,), **changes)


def all_rows(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM issue").fetchall()


def duplicate_titles(crawled: Crawled) -> None:
    crawled.page("/", "/a", "/b", title="Same")
    crawled.page("/a", "/", title="Same")
    crawled.page("/b", "/", title="Other")


def test_audit_is_current_until_something_is_crawled(crawled: Crawled) -> None:
    duplicate_titles(crawled)
    assert not is_current(crawled.path)
    found = audited(crawled)
    assert found["Page Titles: Duplicate"] == ["/", "/a"]
    assert is_current(crawled.path)
    crawled.page("/c", "/", title="Other")
    assert not is_current(crawled.path)
    assert audited(crawled)["Page Titles: Duplicate"] == ["/", "/a", "/b", "/c"]


def test_second_audit_of_the_same_content_does_nothing(crawled: Crawled) -> None:
    duplicate_titles(crawled)
    audited(crawled)
    steps: list[AuditProgress] = []
    run_site_audit(crawled.path, progress=steps.append)
    assert steps == []


def test_progress_rises_to_its_total(crawled: Crawled) -> None:
    duplicate_titles(crawled)
    steps: list[AuditProgress] = []
    run_site_audit(crawled.path, progress=steps.append)
    done = [step.done for step in steps]
    assert done == sorted(done)
    assert steps[-1].done == steps[-1].total
    assert {stage.name for stage in STAGES} <= {step.stage for step in steps}


EVERY = 1 if os.environ.get("GOSSAMER_LONG_TESTS") else 7
"""Moments from one at which an audit is cancelled to the next."""


def test_audit_that_is_cancelled_at_any_moment_leaves_whole_rules(crawled: Crawled) -> None:
    duplicate_titles(crawled)
    before = audited(crawled)
    crawled.page("/c", "/", title="Other")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    seen: list[dict[str, list[str]]] = []
    for questions in range(1, 500, EVERY):
        left = [questions]

        def is_cancelled(left: list[int] = left) -> bool:
            left[0] -= 1
            return left[0] < 0

        try:
            run_site_audit(crawled.path, is_cancelled=is_cancelled)
        except AuditCancelled:
            assert not is_current(crawled.path)
            seen.append(issues(crawled.path))
        else:
            break
    after = issues(crawled.path)
    assert is_current(crawled.path)
    assert after["Page Titles: Duplicate"] == ["/", "/a", "/b", "/c"]
    for between in seen:
        for name, urls in between.items():
            assert urls in (before.get(name), after.get(name))
    assert len({str(between) for between in seen}) > 1


def test_audit_that_is_killed_in_a_transaction_leaves_the_old_rows(crawled: Crawled) -> None:
    duplicate_titles(crawled)
    before = audited(crawled)
    crawled.page("/c", "/", title="Other")
    with closing(sqlite3.connect(crawled.path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DELETE FROM issue")
    assert issues(crawled.path) == before
    assert audited(crawled)["Page Titles: Duplicate"] == ["/", "/a", "/b", "/c"]


def test_project_that_is_open_in_a_writer_can_be_audited(crawled: Crawled) -> None:
    duplicate_titles(crawled)
    audited(crawled)
    crawled.page("/c", "/", title="Same")
    assert audited(crawled)["Page Titles: Duplicate"] == ["/", "/a", "/c"]


def test_each_stage_rule_is_decided(crawled: Crawled) -> None:
    duplicate_titles(crawled)
    audited(crawled)
    with closing(sqlite3.connect(crawled.path)) as connection:
        decided = {rule for (rule,) in connection.execute("SELECT rule FROM issue_count")}
    declared = {number for number, rule in RULES.items() if isinstance(rule.decision, StageRule)}
    assert {RULES[number].full_name(with_thresholds()) for number in declared - decided} == set()


# ---------------------------------------------------------------- page rules decided again

TEXTS = (None, "", "x" * 20, "x" * 45, "x" * 80, "x" * 400)
ERRORS = [
    TextError(ErrorKind.SPELLING, "teh"),
    TextError(ErrorKind.GRAMMAR, "an", rule="EN_A_VS_AN"),
]
PAGES = [
    PageFacts(
        title=title,
        h1=TEXTS[number % 5],
        h2=TEXTS[(number + 2) % 6],
        description=TEXTS[(number + 3) % 6],
        keywords=TEXTS[(number + 1) % 4],
        title_pixels=None if title is None else 6 * len(title),
        description_pixels=number * 100,
        word_count=100 * number,
        sentence_count=5 * number,
        syllable_count=(150 + 10 * number) * number,
        text_length=600 * number,
        language="en",
        text_errors=encode_errors(ERRORS[: number % 3]),
        markup=int(MarkupFlag.MULTIPLE_KEYWORDS),
        directives=int(Directive.NOINDEX) * (number in {3, 7}),
    )
    for number, title in enumerate(TEXTS * 2)
]
NUMBERS = {name for name in THRESHOLDS if isinstance(getattr(DEFAULTS, name), int | float)}
CHANGED = with_thresholds(
    **{
        name: not value if isinstance(value, bool) else max(value // 2, 1)
        for name, value in ((name, getattr(DEFAULTS, name)) for name in NUMBERS)
        if name not in {"reading_ease_difficult", "duplicate_min_percent"}
    },
    reading_ease_difficult=70,
    duplicate_min_percent=60,
    ignored_words=("TEH",),
    ignored_grammar_rules=("EN_A_VS_AN",),
)


def fill(
    crawled: Crawled,
    settings: CrawlSettings,
    pages: Sequence[PageFacts] = PAGES,
    *,
    with_issues: bool = True,
) -> None:
    for number, facts in enumerate(pages):
        size = number * 300_000
        visit = Visit(Outcome.PAGE, 200, content_type="text/html", size_bytes=size, facts=facts)
        path = f"/{number}{'x' * 10 * number}"
        found = page_issues(f"{SITE}{path}", visit, settings) if with_issues else []
        crawled.visited(path, msgspec.structs.replace(visit, issues=found))


def page_rule_issues(path: Path) -> dict[str, list[str]]:
    page_rules = {
        rule.full_name(with_thresholds())
        for rule in RULES.values()
        if isinstance(rule.decision, PageRule)
    }
    return {name: urls for name, urls in issues(path).items() if name in page_rules}


def test_changed_thresholds_give_what_a_crawl_with_them_would_have(
    crawled: Crawled, tmp_path: Path
) -> None:
    fill(crawled, stored_settings(crawled.path))
    before = page_rule_issues(crawled.path)
    crawled.writer.close()
    store_settings(crawled.path, CHANGED)
    assert not is_current(crawled.path)
    run_site_audit(crawled.path)
    assert is_current(crawled.path)
    with Crawled(tmp_path / "b.gossamer") as other:
        fill(other, CHANGED)
        assert page_rule_issues(crawled.path) == page_rule_issues(other.path)
    after = page_rule_issues(crawled.path)
    limited = {
        rule.full_name(with_thresholds())
        for rule in RULES.values()
        if isinstance(rule.decision, PageRule) and rule.limit in NUMBERS
    }
    assert {name for name in limited if before.get(name) == after.get(name)} == set()


def test_thresholds_that_changed_while_pages_were_read_are_applied_to_all(
    crawled: Crawled, tmp_path: Path
) -> None:
    fill(crawled, stored_settings(crawled.path))
    crawled.writer.change_settings(CHANGED)
    fill(crawled, CHANGED, PAGES[:5])
    crawled.writer.change_settings(with_thresholds())
    fill(crawled, with_thresholds(), PAGES[:3])
    run_site_audit(crawled.path)
    assert is_current(crawled.path)
    with Crawled(tmp_path / "b.gossamer") as other:
        fill(other, with_thresholds())
        assert page_rule_issues(crawled.path) == page_rule_issues(other.path)


@pytest.mark.parametrize(
    ("changes", "stages"),
    [
        ({"title_max_length": 5}, {"Applying thresholds"}),
        (
            {"crawl_depth_max": 1},
            {
                "Applying thresholds",
                "Reading URLs and links",
                "Depth and outlinks",
                "Writing results",
            },
        ),
    ],
)
def test_changed_thresholds_run_the_stages_that_apply_them(
    crawled: Crawled, changes: dict[str, int], stages: set[str]
) -> None:
    duplicate_titles(crawled)
    audited(crawled)
    crawled.writer.change_settings(with_thresholds(**changes))
    steps: list[AuditProgress] = []
    run_site_audit(crawled.path, progress=steps.append)
    assert {step.stage for step in steps} == stages
    assert is_current(crawled.path)
    assert issues(crawled.path)["Page Titles: Duplicate"] == ["/", "/a"]


def test_pages_written_without_issues_get_all_of_them(crawled: Crawled, tmp_path: Path) -> None:
    fill(crawled, with_thresholds(), with_issues=False)
    with closing(sqlite3.connect(crawled.path)) as connection:
        connection.execute("UPDATE audit_state SET page_thresholds = NULL")
        connection.commit()
    run_site_audit(crawled.path)
    with Crawled(tmp_path / "b.gossamer") as other:
        fill(other, with_thresholds())
        assert page_rule_issues(crawled.path) == page_rule_issues(other.path)


def test_rows_of_page_rules_stay_where_thresholds_are_the_same(crawled: Crawled) -> None:
    fill(crawled, with_thresholds())
    before = page_rule_issues(crawled.path)
    run_site_audit(crawled.path)
    assert page_rule_issues(crawled.path) == before
