"""Declares the fields of a URL that are derived from others: lengths, readability, CO2 etc."""

from http import HTTPStatus
from typing import Final

from gossamer.model.fields import derived_freshness_fields
from gossamer.model.fields import derived_measures as measures
from gossamer.model.fields.field_declaration import ColumnSet, Derived, Field, FieldKind
from gossamer.model.fields.indexability import (
    indexable_or_not,
    indexable_sql,
    reason_sql,
    why_not_indexable,
)
from gossamer.model.fields.page_flags import ContentFlag, MarkupFlag
from gossamer.model.translatable import Sentence, Word, word

_SEO: Final = (ColumnSet.SEO,)


class NotedOrNot(Word):
    """Whether there are notes about a URL."""

    NOTED = word("With notes")
    NOT_NOTED = word("Without notes")


_READING_EASE: Final = ("word_count", "sentence_count", "syllable_count", "language")


def _length_of(name: str, label: Sentence, export: str) -> Derived[int]:
    field = Field(label, export=export, sql=measures.length_sql(name), width=len(label))
    return Derived(measures.length, name, field=field)


def _status_text(status: int | None, reason: str | None) -> str | None:
    """The server's reason phrase for the status code, or the standard's."""
    if reason or status is None:
        return reason or None
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return None


_PHRASES: Final = " ".join(
    f"WHEN {int(status)} THEN '{status.phrase.replace(chr(39), chr(39) * 2)}'"
    for status in HTTPStatus
)
_STATUS_TEXT: Final = f"coalesce(nullif(v.reason, ''), CASE v.status {_PHRASES} END)"


STATUS_TEXT: Final = Derived(
    _status_text,
    *("status", "reason"),
    field=Field("Status", export="Status", sql=_STATUS_TEXT, width=18, folded=True),
)
TITLE_LENGTH: Final = _length_of("title", "Title 1 length", "Title 1 Length")
DESCRIPTION_LENGTH: Final = _length_of(
    "description", "Meta description 1 length", "Meta Description 1 Length"
)
KEYWORDS_LENGTH: Final = _length_of("keywords", "Meta keywords 1 length", "Meta Keywords 1 Length")
H1_LENGTH: Final = _length_of("h1", "H1-1 length", "H1-1 Length")
H1_2_LENGTH: Final = _length_of("h1_2", "H1-2 length", "H1-2 Length")
H2_LENGTH: Final = _length_of("h2", "H2-1 length", "H2-1 Length")
H2_2_LENGTH: Final = _length_of("h2_2", "H2-2 length", "H2-2 Length")


def _occurrences_of(
    name: str, flag: MarkupFlag, label: Sentence, export: str
) -> Derived[int | None]:
    """How often a page has an element, as far as that is stored."""

    def occurrences(text: str | None, markup: int | None) -> int | None:
        if markup is None:
            return None
        return 2 if markup & flag else int(bool(text))

    sql = (
        f"CASE WHEN v.markup IS NULL THEN NULL WHEN v.markup & {int(flag)} THEN 2"
        f" ELSE {measures.length_sql(name)} > 0 END"
    )
    field = Field(label, note="2 stands for two or more", export=export, sql=sql, width=len(label))
    return Derived(occurrences, name, "markup", field=field)


def _flag_of(flag: ContentFlag, label: Sentence, export: str) -> Derived[bool | None]:
    """Whether a page has a flag set."""

    def has_flag(content: int | None) -> bool | None:
        return None if content is None else bool(content & flag)

    field = Field(label, export=export, sql=f"v.content & {int(flag)}", width=len(label))
    return Derived(has_flag, "content", field=field)


