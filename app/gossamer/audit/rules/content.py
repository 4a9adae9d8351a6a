"""Rules about the text of pages."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import OtherUrl
from gossamer.audit.site_rule import (
    HIGH,
    ISSUE,
    LOW,
    MEDIUM,
    OPPORTUNITY,
    WARNING,
    AuditedPage,
    PageRule,
    RuleGroup,
    SiteRule,
    StageRule,
    has_content,
    of_whole_page,
)
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.outcome import Outcome
from gossamer.model.readability import reading_ease
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.text_errors import ErrorKind, count_errors, ignored_errors

_WRITING: Final = "https://developers.google.com/search/docs/fundamentals/creating-helpful-content"
_DUPLICATES: Final = (
    "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls"
)
_COUNTS: Final = (
    *("flesch_score", "readability", "word_count", "sentence_count", "syllable_count"),
    "language",
)

_rule = partial(SiteRule, group=RuleGroup.CONTENT, reference=_WRITING, fields=("word_count",))


def _ease(page: AuditedPage) -> float | None:
    facts = page.facts
    counts = (facts.word_count, facts.sentence_count, facts.syllable_count)
    return reading_ease(*counts, facts.language)


def _is_difficult(page: AuditedPage, settings: CrawlSettings) -> bool:
    ease = _ease(page)
    lowest, highest = settings.reading_ease_very_difficult, settings.reading_ease_difficult
    return ease is not None and lowest <= ease < highest


def _is_very_difficult(page: AuditedPage, settings: CrawlSettings) -> bool:
    ease = _ease(page)
    return ease is not None and ease < settings.reading_ease_very_difficult


def _has_errors(kind: ErrorKind, page: AuditedPage, settings: CrawlSettings) -> bool:
    errors = page.facts.text_errors
    return bool(errors) and count_errors(errors, kind, ignored_errors(settings)) > 0


EXACT_DUPLICATES: Final = _rule(
    number=800,
    evidence=OtherUrl("Page With Same Content"),
    name="Exact Duplicates",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(names_url=True),
    meaning="Another indexable URL has exactly the same HTML.",
    reason=(
        "Search engines list one of them, perhaps not the one you want, and links and crawling "
        "are split between them."
    ),
    remedy=("Redirect all of them to one URL, or name that one as canonical, and use it in links."),
    reference=_DUPLICATES,
)
NEAR_DUPLICATES: Final = _rule(
    number=801,
    evidence=OtherUrl("Most Similar Page"),
    name="Near Duplicates",
    kind=WARNING,
    priority=MEDIUM,
    fields=("near_duplicate_match", "near_duplicates", "word_count"),
    decision=StageRule(names_url=True),
    meaning="The text of another indexable page is nearly the same.",
    reason=(
        "Search engines may take the pages for one and list only one of them. Visitors find "
        "little that is new on the others."
    ),
    remedy=(
        "Merge the pages, or give each text of its own. If they have to be alike, name one as "
        "canonical."
    ),
    reference=_DUPLICATES,
    limit="duplicate_min_percent",
    definition=(
        "Texts are compared without navigation and footer, by the phrases that they share. Exact "
        "duplicates are not reported here."
    ),
)
LOW_CONTENT: Final = _rule(
    number=802,
    name="Low Content Pages",
    kind=OPPORTUNITY,
    priority=MEDIUM,
    decision=of_whole_page(
        PageRule(lambda page, settings: (page.facts.word_count or 0) < settings.content_min_words)
    ),
    meaning="The page has few words besides its navigation and footer.",
    reason=(
        "A page with little text seldom answers a question, so search engines have little reason "
        "to show it. A gallery or a form needs no more."
    ),
    remedy="Add what visitors would ask next, merge the page with a similar one, or leave it.",
    limit="content_min_words",
    definition=(
        "Words of the body count, with headings and link texts, but without navigation, footer and "
        "scripts."
    ),
)
SOFT_404: Final = _rule(
    number=803,
    name="Soft 404 Pages",
    kind=WARNING,
    priority=HIGH,
    decision=PageRule(
        lambda page, _: page.visit.outcome is Outcome.PAGE_SOFT_ERROR, facts=(), has_stage=True
    ),
    meaning=(
        "The page says that something was not found or failed, or it is what the host returns "
        "for URLs that do not exist, but its status code indicates success."
    ),
    reason=(
        "Search engines crawl and may list a page that is of no use, and such errors are missing "
        "from every list of broken links."
    ),
    remedy=(
        "Return 404 or 410 for what does not exist and 5xx for failures, or redirect to the page "
        "that replaces it."
    ),
    reference="https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    fields=("title", "h1", "word_count"),
    definition=(
        "A page of fewer than 200 words counts if its title or its first heading names an error, "
        "a longer one if both do. The crawl also requests a made-up URL from each host: pages "
        "with the text of that response count, and so do URLs that redirect to the home page as "
        "the made-up one does. No page is listed where a host returns its home page for every "
        "URL, as sites rendered by scripts do."
    ),
)
LOREM_IPSUM: Final = _rule(
    number=804,
    name="Lorem Ipsum Placeholder",
    kind=WARNING,
    priority=HIGH,
    decision=has_content(ContentFlag.LOREM_IPSUM),
    meaning="The page has the words lorem ipsum: text that was put there to try out a design.",
    reason="It was probably published by mistake, and looks careless to everybody who finds it.",
    remedy="Replace it by real text, or make the page noindex until there is some.",
)
SPELLING: Final = _rule(
    number=805,
    name="Spelling Errors",
    kind=ISSUE,
    priority=MEDIUM,
    decision=PageRule(partial(_has_errors, ErrorKind.SPELLING), needs=("text_errors",)),
    meaning="The text has words that the dictionary of its language does not know.",
    reason="Mistakes make visitors doubt the rest of the page, and hide words from searches.",
    remedy=(
        "Correct the words. Names and technical terms that are right go to the ignored words: "
        "they count no more at once."
    ),
    fields=("spelling_errors", "dictionary", "text_errors"),
    limit="ignored_words",
    definition=(
        "Spelling is checked where the settings say so, in title, description and content, with "
        "the Hunspell dictionaries of the computer. Code, addresses, file names, words in "
        "capitals and words with digits are left out, and pages in a language that has no "
        "dictionary or does not separate words, such as Chinese, Japanese and Thai."
    ),
)
GRAMMAR: Final = _rule(
    number=806,
    name="Grammar Errors",
    kind=ISSUE,
    priority=MEDIUM,
    decision=PageRule(partial(_has_errors, ErrorKind.GRAMMAR), needs=("text_errors",)),
    meaning="The text breaks rules of grammar, such as by a missing or doubled word.",
    reason="Mistakes make visitors doubt the rest of the page, and make it harder to translate.",
    remedy=(
        "Read the sentence aloud and correct it. A checker may be wrong: rules that do not suit "
        "the site go to the ignored grammar rules."
    ),
    reference="https://languagetool.org/http-api/",
    fields=("grammar_errors", "text_errors"),
    limit="ignored_grammar_rules",
    definition=(
        "Grammar is checked by a LanguageTool server if the settings name one; of each page, the "
        "first 20,000 characters."
    ),
)
DIFFICULT_TO_READ: Final = _rule(
    number=807,
    name="Readability Difficult",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=PageRule(_is_difficult),
    meaning="By its Flesch reading ease, the English text is hard to read.",
    reason=(
        "Many visitors skim a text of long words and long sentences, or leave. Search engines do "
        "not judge by the score."
    ),
    remedy=(
        "Split long sentences, choose short words, and end items of lists with full stops. A text "
        "for experts may be right as it is."
    ),
    fields=_COUNTS,
    limit="reading_ease_difficult",
    definition=(
        "The score is 206.835 - 1.015 x words per sentence - 84.6 x syllables per word. Pages that "
        "name another language than English are left out."
    ),
)
VERY_DIFFICULT_TO_READ: Final = _rule(
    number=808,
    name="Readability Very Difficult",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=PageRule(_is_very_difficult),
    meaning="By its Flesch reading ease, the English text is very hard to read.",
    reason=(
        "Only those who have to will read it to the end. Search engines do not judge by the score."
    ),
    remedy=(
        "Split long sentences, choose short words, and end items of lists with full stops. A text "
        "for experts may be right as it is."
    ),
    fields=_COUNTS,
    limit="reading_ease_very_difficult",
    definition=(
        "The score is 206.835 - 1.015 x words per sentence - 84.6 x syllables per word. Pages that "
        "name another language than English are left out."
    ),
)
