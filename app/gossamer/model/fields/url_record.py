"""The record of a URL with all its fields, as tables, details and exports show it."""

from typing import TYPE_CHECKING, Annotated, Final

from gossamer.model.custom_definitions import CustomCells
from gossamer.model.discovery_rank import UNLINKED
from gossamer.model.fields import derived_fields as derived
from gossamer.model.fields.audit_fields import AuditFields
from gossamer.model.fields.derived_rendering_fields import RenderingColumns
from gossamer.model.fields.field_declaration import (
    ColumnSet,
    Derived,
    Field,
    FieldGroup,
    FieldKind,
    declared_fields,
    joined,
    with_first,
)
from gossamer.model.fields.indexability import Indexability, indexability_sql
from gossamer.model.fields.page_facts import PageFields
from gossamer.model.fields.page_load_fields import PageLoadFields
from gossamer.model.fields.response_fields import ResponseFields
from gossamer.model.outcome import PAGES, Outcome, UrlState, verdict
from gossamer.model.outcome_counts import is_truncated
from gossamer.model.redirect_types import ChainType
from gossamer.model.text_errors import ErrorKind

_PAGE, _PLACE, _RESPONSE = FieldGroup.PAGE, FieldGroup.PLACE, FieldGroup.RESPONSE
_ESSENTIALS, _SEO, _TECHNICAL = ColumnSet.ESSENTIALS, ColumnSet.SEO, ColumnSet.TECHNICAL
_TECHNICAL_ONLY = (_TECHNICAL,)

UNREACHED: Final = -1
"""The depth, in filters, of URLs that no clicks lead to."""
DEPTH: Final = f"CASE WHEN u.depth < {UNLINKED} THEN u.depth END"
"""Clicks from a root; NULL if no clicks lead there."""

_PAGE_COUNT: Final = (
    "nullif((SELECT total(urls) FROM url_count WHERE outcome IN"  # noqa: S608 - numbers
    f" ({', '.join(str(int(outcome)) for outcome in sorted(PAGES))})), 0)"
)


if TYPE_CHECKING:

    class _StoredFields(PageLoadFields, AuditFields, PageFields, ResponseFields, frozen=True):
        pass

else:  # Python lets no class inherit from two that have slots
    _StoredFields = joined(PageFields, ResponseFields, AuditFields, PageLoadFields)