TITLES: Final = _occurrences_of(
    "title", MarkupFlag.MULTIPLE_TITLES, "Title occurrences", "Title Occurrences"
)
DESCRIPTIONS: Final = _occurrences_of(
    "description",
    MarkupFlag.MULTIPLE_DESCRIPTIONS,
    "Meta description occurrences",
    "Meta Description Occurrences",
)
KEYWORDS: Final = _occurrences_of(
    "keywords",
    MarkupFlag.MULTIPLE_KEYWORDS,
    "Meta keywords occurrences",
    "Meta Keywords Occurrences",
)
H1S: Final = _occurrences_of("h1", MarkupFlag.MULTIPLE_H1, "H1 occurrences", "H1 Occurrences")
H2S: Final = _occurrences_of("h2", MarkupFlag.MULTIPLE_H2, "H2 occurrences", "H2 Occurrences")
JSON_LD: Final = _flag_of(ContentFlag.JSON_LD, "JSON-LD", "JSON-LD")
MICRODATA: Final = _flag_of(ContentFlag.MICRODATA, "Microdata", "Microdata")
RDFA: Final = _flag_of(ContentFlag.RDFA, "RDFa", "RDFa")
PARSE_ERRORS: Final = _flag_of(
    ContentFlag.STRUCTURED_DATA_PARSE_ERROR, "Parse errors", "Parse Errors"
)
VALIDATION_ERRORS: Final = _flag_of(
    ContentFlag.STRUCTURED_DATA_ERROR, "Validation errors", "Validation Errors"
)
VALIDATION_WARNINGS: Final = _flag_of(
    ContentFlag.STRUCTURED_DATA_WARNING, "Validation warnings", "Validation Warnings"
)
RICH_RESULT_ERRORS: Final = _flag_of(
    ContentFlag.RICH_RESULT_ERROR, "Rich result errors", "Rich Result Errors"
)
RICH_RESULT_WARNINGS: Final = _flag_of(
    ContentFlag.RICH_RESULT_WARNING, "Rich result warnings", "Rich Result Warnings"
)
RICH_RESULTS: Final = _flag_of(
    ContentFlag.RICH_RESULT_FEATURE, "Rich results", "Rich Result Features"
)
URL_LENGTH: Final = Derived(
    measures.length,
    "url",
    field=Field("Address length", export="Length", sql="length(u.url)", width=14),
)
WORDS_PER_SENTENCE: Final = Derived(
    measures.words_per_sentence,
    *("word_count", "sentence_count"),
    field=Field(
        "Average words per sentence",
        export="Average Words Per Sentence",
        sql=measures.WORDS_PER_SENTENCE,
        kind=FieldKind.DECIMAL,
        sets=_SEO,
    ),
)
FLESCH_SCORE: Final = Derived(
    measures.flesch_score,
    *_READING_EASE,
    field=Field(
        "Flesch reading ease score",
        note="How easily English text reads: 100 is very easy, 0 very hard",
        export="Flesch Reading Ease Score",
        sql=measures.FLESCH_SCORE,
        kind=FieldKind.DECIMAL,
        sets=_SEO,
    ),
)
READABILITY: Final = Derived(
    measures.readability,
    *_READING_EASE,
    field=Field(
        "Readability",
        note="In words, by the Flesch reading ease",
        export="Readability",
        sql=measures.READABILITY,
        width=14,
        sets=_SEO,
    ),
)
TEXT_RATIO: Final = Derived(
    measures.text_ratio,
    *("text_length", "size_bytes"),
    field=Field(
        "Text ratio",
        note="How much of the page is visible text",
        export="Text Ratio",
        sql=measures.TEXT_RATIO,
        kind=FieldKind.PERCENT,
        sets=_SEO,
    ),
)
TOTAL_TRANSFERRED: Final = Derived(
    measures.same_bytes, "raw_bytes", field=Field(export="Total Transferred (bytes)")
)
"""For a view of the page: without rendering, the page itself."""
CO2_MG: Final = Derived(
    measures.co2_mg,
    "raw_bytes",
    field=Field(
        "CO2 (mg)",
        note="Estimated emissions of a view, by the Sustainable Web Design Model 4",
        export="CO2 (mg)",
        sql=measures.CO2_MG,
        kind=FieldKind.DECIMAL,
        sets=_SEO,
    ),
)
CARBON_RATING: Final = Derived(
    measures.carbon_rating,
    "raw_bytes",
    field=Field(
        "Carbon rating",
        note="From A+ to F: A+ emits less than 95% of all pages, F more than half of them",
        export="Carbon Rating",
        sql=measures.CARBON_RATING,
        width=10,
        sets=_SEO,
    ),
)
FOLDER_DEPTH: Final = Derived(
    measures.folder_depth,
    "url",
    field=Field(
        "Folder depth",
        note="Folders in the address: 1 for /a/b, 2 for /a/b/",
        export="Folder Depth",
        sql=measures.FOLDER_DEPTH,
        width=10,
        sets=_SEO,
    ),
)
REDIRECT_TYPE: Final = Derived(
    measures.redirect_type,
    "redirect_kind",
    field=Field(
        "Redirect type",
        export="Redirect Type",
        sql=measures.REDIRECT_TYPE,
        width=18,
        sets=(ColumnSet.TECHNICAL,),
    ),
)
ENCODED_URL: Final = Derived(measures.itself, "url", field=Field(export="URL Encoded Address"))
LANGUAGE_MATCH: Final = Derived(
    measures.language_match,
    *("language", "language_found"),
    field=Field(
        "Language match",
        note="Whether the page says the language that its text is in",
        facet="language_match",
        export="Language Match",
        sql=measures.LANGUAGE_MATCH,
        width=13,
        sets=_SEO,
    ),
)
INDEXABILITY: Final = Derived(
    indexable_or_not,
    "indexability_reason",
    field=Field(
        "Indexability",
        note="Whether search engines may list it",
        facet="indexability",
        export="Indexability",
        compared=True,
        sql=indexable_sql(),
        width=14,
        sets=_SEO,
    ),
)
INDEXABILITY_STATUS: Final = Derived(
    why_not_indexable,
    "indexability_reason",
    field=Field(
        "Indexability status",
        note="Why search engines may not list it",
        facet="indexability_status",
        export="Indexability Status",
        compared=True,
        sql=reason_sql(),
        width=20,
        sets=_SEO,
    ),
)
FRESHNESS_STATUS: Final = derived_freshness_fields.FRESHNESS_STATUS


def _noted_or_not(notes: str | None) -> NotedOrNot:
    return NotedOrNot.NOTED if notes else NotedOrNot.NOT_NOTED


NOTED: Final = Derived(
    _noted_or_not,
    "notes",
    field=Field(
        facet="noted",
        sql=(
            "CASE WHEN EXISTS (SELECT 1 FROM url_note un WHERE un.url = u.url)"  # noqa: S608 - our own words
            f" THEN '{NotedOrNot.NOTED}' ELSE '{NotedOrNot.NOT_NOTED}' END"
        ),
        in_table=False,
    ),
)
