"""Declares the fields of a URL that are made of others, such as lengths, readability and CO2."""

from typing import Final

from gossamer.model.fields import page_measures as measures
from gossamer.model.fields.field_declaration import ColumnSet, Derived, Field, FieldKind
from gossamer.model.translatable import Sentence

_SEO: Final = (ColumnSet.SEO,)
_READING_EASE: Final = ("word_count", "sentence_count", "syllable_count", "language")


def _length_of(name: str, label: Sentence, export: str) -> Derived[int]:
    field = Field(label, export=export, sql=measures.length_sql(name))
    return Derived(measures.length, name, field=field)


TITLE_LENGTH: Final = _length_of("title", "Title 1 length", "Title 1 Length")
DESCRIPTION_LENGTH: Final = _length_of(
    "description", "Meta description 1 length", "Meta Description 1 Length"
)
KEYWORDS_LENGTH: Final = _length_of("keywords", "Meta keywords 1 length", "Meta Keywords 1 Length")
H1_LENGTH: Final = _length_of("h1", "H1-1 length", "H1-1 Length")
H1_2_LENGTH: Final = _length_of("h1_2", "H1-2 length", "H1-2 Length")
H2_LENGTH: Final = _length_of("h2", "H2-1 length", "H2-1 Length")
H2_2_LENGTH: Final = _length_of("h2_2", "H2-2 length", "H2-2 Length")
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
        note="How much of the page is visible text, in percent",
        export="Text Ratio",
        sql=measures.TEXT_RATIO,
        kind=FieldKind.DECIMAL,
        sets=_SEO,
    ),
)
TOTAL_TRANSFERRED: Final = Derived(
    measures.same_bytes, "raw_bytes", field=Field(export="Total Transferred (bytes)")
)
"""Of a view of the page: without rendering, of itself."""
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