class UrlRecord(RenderingColumns, _StoredFields, frozen=True, array_like=True, kw_only=True):
    """All that is known of one URL.

    `redirect` is the target of the response, resolved. `parent` is the id of the URL it was first
    found on, None for a root. `depth` is None if no clicks lead to the URL. `inlinks` counts links
    that take a reader or a browser to this URL, so neither redirects nor canonicals and the like;
    `unique_inlinks` the URLs they are on, `outlinks` links on it that take a reader elsewhere.
    `chain_length` counts the hops of a redirect up to its `final_url`; a loop, which has none, ends
    with a URL that repeats. Both are None for all others.
    """

    id: Annotated[int, Field(sql="u.id")]
    url: Annotated[
        str,
        Field(
            "Address",
            export="Address",
            sql="u.url",
            column="address",
            width=40,
            kind=FieldKind.ADDRESS,
            sets=(_ESSENTIALS, _SEO, _TECHNICAL),
        ),
    ]
    state: Annotated[UrlState, Field(sql="u.state")]
    outcome: Annotated[
        Outcome,
        Field(
            "Outcome",
            export="Outcome",
            sql="u.outcome",
            facet="outcome",
            example="use an outcome from 'gossamer info --json', such as client_error",
            width=21,
            sets=_TECHNICAL_ONLY,
        ),
    ]
    indexability_reason: Annotated[Indexability, Field(sql=indexability_sql())] = (
        Indexability.UNKNOWN
    )
    redirect: Annotated[
        str | None,
        Field(
            "Redirect URL",
            export="Redirect URL",
            compared=True,
            doc="the target of a redirect, resolved",
            filled="location",
            width=46,
            kind=FieldKind.ADDRESS,
            group=_PAGE,
            sets=_TECHNICAL_ONLY,
        ),
    ] = None
    last_modified: Annotated[
        str | None,
        Field(
            "Last modified",
            export="Last Modified",
            doc="the Last-Modified header as ISO 8601 in UTC",
            width=18,
            kind=FieldKind.DATE,
            group=_RESPONSE,
            sets=_TECHNICAL_ONLY,
        ),
    ] = None
    tries: Annotated[
        int | None,
        Field(
            "Attempts",
            doc="number of attempts up to this response",
            group=_RESPONSE,
            in_table=False,
            always=True,
        ),
    ] = None
    custom: Annotated[CustomCells | None, Field(sql="NULL")] = None
    """Results of custom definitions, which `Reader.records` adds."""
    depth: Annotated[
        int | None,
        Field(
            "Crawl depth",
            note="Clicks from a root; empty where none lead, as to files that pages only load",
            facet="depth",
            example="use a number of clicks, or none",
            unknown=UNREACHED,
            export="Crawl Depth",
            compared=True,
            sql=DEPTH,
            group=_PLACE,
            sets=(_ESSENTIALS, _SEO),
        ),
    ]
    hops: Annotated[int, Field(sql="u.hops")]
    parent: Annotated[
        int | None, Field("First found on", sql="u.parent", group=_PLACE, in_table=False)
    ]
    inlinks: Annotated[
        int,
        Field(
            "Inlinks",
            note=(
                "Links that a visitor or browser follows here; redirects, canonicals and the like "
                "are in the details"
            ),
            export="Inlinks",
            compared=True,
            sql="coalesce(n.links, 0)",
            width=10,
            group=_PLACE,
            sets=(_ESSENTIALS, _SEO),
        ),
    ] = 0
    unique_inlinks: Annotated[
        int,
        Field(
            "Unique inlinks",
            note="Pages with such links",
            export="Unique Inlinks",
            sql="coalesce(n.sources, 0)",
            width=15,
            sets=(_SEO,),
        ),
    ] = 0
    percent_of_total: Annotated[
        float | None,
        Field(
            "% of total",
            note="Share of all pages that link here",
            export="% of Total",
            sql=f"(round(100.0 * coalesce(n.sources, 0) / {_PAGE_COUNT}, 3))",
            width=10,
            kind=FieldKind.PERCENT,
            sets=(_SEO,),
        ),
    ] = None
    outlinks: Annotated[
        int,
        Field(
            "Outlinks",
            note=(
                "Links that a visitor follows; images, style sheets and the like are in the details"
            ),
            export="Outlinks",
            doc="number of links of kinds 1, 2 and 3 on the page",
            sql="coalesce(v.outlinks, 0)",
            width=11,
            group=_PLACE,
            sets=(_SEO,),
            always=True,
        ),
    ] = 0
    segment: Annotated[
        str | None,
        Field(
            "Segment",
            note="The first segment of the settings whose condition holds",
            export="Segments",
            sql="(SELECT sg.name FROM url_segment sg WHERE sg.id = u.id)",
            facet="segment",
            unknown="",
            example="use the name of a segment, or none",
            width=14,
            group=_PLACE,
        ),
    ] = None
    notes: Annotated[
        str | None,
        Field(
            "Notes",
            note="What was noted about the URL, in any crawl of this site",
            export="Notes",
            sql="(SELECT un.text FROM url_note un WHERE un.url = u.url)",
            width=24,
            group=_PLACE,
        ),
    ] = None
    chain_length: Annotated[
        int | None,
        Field(
            "Hops",
            facet="chain_length",
            example="use a number of redirects",
            note="Consecutive redirects up to the final URL",
            export="Number of Redirects",
            sql="ch.length",
            width=8,
        ),
    ] = None
    chain_type: Annotated[
        ChainType | None,
        Field(
            "Chain type",
            facet="chain_type",
            note=(
                "The chain from here on: a loop, beyond the redirect limit, broken, all permanent "
                "(301, 308), all temporary, or mixed"
            ),
            export="Chain Type",
            sql="ch.type",
            width=13,
        ),
    ] = None
    final_url: Annotated[
        str | None,
        Field(
            "Final address",
            note="Where the redirect chain ends; a loop has none",
            export="Final Address",
            sql="fu.url",
            width=46,
            kind=FieldKind.ADDRESS,
        ),
    ] = None
    final_status: Annotated[
        int | None,
        Field(
            "Final status code",
            note="The status code of the final URL",
            export="Final Status Code",
            sql="fv.status",
            kind=FieldKind.CODE,
        ),
    ] = None
    spelling_errors: Annotated[
        int | None,
        Field(
            "Spelling errors",
            note="Words that the dictionary does not know; empty where spelling was not checked",
            export="Spelling Errors",
            sql=(
                "(CASE WHEN visit_dictionary.value <> ''"
                f" THEN error_count(v.text_errors, {int(ErrorKind.SPELLING)}) END)"
            ),
            group=_PAGE,
            sets=(_SEO,),
        ),
    ] = None
    grammar_errors: Annotated[
        int | None,
        Field(
            "Grammar errors",
            note="As LanguageTool counts them; empty where grammar was not checked",
            export="Grammar Errors",
            sql=(
                "(CASE WHEN v.grammar_language IS NOT NULL"
                f" THEN error_count(v.text_errors, {int(ErrorKind.GRAMMAR)}) END)"
            ),
            group=_PAGE,
            sets=(_SEO,),
        ),
    ] = None
    status_text = derived.STATUS_TEXT
    url_length = derived.URL_LENGTH
    titles = derived.TITLES
    descriptions = derived.DESCRIPTIONS
    keyword_lists = derived.KEYWORDS
    h1s = derived.H1S
    h2s = derived.H2S
    json_ld = derived.JSON_LD
    microdata = derived.MICRODATA
    rdfa = derived.RDFA
    parse_errors = derived.PARSE_ERRORS
    validation_errors = derived.VALIDATION_ERRORS
    validation_warnings = derived.VALIDATION_WARNINGS
    rich_result_errors = derived.RICH_RESULT_ERRORS
    rich_result_warnings = derived.RICH_RESULT_WARNINGS
    rich_results = derived.RICH_RESULTS
    title_length = derived.TITLE_LENGTH
    description_length = derived.DESCRIPTION_LENGTH
    keywords_length = derived.KEYWORDS_LENGTH
    h1_length = derived.H1_LENGTH
    h1_2_length = derived.H1_2_LENGTH
    h2_length = derived.H2_LENGTH
    h2_2_length = derived.H2_2_LENGTH
    words_per_sentence = derived.WORDS_PER_SENTENCE
    flesch_score = derived.FLESCH_SCORE
    readability = derived.READABILITY
    text_ratio = derived.TEXT_RATIO
    total_transferred = derived.TOTAL_TRANSFERRED
    co2_mg = derived.CO2_MG
    carbon_rating = derived.CARBON_RATING
    folder_depth = derived.FOLDER_DEPTH
    redirect_type = derived.REDIRECT_TYPE
    encoded_url = derived.ENCODED_URL
    language_match = derived.LANGUAGE_MATCH
    indexability = derived.INDEXABILITY
    indexability_status = derived.INDEXABILITY_STATUS
    since_last_crawl = derived.FRESHNESS_STATUS
    noted = derived.NOTED
    verdict = Derived(verdict, "outcome", "status", field=Field(export="Verdict", facet="verdict"))
    """What a user should think of this URL."""

    @property
    def truncated(self) -> bool:
        """Whether it was not read to its end."""
        return is_truncated(self.warnings)


