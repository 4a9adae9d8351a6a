"""Detects error pages served with a success status, and pages that need JavaScript.

Both are detected by signs that other pages rarely show.
"""

import re
from typing import Final

from gossamer.extract.error_titles import ErrorTitle, error_title
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.link_kinds import OUTLINK_KINDS, LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.visit import PageLinks

FEW_WORDS: Final = 60
"""A page that is drawn by its scripts says little more than "please enable JavaScript"."""
FEW_LINKS: Final = 3
FEW_WORDS_OF_ERRORS: Final = 200
"""An article about errors says more."""
_LOOKED_AT: Final = 128 * 1024
_NO_OUTLINKS: Final = bytes(kind for kind in LinkKind if kind not in OUTLINK_KINDS)

_NAMES: Final = (
    rb"(?:root|app|application|main-app|react-root|app-root|approot|root-app|spa|q-app"
    rb"|__next|__nuxt|___gatsby|svelte|mount|container-root|ember-application)"
)
# What scripts fill in: an element by one of the usual names, or of the page's own kind, which has
# next to nothing in it.
_EMPTY_ROOT: Final = (
    rb"<(div|main|section)\b[^>]{0,200}?\bid\s*=\s*[\"']?"
    + _NAMES
    + rb"[\"']?(?=[\s>/])[^>]{0,200}>"
    rb"[^<]{0,80}(?:<!--.{0,200}?-->\s*)?</\1\s*>"
    rb"|<([a-z][a-z0-9]{0,40}-[a-z0-9-]{1,60})\b[^>]{0,200}>[^<]{0,80}</\2\s*>"
)
_PROGRAM: Final = lazy_pattern(
    rb"<script\b(?![^>]{0,200}?\stype\s*=\s*[\"']?[^\"'\s>]{0,60}\bjson\b)"
)
"""A script that runs; one of a type of JSON, such as structured data, is not run."""
_ASKS_FOR_SCRIPTS: Final = lazy_pattern(rb"java\s?script")
_NOSCRIPTS: Final = 5
_NOSCRIPT_BYTES: Final = 2_000
"""The number of `<noscript>`, and the part of each, that are read."""

_APOLOGIES: Final = lazy_pattern(
    r"sorry|apologi[sz]e|o+ps|looking for|you (?:have )?requested|requested (?:page|url)|mistyped"
    r"|no longer (?:exists|available)|(?:been|was) (?:moved|removed|deleted|renamed)|home ?page"
    r"|(?:back|return|go) (?:to )?(?:the )?home|leider|entschuldig|startseite|désol|accueil"
    r"|lo sentimos|inicio|spiacent|desculp|início|helaas|przeprasza|niestety|извините"
    r"|к сожалению|抱歉|对不起|首页|申し訳"
)
"""Phrases of error pages for their visitors, which articles about errors seldom have."""


def outcome_of(markup: bytes, facts: PageFacts, links: PageLinks) -> Outcome:
    """The outcome of a page that a server sent as a good one. `markup` is in UTF-8.

    Takes a few microseconds for most pages, which have words.
    """
    words = facts.word_count or 0
    if words < FEW_WORDS and _needs_scripts(markup[:_LOOKED_AT], facts, links):
        return Outcome.PAGE_NEEDS_SCRIPTS
    is_error = _is_error(markup, facts) if words < FEW_WORDS_OF_ERRORS else _is_long_error(facts)
    return Outcome.PAGE_SOFT_ERROR if is_error else Outcome.PAGE


def _needs_scripts(markup: bytes, facts: PageFacts, links: PageLinks) -> bool:
    """Whether there is hardly anything but scripts, and an element that they fill in."""
    if len(links.kinds.translate(None, _NO_OUTLINKS)) >= FEW_LINKS:
        return False
    folded = markup.lower()
    if not _PROGRAM.search(folded) or b"<frameset" in folded:
        return False
    return (
        not facts.word_count
        or _asks_for_scripts(folded)
        or bool(re.search(_EMPTY_ROOT, folded, re.DOTALL))
    )


def _asks_for_scripts(markup: bytes) -> bool:
    for part in markup.split(b"<noscript", _NOSCRIPTS)[1:]:
        text = part[:_NOSCRIPT_BYTES].partition(b"</noscript")[0].partition(b">")[2]
        if _ASKS_FOR_SCRIPTS.search(text):
            return True
    return False


def _is_long_error(facts: PageFacts) -> bool:
    """Whether the title and the heading of a page with many words are those of an error page."""
    title = error_title(facts.title)
    if title is ErrorTitle.NONE:  # as of most pages
        return False
    heading = error_title(facts.h1)
    return heading is not ErrorTitle.NONE and ErrorTitle.SURELY in {title, heading}


def _is_error(markup: bytes, facts: PageFacts) -> bool:
    """Whether a page with few words has the title of an error page.

    A page that may be an article about errors is one if it has much text and does not address its
    visitors.
    """
    kind = max(error_title(facts.title), error_title(facts.h1))
    if kind is not ErrorTitle.PERHAPS:
        return kind is ErrorTitle.SURELY
    if (facts.word_count or 0) < FEW_WORDS:
        return True
    text = markup[:_LOOKED_AT].decode("utf-8", "replace").casefold()
    return _APOLOGIES.search(text) is not None
