"""Declares the columns that compare a rendered page with its HTML."""

from typing import Final

from gossamer.model.fields.field_declaration import (
    ColumnSet,
    Derived,
    Field,
    FieldGroup,
    FieldKind,
)
from gossamer.model.fields.rendering_fields import (
    AccessibilityOutcome,
    RenderOutcome,
    RenderReason,
)
from gossamer.model.translatable import Sentence, Word, word

_LAST_SHOWN: Final = RenderOutcome.TIMED_OUT
"""From the next outcome on, the facts of a page are those of its HTML."""


class RenderStatus(Word):
    """How the rendering of a page ended, in a word or two."""

    RENDERED = word("Rendered")
    TIMED_OUT = word("Timed out")
    CRASHED = word("Crashed")
    FAILED = word("Failed")
    NO_BROWSER = word("No browser")
    NOT_NEEDED = word("Not needed")
    OUT_OF_MEMORY = word("Out of memory")


class RenderReasonWord(Word):
    """Why a page was rendered, in a few words."""

    ALWAYS = word("All pages")
    NEEDS_SCRIPTS = word("Needs scripts")
    LITTLE_TEXT = word("Little text")
    SAMPLE = word("Sample")
    SITE_DIFFERS = word("Site differs")


def _reason(reason: RenderReason | None) -> RenderReasonWord | None:
    return None if reason is None else RenderReasonWord[reason.name]


_REASON_SQL: Final = " ".join(
    f"WHEN {int(each)} THEN '{RenderReasonWord[each.name].value}'" for each in RenderReason
)


class AccessibilityStatus(Word):
    """How the check of a page for accessibility ended, in a few words."""

    CHECKED = word("Checked")
    WITHOUT_CONTRAST = word("Checked without contrast")
    FAILED = word("Check failed")
    NO_AXE = word("No axe-core")


def _accessibility(outcome: AccessibilityOutcome | None) -> AccessibilityStatus | None:
    return None if outcome is None else AccessibilityStatus[outcome.name]


_ACCESSIBILITY_SQL: Final = " ".join(
    f"WHEN {int(each)} THEN '{AccessibilityStatus[each.name].value}'"
    for each in AccessibilityOutcome
)


def _is_shown(outcome: int | None) -> bool:
    return outcome is not None and outcome <= _LAST_SHOWN


def _shown_sql(sql: str) -> str:
    return f"CASE WHEN r.render_outcome <= {int(_LAST_SHOWN)} THEN {sql} END"


def _status(outcome: RenderOutcome | None) -> RenderStatus | None:
    return None if outcome is None else RenderStatus[outcome.name]


_STATUS_SQL: Final = " ".join(
    f"WHEN {int(each)} THEN '{RenderStatus[each.name].value}'" for each in RenderOutcome
)


def _text_in_html(
    name: str, label: Sentence, export: str, sql: str, kind: FieldKind = FieldKind.TEXT
) -> Derived[str | None]:
    """What the HTML of a rendered page has in the field `name`, which `sql` reads."""

    def in_html(outcome: int | None, html: str | None, rendered: str | None) -> str | None:
        if not _is_shown(outcome):
            return None
        return rendered if html is None else html

    html_sql = _shown_sql(f"coalesce(r.html_{name}, {sql})")
    field = Field(label, export=export, sql=html_sql, width=30, kind=kind)
    return Derived(in_html, "render_outcome", f"html_{name}", name, field=field)


def _text_as_rendered(
    name: str, label: Sentence, export: str, sql: str, kind: FieldKind = FieldKind.TEXT
) -> Derived[str | None]:
    """What a page has in the field `name` once it is rendered."""

    def as_rendered(outcome: int | None, rendered: str | None) -> str | None:
        return rendered if _is_shown(outcome) else None

    field = Field(label, export=export, sql=_shown_sql(sql), width=30, kind=kind)
    return Derived(as_rendered, "render_outcome", name, field=field)


_ADDRESS: Final = FieldKind.ADDRESS


def _words_in_html(outcome: int | None, html: int | None, rendered: int | None) -> int | None:
    if not _is_shown(outcome):
        return None
    return rendered if html is None else html


def _words_as_rendered(outcome: int | None, rendered: int | None) -> int | None:
    return rendered if _is_shown(outcome) else None


def _words_changed(outcome: int | None, html: int | None, rendered: int | None) -> int | None:
    if not _is_shown(outcome) or rendered is None:
        return None
    return 0 if html is None else rendered - html


