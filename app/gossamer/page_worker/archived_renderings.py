"""Reads a page from the DOM that the archive has, with all that only the browser has seen."""

from typing import Final

from msgspec.structs import asdict, replace

from gossamer.extract.rendered_differences import HtmlValues
from gossamer.model.axe_rules import HTML_FLAGS
from gossamer.model.fields.page_flags import MOBILE_FLAGS, RenderFlag
from gossamer.model.fields.rendering_fields import AccessibilityOutcome
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.visit import Visit
from gossamer.page_worker.page_fetchers import StoredRendering
from gossamer.render.rendered_page import RenderedPage

_OF_BROWSER: Final = int(
    RenderFlag.BLOCKED_RESOURCES
    | RenderFlag.ERRORS
    | RenderFlag.WARNINGS
    | RenderFlag.WEB_SOCKETS
    | MOBILE_FLAGS
)
"""What no DOM tells."""
_CHECKED: Final = {AccessibilityOutcome.CHECKED, AccessibilityOutcome.WITHOUT_CONTRAST}
_CHECKED_MARKUP: Final = sum(HTML_FLAGS.values())


def page_as_stored(stored: StoredRendering, url: str) -> RenderedPage:
    """The page as the browser showed it in the crawl, as far as its facts are read from it."""
    visit, rendering = stored.visit, stored.rendering
    is_redirect = visit.redirect_kind is RedirectKind.JAVASCRIPT
    return RenderedPage(
        html=stored.dom,
        final_url=rendering.rendered_url or url,
        redirect=visit.location or "" if is_redirect else "",
        resources=rendering.details.resources,
        images=rendering.details.images,
    )


def as_stored(visit: Visit, stored: StoredRendering) -> Visit:
    """The `visit` that was read from a stored DOM, with the rendering of the crawl."""
    before, facts, read = stored.visit.facts, visit.facts, visit.rendering
    if before is None or facts is None or read is None:
        return visit
    flags = (facts.javascript or 0) | (before.javascript or 0) & _OF_BROWSER
    facts = replace(facts, javascript=flags)
    if stored.rendering.accessibility in _CHECKED:
        checked = (before.markup or 0) & _CHECKED_MARKUP
        markup = (facts.markup or 0) & ~_CHECKED_MARKUP | checked
        facts = replace(facts, markup=markup, violated_rules=before.violated_rules)
    html = {name: value for name, value in asdict(read).items() if name in HtmlValues._fields}
    rendering = replace(stored.rendering, **html, rendered_links=read.rendered_links)
    return replace(
        visit, facts=facts, rendering=rendering, resource_bytes=stored.visit.resource_bytes
    )