_FIRST_COLUMNS: Final = (
    *("url", "status", "outcome", "redirect", "chain_length", "chain_type", "final_url"),
    *("final_status", "content_type", "title", "h1", "description", "depth", "word_count"),
    *("size_bytes", "elapsed_ms", "inlinks", "unique_inlinks", "outlinks", "warnings", "language"),
    *("canonical", "last_modified", "fetched_at"),
)
"""Columns of tables that people expect in this order; others follow."""
_FIRST_EXPORTS: Final = (
    *("url", "content_type", "status", "status_text", "title", "title_length", "description"),
    *("description_length", "h1", "h1_length", "robots", "robots_header", "canonical"),
    *("size_bytes", "raw_bytes", "word_count", "depth", "inlinks", "unique_inlinks", "outlinks"),
    *("content_hash", "elapsed_ms", "last_modified", "redirect", "chain_length", "chain_type"),
    *("final_url", "final_status", "language", "charset", "fetched_at", "outcome", "warnings"),
    *("detail", "verdict"),
)
"""The same for exported files."""
_FIRST_DETAILS: Final = (
    *("redirect", "redirect_kind", "title", "h1", "description", "canonical", "robots"),
    *("robots_header", "parent", "content_type", "size_bytes", "elapsed_ms", "last_modified"),
)
"""The same for the details, in each group."""
URL_FIELDS: Final = declared_fields(UrlRecord)
URL_COLUMNS: Final = tuple(
    each for each in with_first(URL_FIELDS, _FIRST_COLUMNS) if each.is_column
)
URL_EXPORTS: Final = tuple(
    each for each in with_first(URL_FIELDS, _FIRST_EXPORTS) if each.field.export
)
URL_DETAILS: Final = {
    group: tuple(
        each for each in with_first(URL_FIELDS, _FIRST_DETAILS) if each.field.group is group
    )
    for group in FieldGroup
}