def _percent_changed(outcome: int | None, html: int | None, rendered: int | None) -> float | None:
    """The share of the rendered words that exceed those of the HTML."""
    changed = _words_changed(outcome, html, rendered)
    if changed is None:
        return None
    return round(100 * changed / rendered, 3) if rendered else 0.0


_WORDS: Final = ("render_outcome", "html_word_count", "word_count")
_CHANGED_SQL: Final = "v.word_count - coalesce(r.html_word_count, v.word_count)"


class RenderingColumns:
    """The columns of a URL derived from its rendering; None if it was not shown.

    To be inherited by the record of a URL.
    """

    __slots__ = ()

    render_status = Derived(
        _status,
        "render_outcome",
        field=Field(
            "Rendering",
            note="How the rendering of the page ended",
            export="Rendering",
            facet="rendering",
            sql=f"CASE r.render_outcome {_STATUS_SQL} END",
            width=14,
            group=FieldGroup.RENDERING,
            sets=(ColumnSet.TECHNICAL,),
        ),
    )
    why_rendered = Derived(
        _reason,
        "render_reason",
        field=Field(
            "Rendered because",
            note="Why the page was rendered, where only those are that need it",
            export="Rendered Because",
            facet="why_rendered",
            sql=f"CASE r.render_reason {_REASON_SQL} END",
            width=14,
            group=FieldGroup.RENDERING,
        ),
    )
    words_in_html = Derived(
        _words_in_html,
        *_WORDS,
        field=Field(
            "HTML word count",
            export="HTML Word Count",
            sql=_shown_sql("coalesce(r.html_word_count, v.word_count)"),
        ),
    )
    words_as_rendered = Derived(
        _words_as_rendered,
        *("render_outcome", "word_count"),
        field=Field(
            "Rendered HTML word count",
            export="Rendered HTML Word Count",
            sql=_shown_sql("v.word_count"),
        ),
    )
    word_count_change = Derived(
        _words_changed,
        *_WORDS,
        field=Field(
            "Word count change",
            note="Words that scripts add; less than 0 where they remove some",
            export="Word Count Change",
            sql=_shown_sql(_CHANGED_SQL),
        ),
    )
    word_percent = Derived(
        _percent_changed,
        *_WORDS,
        field=Field(
            "JS word count %",
            note="Share of the rendered words that scripts add",
            export="JS Word Count %",
            sql=_shown_sql(f"coalesce(100.0 * ({_CHANGED_SQL}) / nullif(v.word_count, 0), 0)"),
            kind=FieldKind.PERCENT,
        ),
    )
    title_in_html = _text_in_html("title", "HTML title", "HTML Title", "v.title")
    title_as_rendered = _text_as_rendered(
        "title", "Rendered HTML title", "Rendered HTML Title", "v.title"
    )
    description_in_html = _text_in_html(
        "description", "HTML meta description", "HTML Meta Description", "v.description"
    )
    description_as_rendered = _text_as_rendered(
        "description",
        "Rendered HTML meta description",
        "Rendered HTML Meta Description",
        "v.description",
    )
    h1_in_html = _text_in_html("h1", "HTML H1", "HTML H1", "v.h1")
    h1_as_rendered = _text_as_rendered("h1", "Rendered HTML H1", "Rendered HTML H1", "v.h1")
    canonical_in_html = _text_in_html(
        "canonical", "HTML canonical", "HTML Canonical", "v.canonical", _ADDRESS
    )
    canonical_as_rendered = _text_as_rendered(
        "canonical", "Rendered HTML canonical", "Rendered HTML Canonical", "v.canonical", _ADDRESS
    )
    robots_in_html = _text_in_html(
        "robots", "HTML meta robots 1", "HTML Meta Robots 1", "visit_robots.value"
    )
    robots_as_rendered = _text_as_rendered(
        "robots", "Rendered HTML meta robots 1", "Rendered HTML Meta Robots 1", "visit_robots.value"
    )
    accessibility_status = Derived(
        _accessibility,
        "accessibility",
        field=Field(
            "Accessibility",
            note="How the check of the page for accessibility ended",
            export="Accessibility",
            facet="accessibility",
            sql=f"CASE r.accessibility {_ACCESSIBILITY_SQL} END",
            width=14,
            group=FieldGroup.RENDERING,
        ),
    )
