"""The columns of the tabs of rule groups, in the order that people know from other crawlers."""

from typing import Final

from gossamer.audit.site_rule import RuleGroup
from gossamer.model.project_queries import Column

_ANSWER: Final = ("content_type", "status", "status_text")
INDEXABILITY: Final = ("indexability", "indexability_status")
_DIRECTIVES: Final = ("robots", "robots_header")
_CANONICALS: Final = ("canonical", "canonical_header")
_SEQUENCE: Final = ("next_url", "prev_url", "next_header", "prev_header")
_TITLE: Final = ("title", "title_length", "title_pixels")
_DESCRIPTION: Final = ("description", "description_length", "description_pixels")

GROUP_COLUMNS: Final[dict[RuleGroup, tuple[Column, ...]]] = {
    RuleGroup.RESPONSE_CODES: (
        *_ANSWER,
        *INDEXABILITY,
        *("inlinks", "time", "redirect", "redirect_type"),
    ),
    RuleGroup.SECURITY: (*_ANSWER, *INDEXABILITY, "canonical", *_DIRECTIVES),
    RuleGroup.URL: (*_ANSWER, *INDEXABILITY, "content_hash", "url_length", "canonical"),
    RuleGroup.PAGE_TITLES: ("titles", *_TITLE, "title_2", *INDEXABILITY),
    RuleGroup.META_DESCRIPTION: (
        *("descriptions", *_DESCRIPTION, "description_2"),
        *INDEXABILITY,
    ),
    RuleGroup.META_KEYWORDS: ("keyword_lists", "keywords", "keywords_length", *INDEXABILITY),
    RuleGroup.H1: ("h1s", "h1", "h1_length", "h1_2", "h1_2_length", *INDEXABILITY),
    RuleGroup.H2: ("h2s", "h2", "h2_length", "h2_2", "h2_2_length", *INDEXABILITY),
    RuleGroup.CONTENT: (
        *("words", "sentence_count", "words_per_sentence", "flesch_score", "readability"),
        *("near_duplicate_match", "near_duplicates", "spelling_errors", "grammar_errors"),
        *("language", "content_hash"),
        *INDEXABILITY,
    ),
    RuleGroup.IMAGES: ("content_type", "size", "inlinks", *INDEXABILITY),
    RuleGroup.CANONICALS: (*INDEXABILITY, *_CANONICALS, *_DIRECTIVES, "next_url", "prev_url"),
    RuleGroup.PAGINATION: (*INDEXABILITY, *_SEQUENCE, *_CANONICALS, *_DIRECTIVES),
    RuleGroup.DIRECTIVES: (*INDEXABILITY, *_DIRECTIVES, "refresh", *_CANONICALS),
    RuleGroup.HREFLANG: ("title", "language", *INDEXABILITY, *_CANONICALS),
    RuleGroup.JAVASCRIPT: (
        *("status", "status_text", "render_status", "words_in_html", "words_as_rendered"),
        *("word_count_change", "word_percent", "title_in_html", "title_as_rendered"),
        *("h1_in_html", "h1_as_rendered", "description_in_html", "description_as_rendered"),
        *("canonical_in_html", "canonical_as_rendered", "unique_inlinks", "unique_js_inlinks"),
        *("unique_outlinks", "unique_js_outlinks", "unique_external_outlinks"),
        *("unique_external_js_outlinks", "robots_in_html", "robots_as_rendered"),
        *("console_errors", "console_warnings", "blocked_requests", *INDEXABILITY),
    ),
    RuleGroup.LINKS: (
        *("depth", "link_score", "inlinks", "unique_inlinks", "unique_js_inlinks"),
        *("percent_of_total", "outlinks", "internal_outlinks", "unique_outlinks"),
        *("unique_js_outlinks", "external_outlinks", "unique_external_outlinks"),
        *("unique_external_js_outlinks", *INDEXABILITY),
    ),
    RuleGroup.AMP: (*INDEXABILITY, "amp_url", *_TITLE, "h1", "canonical", *_DIRECTIVES),
    RuleGroup.MOBILE: (*INDEXABILITY, "viewport", "mobile_url"),
    RuleGroup.ACCESSIBILITY: (
        *("accessibility_status", "violations", "violations_20_a", "violations_20_aa"),
        *("violations_20_aaa", "violations_21_a", "violations_21_aa", "violations_22_aa"),
        *("violations_of_practice", "violated_rules", "language", "heading_levels"),
        *INDEXABILITY,
    ),
    RuleGroup.STRUCTURED_DATA: (
        *("structured_types", "json_ld", "microdata", "rdfa", "parse_errors"),
        *("validation_errors", "validation_warnings", "rich_results", "rich_result_errors"),
        *("rich_result_warnings", *INDEXABILITY),
    ),
    RuleGroup.SITEMAPS: (*_ANSWER, *INDEXABILITY, "depth", "inlinks", "canonical"),
    RuleGroup.VALIDATION: (*_ANSWER, *INDEXABILITY, "size", "co2_mg", "carbon_rating"),
}
"""Besides the address, which comes first."""
