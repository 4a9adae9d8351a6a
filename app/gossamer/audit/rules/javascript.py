"""Rules about JavaScript: how the page that a browser renders differs from its HTML."""

from functools import partial
from typing import Final

from gossamer.audit.site_rule import (
    COUNT,
    HIGH,
    ISSUE,
    LOW,
    MEDIUM,
    WARNING,
    PageScope,
    RuleGroup,
    SiteRule,
    has_javascript,
    has_markup,
)
from gossamer.model.fields.page_flags import MarkupFlag, RenderFlag

_rule = partial(
    SiteRule,
    group=RuleGroup.JAVASCRIPT,
    reference="https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics",
)

NOINDEX_ONLY_IN_HTML: Final = _rule(
    number=1400,
    name="Noindex Only in Original HTML",
    kind=ISSUE,
    priority=HIGH,
    decision=has_javascript(RenderFlag.NOINDEX_ONLY_IN_HTML),
    meaning="The original HTML says noindex, but the rendered page does not.",
    reason=(
        "Google may not render a page that says noindex, so the script that removes it never runs."
    ),
    remedy="Remove noindex from the original HTML if the page should be found.",
    fields=("robots_in_html", "robots"),
)
NOFOLLOW_ONLY_IN_HTML: Final = _rule(
    number=1401,
    name="Nofollow Only in Original HTML",
    kind=ISSUE,
    priority=HIGH,
    decision=has_javascript(RenderFlag.NOFOLLOW_ONLY_IN_HTML),
    meaning="The original HTML says nofollow, but the rendered page does not.",
    reason="Search engines may decide about the links before a script removes nofollow.",
    remedy="Remove nofollow from the original HTML if the links should be followed.",
    fields=("robots_in_html", "robots"),
)
CANONICAL_ONLY_IN_RENDERED: Final = _rule(
    number=1402,
    name="Canonical Only in Rendered HTML",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_javascript(RenderFlag.CANONICAL_ONLY_IN_RENDERED, PageScope.ALL),
    meaning="JavaScript adds the canonical: the original HTML has none.",
    reason="Search engines that do not render pages see no canonical, and the others see it late.",
    remedy="Put the canonical into the original HTML.",
    fields=("canonical",),
)
CANONICAL_MISMATCH: Final = _rule(
    number=1403,
    name="Canonical Mismatch",
    kind=ISSUE,
    priority=HIGH,
    decision=has_javascript(RenderFlag.CANONICAL_MISMATCH, PageScope.ALL),
    meaning="The canonical of the rendered page is not that of the original HTML.",
    reason="Search engines see two different canonicals, and may use either.",
    remedy="Put the right canonical into the original HTML, and let no script change it.",
    fields=("canonical_in_html", "canonical"),
)
TITLE_ONLY_IN_RENDERED: Final = _rule(
    number=1404,
    name="Page Title Only in Rendered HTML",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_javascript(RenderFlag.TITLE_ONLY_IN_RENDERED),
    meaning="JavaScript adds the title: the original HTML has none.",
    reason=(
        "Crawlers that do not render pages, such as those of many AI services and social networks, "
        "see a page without a title."
    ),
    remedy="Put the title into the original HTML.",
    fields=("title",),
)
TITLE_UPDATED: Final = _rule(
    number=1405,
    name="Page Title Updated by JavaScript",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_javascript(RenderFlag.TITLE_UPDATED),
    meaning="JavaScript changes the title.",
    reason=(
        "Search engines may show either of the two titles. Crawlers that do not render pages know "
        "only the original one."
    ),
    remedy="Put the final title into the original HTML.",
    fields=("title_in_html", "title"),
)
DESCRIPTION_ONLY_IN_RENDERED: Final = _rule(
    number=1406,
    name="Meta Description Only in Rendered HTML",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_javascript(RenderFlag.DESCRIPTION_ONLY_IN_RENDERED),
    meaning="JavaScript adds the meta description: the original HTML has none.",
    reason=(
        "Crawlers that do not render pages see none, so previews and search results may show any "
        "text of the page."
    ),
    remedy="Put the meta description into the original HTML.",
    fields=("description",),
)
DESCRIPTION_UPDATED: Final = _rule(
    number=1407,
    name="Meta Description Updated by JavaScript",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_javascript(RenderFlag.DESCRIPTION_UPDATED),
    meaning="JavaScript changes the meta description.",
    reason=(
        "Search engines may show either of the two descriptions. Crawlers that do not render pages "
        "know only the original one."
    ),
    remedy="Put the final meta description into the original HTML.",
    fields=("description_in_html", "description"),
)
H1_ONLY_IN_RENDERED: Final = _rule(
    number=1408,
    name="H1 Only in Rendered HTML",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_javascript(RenderFlag.H1_ONLY_IN_RENDERED),
    meaning="JavaScript adds the <h1>: the original HTML has none.",
    reason=(
        "Crawlers that do not render pages see no main heading, which is a strong hint at what the "
        "page is about."
    ),
    remedy="Put the <h1> into the original HTML.",
    fields=("h1",),
)
H1_UPDATED: Final = _rule(
    number=1409,
    name="H1 Updated by JavaScript",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_javascript(RenderFlag.H1_UPDATED),
    meaning="JavaScript changes the <h1>.",
    reason=(
        "Search engines may use either of the two headings. Crawlers that do not render pages know "
        "only the original one."
    ),
    remedy="Put the final <h1> into the original HTML.",
    fields=("h1_in_html", "h1"),
)
JAVASCRIPT_LINKS: Final = _rule(
    number=1410,
    name="Contains JavaScript Links",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_javascript(RenderFlag.LINKS),
    meaning="The rendered page has links that the original HTML has not.",
    reason=(
        "Such links are found only after rendering: late, or not at all by crawlers that do not "
        "render pages."
    ),
    remedy="Put links to important pages into the original HTML.",
    fields=("rendered_links", "outlinks"),
)
JAVASCRIPT_CONTENT: Final = _rule(
    number=1411,
    name="Contains JavaScript Content",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_javascript(RenderFlag.CONTENT),
    meaning="The rendered page has text that the original HTML has not.",
    reason="Crawlers that do not render pages do not see this text, and the others see it later.",
    remedy=(
        "Put the text that matters into the original HTML, for example by rendering on the server."
    ),
    fields=("words_in_html", "word_count", "word_percent"),
)
BLOCKED_RESOURCES: Final = _rule(
    number=1412,
    name="Pages with Blocked Resources",
    kind=WARNING,
    priority=HIGH,
    decision=has_javascript(RenderFlag.BLOCKED_RESOURCES),
    meaning="robots.txt blocks scripts, style sheets or other files that the page needs.",
    reason="Search engines cannot load these files either, so they may see an incomplete page.",
    remedy="Allow the files in robots.txt.",
    reference=(
        ""
        "https://developers.google.com/search/docs/crawling-indexing/javascript/fix-search-javascript"
    ),
    fields=("blocked_requests", "page_requests"),
)
CONSOLE_MESSAGES: Final = _rule(
    number=1413,
    name="Pages with Chrome Console Log Errors/Warnings",
    kind=WARNING,
    priority=LOW,
    decision=has_javascript(RenderFlag.ERRORS | RenderFlag.WARNINGS),
    meaning="The browser logged errors or warnings while it rendered the page.",
    reason="An error may stop a script before it adds its content to the page.",
    remedy="Open the page in a browser with developer tools, and correct what the console shows.",
    reference=(
        ""
        "https://developers.google.com/search/docs/crawling-indexing/javascript/fix-search-javascript"
    ),
    fields=("console_errors", "console_warnings"),
)
OLD_AJAX_SCHEME: Final = _rule(
    number=1414,
    name="Uses Old AJAX Crawling Scheme",
    kind=COUNT,
    priority=None,
    decision=has_markup(MarkupFlag.AJAX_FRAGMENT),
    meaning=(
        'The page has <meta name="fragment" content="!">, the sign of an old scheme for pages made '
        "by JavaScript."
    ),
    reason=(
        "Search engines no longer ask for the HTML that the scheme promises: Google dropped it in "
        "2018."
    ),
    remedy="Remove the element, and deliver the content as HTML.",
    reference=(
        "https://developers.google.com/search/blog/2015/10/deprecating-our-ajax-crawling-scheme"
    ),
)
WEB_SOCKETS: Final = _rule(
    number=1415,
    name="Uses WebSockets",
    kind=WARNING,
    priority=LOW,
    decision=has_javascript(RenderFlag.WEB_SOCKETS),
    meaning=(
        "Scripts of the page try to open a WebSocket. Like search engines, Gossamer opens none: "
        "their connection ends at once."
    ),
    reason=(
        "What the page shows only by a WebSocket is missing here, and search engines do not see it "
        "either."
    ),
    remedy="Put the content that matters into the HTML, or let scripts load it over HTTP.",
    reference=(
        ""
        "https://developers.google.com/search/docs/crawling-indexing/javascript/fix-search-javascript"
    ),
    fields=("blocked_requests", "page_requests"),
)
