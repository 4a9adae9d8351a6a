"""Detects error pages served with a success status, and pages that need JavaScript.

Both are detected by signs that other pages rarely show.
"""

import re
from typing import Final

from gossamer.model.fields.page_facts import PageFacts
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
_ASKS_FOR_SCRIPTS: Final = re.compile(rb"java\s?script")
_NOSCRIPTS: Final = 5
_NOSCRIPT_BYTES: Final = 2_000
"""So many `<noscript>`, and so much of each, are looked at."""

_SEGMENTS: Final = re.compile(
    r"\s+[-\u2013\u2014|\u00b7\u2022\u00bb\u203a]\s+|\s*\|\s+|[!.\u3002\uff01?]+"
)
_ERROR_PHRASES: Final = frozenset(
    phrase.casefold()
    for phrase in (
        *("404", "404 error", "error 404", "404 not found", "not found", "page not found"),
        *("404: not found", "404: page not found", "error 404: page not found"),
        *("error: page not found", "404: this page could not be found"),
        *("404 page not found", "file not found", "404 file not found", "page cannot be found"),
        *("page does not exist", "this page does not exist", "this page could not be found"),
        *("the page could not be found", "the page you requested could not be found"),
        *("the requested page could not be found", "sorry, page not found", "page unavailable"),
        *("410 gone", "500 internal server error", "internal server error", "error 500"),
        *("502 bad gateway", "bad gateway", "503 service unavailable", "service unavailable"),
        *("504 gateway timeout", "error establishing a database connection"),
        *("seite nicht gefunden", "404 seite nicht gefunden", "diese seite existiert nicht"),
        *("page non trouvée", "page introuvable", "404 page non trouvée", "erreur 404"),
        *("página no encontrada", "error 404 página no encontrada", "página não encontrada"),
        *("pagina non trovata", "errore 404", "pagina niet gevonden", "sidan hittades inte"),
        *("siden blev ikke fundet", "siden ble ikke funnet", "sivua ei löydy"),
        *("nie znaleziono strony", "strona nie istnieje", "stránka nenalezena"),
        *("stránka nebyla nalezena", "az oldal nem található", "pagina nu a fost găsită"),
        *("страница не найдена", "ошибка 404", "сторінку не знайдено", "sayfa bulunamad\u0131"),
        *(
            "ページが見つかりません",
            "ページが見つかりませんでした",
            "お探しのページは見つかりませんでした",
        ),
        *(
            "页面不存在",
            "页面未找到",
            "找不到页面",
            "找不到该页面",
            "頁面不存在",
            "找不到網頁",
            "404错误",
        ),
        *("페이지를 찾을 수 없습니다", "الصفحة غير موجودة", "הדף לא נמצא"),
    )
)
"""What a title or heading is, as a whole or between separators, on a page that is an error."""


def outcome_of(markup: bytes, facts: PageFacts, links: PageLinks) -> Outcome:
    """As what a page counts that a server gave for a good one. `markup` is in UTF-8.

    A few microseconds for most pages, which have words.
    """
    words = facts.word_count or 0
    if words < FEW_WORDS and _needs_scripts(markup[:_LOOKED_AT], facts, links):
        return Outcome.PAGE_NEEDS_SCRIPTS
    if words < FEW_WORDS_OF_ERRORS and (_is_error(facts.title) or _is_error(facts.h1)):
        return Outcome.PAGE_SOFT_ERROR
    return Outcome.PAGE


def _needs_scripts(markup: bytes, facts: PageFacts, links: PageLinks) -> bool:
    """Whether there is next to nothing but scripts, and a place that they fill in."""
    if len(links.kinds.translate(None, _NO_OUTLINKS)) >= FEW_LINKS:
        return False
    folded = markup.lower()
    if b"<script" not in folded:
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


def _is_error(text: str | None) -> bool:
    if not text or len(text) > 200:  # noqa: PLR2004 - a page's name, not its text
        return False
    folded = " ".join(text.casefold().split())
    parts = (folded, *_SEGMENTS.split(folded))
    return not _ERROR_PHRASES.isdisjoint(map(str.strip, parts))
