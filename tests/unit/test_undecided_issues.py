"""What cannot be told of issues in a comparison: what an audit has not seen, or decided by else."""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.rules.content import SPELLING
from gossamer.audit.rules.page_titles import DUPLICATE, TOO_LONG
from gossamer.audit.site_audit import is_current, run_site_audit
from gossamer.cli.comparison_text import comparison_object, comparison_text
from gossamer.cli.fail_on_comparison import comparison_thresholds
from gossamer.comparison.project_comparison import ComparisonOptions
from gossamer.export.comparison_issues import IssueTrend, compared_issues
from gossamer.export.comparison_report import comparison_page
from gossamer.export.comparison_sheets import changes_sheet
from gossamer.model.comparison_notes import comparison_notes
from gossamer.model.comparison_results import ComparisonFilter, FilterMove
from gossamer.model.fields.page_flags import Directive
from gossamer.model.rule_comparability import RuleComparability
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from gossamer.store.auditing.audited_project import AuditCancelled
from gossamer.store.comparing.comparison_reader import ComparisonReader
from tests.fakes.compared import compared
from tests.fakes.crawled import SITE, Crawled

_SETTINGS: Final = CrawlSettings(roots=(SITE,))
_BASES: Final = {number: rule.basis for number, rule in RULES.items()}
_ALIKE: Final = ("/a", "/b", "/c")
"""Pages with one title."""
MakeCrawl = Callable[..., Crawled]


@pytest.fixture
def crawl(tmp_path: Path, request: pytest.FixtureRequest) -> MakeCrawl:
    def make(name: str, *paths: str, settings: CrawlSettings = _SETTINGS) -> Crawled:
        crawled = Crawled(tmp_path / f"{name}.gossamer", settings)
        request.addfinalizer(crawled.writer.close)
        crawled.page("/", *_ALIKE, title="Home")
        for path in paths:
            crawled.page(path, title="Alike")
        return crawled

    return make


def moves(
    before: Crawled,
    after: Crawled,
    rule: int = DUPLICATE.number,
    bases: Mapping[int, RuleComparability] = _BASES,
) -> dict[str, set[str]]:
    """The paths that have come into an issue or left it, by how."""
    compared(before.path, after.path, ComparisonOptions(bases=bases))
    with ComparisonReader(after.path.with_suffix(".comparison")) as reader:
        found: dict[str, set[str]] = {}
        for move in FilterMove:
            wanted = ComparisonFilter(moved=("issue", rule, move))
            if paths := {page.url.removeprefix(SITE) for page in reader.iterate(wanted)}:
                found[move.label] = paths
        counts = {int(each.value): each for each in reader.filters(("issue",))}
        if rule in counts:
            assert {each.label: counts[rule].of(each) for each in FilterMove} == {
                each.label: len(found.get(each.label, ())) for each in FilterMove
            }
        return found


def test_pages_that_the_audit_has_not_seen_have_unknown_issues(crawl: MakeCrawl) -> None:
    whole, partial = crawl("whole", *_ALIKE), crawl("partial", "/a", "/b")
    run_site_audit(whole.path)
    run_site_audit(partial.path)
    partial.page("/c", title="Alike")
    assert moves(whole, partial) == {"Unknown": {"/c"}}
    with ComparisonReader(partial.path.with_suffix(".comparison")) as reader:
        summary = reader.summary()
        assert summary.is_empty  # nobody knows that the page has changed
        assert summary.after.unseen == 1
        assert "older than 1 URLs" in " ".join(map(str, comparison_notes(summary)))
        assert {each.trend for each in compared_issues(reader)} == {IssueTrend.UNKNOWN}
        assert list(changes_sheet(reader).rows) == []
        text, told = comparison_text(reader), comparison_object(reader)
        assert "What cannot be compared" in text
        assert "got better" not in text
        (issue,) = [
            each
            for each in told["issues"]  # type: ignore[attr-defined]  # a list of objects
            if each["name"] == "Page Titles: Duplicate"
        ]
        assert (issue["removed"], issue["unknown"], issue["unknown_before"]) == (0, 1, 0)
        assert told["after"]["unseen"] == 1  # type: ignore[index]  # an object
        assert "What cannot be compared" in comparison_page(
            reader, datetime(2026, 1, 1, tzinfo=UTC)
        )
    assert moves(partial, whole) == {"Unknown before": {"/c"}}
    run_site_audit(partial.path)
    assert moves(whole, partial) == {}
    assert moves(partial, whole) == {}


def test_a_project_that_was_never_audited_tells_nothing_of_the_whole(crawl: MakeCrawl) -> None:
    audited, fresh = crawl("audited", *_ALIKE), crawl("fresh", *_ALIKE)
    run_site_audit(audited.path)
    assert moves(audited, fresh) == {"Unknown": set(_ALIKE)}
    assert moves(fresh, audited) == {"Unknown before": set(_ALIKE)}


