"""Whether search engines may list a page, from what the page and its headers say."""

from app.model.outcome import Outcome
from app.model.views import UrlRecord
from app.urls.parse import is_http

_NOINDEX = frozenset({"noindex", "none"})
# Rules of a robots header that have a value after a colon; any other word there names a crawler:
# https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
_WITH_VALUE = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)


def obstacle(record: UrlRecord, headers: list[tuple[str, str]]) -> str | None:
    """Why a URL is not to be listed, in the field's words; None for an indexable page.

    Indexable is a page that was answered with 200, does not say noindex in its robots meta
    element or X-Robots-Tag header, and names no other page as its canonical.
    """
    if record.outcome is not Outcome.PAGE:
        return "Redirected" if record.outcome.is_redirect else "No Page"
    if record.status != 200:  # noqa: PLR2004 - the status of success
        return "Not OK"
    if _says_noindex(record.robots or "") or any(map(_says_noindex, _robots_tags(headers))):
        return "noindex"
    if _names_another(record.canonical, record.url):
        return "Canonicalised"
    return None


def _says_noindex(rules: str) -> bool:
    return not _NOINDEX.isdisjoint(rule.strip().lower() for rule in rules.split(","))


def _robots_tags(headers: list[tuple[str, str]]) -> list[str]:
    """The values of X-Robots-Tag that are not for one crawler alone."""
    return [
        value
        for name, value in headers
        if name.lower() == "x-robots-tag" and not _is_for_one_crawler(value)
    ]


def _is_for_one_crawler(value: str) -> bool:
    first, colon, _ = value.partition(",")[0].partition(":")
    return bool(colon) and first.strip().lower() not in _WITH_VALUE


def _names_another(canonical: str | None, url: str) -> bool:
    if canonical is None or not is_http(canonical):
        return False
    return canonical.partition("#")[0] != url