def test_a_page_that_was_fetched_again_since_is_not_what_the_audit_saw(crawl: MakeCrawl) -> None:
    before, after = crawl("before", "/a", "/b"), crawl("after", "/a", "/b")
    before.page("/c", title="Another")
    after.page("/c", title="Alike")
    for each in (before, after):
        run_site_audit(each.path)
    after.page("/c", title="Another", word_count=5)  # the row of the stage is still there
    assert moves(before, after) == {"Unknown before": {"/c"}}


def test_what_a_cancelled_audit_did_not_come_to_is_unknown(crawl: MakeCrawl) -> None:
    before, after = crawl("before", *_ALIKE), crawl("after", "/a", "/b")
    for each in (before, after):
        run_site_audit(each.path)
    after.page("/c", title="Alike")
    stages: list[str] = []
    with pytest.raises(AuditCancelled):
        run_site_audit(
            after.path,
            progress=lambda step: stages.append(step.stage),
            is_cancelled=lambda: "Duplicates" in stages,
        )
    assert not is_current(after.path)
    # What it has seen is that of the audit before, which came to its end.
    assert moves(before, after) == {"Unknown": {"/c"}}


def test_what_ended_with_its_page_is_known_without_an_audit(crawl: MakeCrawl) -> None:
    before, after = crawl("before", *_ALIKE), crawl("after", "/a", "/b")
    run_site_audit(before.path)
    after.page("/c", title="Alike", directives=int(Directive.NOINDEX))
    assert moves(before, after) == {"Unknown": {"/a", "/b"}, "Ended": {"/c"}}
    assert moves(after, before) == {"Unknown before": {"/a", "/b"}, "Began": {"/c"}}


def test_another_threshold_makes_no_page_better_or_worse(crawl: MakeCrawl) -> None:
    usual, loose = crawl("usual"), crawl("loose", settings=replace(_SETTINGS, title_max_length=80))
    for each in (usual, loose):
        each.page("/a", title="x" * 70, issues=[TOO_LONG.number] if each is usual else [])
        run_site_audit(each.path)
    assert moves(usual, loose, TOO_LONG.number) == {"Unknown": {"/a"}}
    assert moves(loose, usual, TOO_LONG.number) == {"Unknown before": {"/a"}}
    run_site_audit(loose.path, _SETTINGS)
    assert moves(usual, loose, TOO_LONG.number) == {}


def test_what_the_settings_of_one_crawl_do_not_check_is_unknown(crawl: MakeCrawl) -> None:
    checked, other = (
        crawl("checked", settings=replace(_SETTINGS, check_spelling=True)),
        crawl("other"),
    )
    checked.page("/a", issues=[SPELLING.number])
    other.page("/a")
    assert moves(checked, other, SPELLING.number) == {"Unknown": {"/a"}}
    assert moves(other, checked, SPELLING.number) == {"Unknown before": {"/a"}}


def test_what_an_older_version_of_a_rule_has_decided_is_unknown_until_the_next_audit(
    crawl: MakeCrawl,
) -> None:
    old, new = crawl("old", *_ALIKE), crawl("new", "/a", "/b")
    new.page("/c", title="Another")
    for each in (old, new):
        run_site_audit(each.path)
    with closing(sqlite3.connect(old.path)) as connection, connection:
        connection.execute(
            """
            UPDATE audit_state SET page_thresholds = json_set(page_thresholds, '$.rules', 0),
                stage_thresholds = json_set(stage_thresholds, '$.rules', 0)
            """
        )
    assert moves(old, new) == {"Unknown": {"/c"}}
    as_ever = {DUPLICATE.number: DUPLICATE.basis._replace(since=0)}
    assert moves(old, new, bases=as_ever) == {"Removed": {"/c"}}
    assert not is_current(old.path)
    run_site_audit(old.path)
    assert is_current(old.path)
    assert moves(old, new) == {"Removed": {"/c"}}


def test_a_threshold_of_a_comparison_says_what_it_cannot_count(crawl: MakeCrawl) -> None:
    before, after = crawl("before", "/a", "/b"), crawl("after", *_ALIKE)
    before.page("/c", title="Alike")
    run_site_audit(after.path)
    after.page("/a", title="Alike")
    assert moves(before, after) == {"Unknown before": set(_ALIKE)}
    names = ("Page Titles: Duplicate", "new-issues", "errors")
    issue, of_any, errors = comparison_thresholds(names, DEFAULTS, ())
    with ComparisonReader(after.path.with_suffix(".comparison")) as reader:
        assert issue.exceeded(reader) is None
        old, unseen = issue.doubts(reader)
        assert old.startswith("--fail-on Page Titles: Duplicate: Not counted: 3 URLs")
        assert "1 URLs were fetched after the last audit" in unseen
        assert len(of_any.doubts(reader)) == 2
        assert errors.doubts(reader) == []
