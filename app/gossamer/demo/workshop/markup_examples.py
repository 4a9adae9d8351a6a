"""Example pages about markup, structured data, sizes and responses."""

from collections.abc import Callable
from typing import Final

from gossamer.demo.workshop.example_page import ExamplePage, html_type

_HEAVY_BYTES: Final = 5 * 1024 * 1024 // 2


def _replacing(old: str, new: str) -> Callable[[str], str]:
    return lambda html: html.replace(old, new, 1)


def _without_head(html: str) -> str:
    return html.replace("<head>", "", 1).replace("</head>", "", 1)


def _without_body(html: str) -> str:
    return html.replace("<body>", "", 1).replace("</body>", "", 1)


def _padded(html: str) -> str:
    return html.replace("</body>", f"<!-- {'x' * _HEAVY_BYTES} -->\n</body>", 1)


def _json_ld(json: str) -> str:
    return f'<script type="application/ld+json">{json}</script>'


ANSWERS: Final = (
    ExamplePage(
        path="answers/scripts.html",
        name="An empty frame",
        fault="Only a script could fill this page. Please enable JavaScript.",
        rules=("Response Codes: Internal Unverified",),
        body='<div id="app"></div><script src="/workshop/files/large.js"></script>',
        bare=True,
    ),
    ExamplePage(
        path="answers/refresh.html",
        name="A page that sends you on by a header",
        fault="A Refresh header sends visitors on at once. A redirect would do it better.",
        rules=("Response Codes: Internal Redirection (HTTP Refresh)",),
        headers=html_type(Refresh="0; url=/visit/"),
    ),
    ExamplePage(
        path="answers/closed-picture.html",
        name="A picture behind a closed door",
        fault="The page shows a picture from a folder that robots.txt keeps closed, so search "
        "engines see the page without it.",
        rules=(
            "Response Codes: Internal Blocked Resource",
            "JavaScript: Pages with Blocked Resources",
        ),
        body='<p><img src="/staff/portrait.svg" alt="The keeper of the webs" width="320" '
        'height="240"></p>',
    ),
)
FRAME: Final = (
    ExamplePage(
        path="markup/div.html",
        name="Text in the head",
        fault="There is a paragraph in the head. It ends the head there: all that follows is in "
        "the body.",
        rules=("Validation: Invalid HTML Elements In <head>",),
        edit=_replacing("</head>", "<p>Out of place</p>\n</head>"),
    ),
    ExamplePage(
        path="markup/body-first.html",
        name="A body before its page",
        fault="The tag of the body stands before that of the whole page.",
        rules=("Validation: <body> Element Preceding <html>",),
        edit=_replacing("<html ", "<body>\n<html "),
    ),
    ExamplePage(
        path="markup/late-head.html",
        name="A head that comes late",
        fault="Something stands between the beginning of the page and its head.",
        rules=("Validation: <head> Not First In <html> Element",),
        edit=_replacing("<head>", "<p>First of all</p>\n<head>"),
    ),
    ExamplePage(
        path="markup/no-head.html",
        name="A page without a head",
        fault="The tags of the head are missing. Browsers make them up, but not all crawlers do.",
        rules=("Validation: Missing <head> Tag",),
        edit=_without_head,
    ),
    ExamplePage(
        path="markup/two-heads.html",
        name="A page with two heads",
        fault="The head ends, and begins again. What stands in the second one is in the body.",
        rules=("Validation: Multiple <head> Tags",),
        edit=_replacing("</head>", "</head>\n<head></head>"),
    ),
    ExamplePage(
        path="markup/no-body.html",
        name="A page without a body",
        fault="The tags of the body are missing.",
        rules=("Validation: Missing <body> Tag",),
        edit=_without_body,
    ),
    ExamplePage(
        path="markup/two-bodies.html",
        name="A page with two bodies",
        fault="The body begins twice, as if two pages had been glued together.",
        rules=("Validation: Multiple <body> Tags",),
        edit=_replacing("</main>", "</main>\n<body>"),
    ),
    ExamplePage(
        path="markup/heavy.html",
        name="A page of two and a half megabytes",
        fault="The page has more than two megabytes, nearly all of it a comment that nobody sees. "
        "Search engines read the beginning alone, and each visit costs energy.",
        rules=("Validation: HTML Document Over 2MB", "Validation: High Carbon Rating"),
        edit=_padded,
    ),
    ExamplePage(
        path="markup/heavy-script.html",
        name="A script of two megabytes",
        fault="The script below has more than two megabytes, which search engines do not read.",
        rules=("Validation: Resource Over 2MB",),
        body='<script src="/workshop/files/large.js"></script>',
    ),
    ExamplePage(
        path="markup/language.html",
        name="A page in no language",
        fault="The page does not say what language it is in, so a screen reader has to guess.",
        rules=("Accessibility: <html> Element Must Have A lang Attribute",),
        edit=_replacing(' lang="en"', ""),
    ),
    ExamplePage(
        path="markup/fragment.html",
        name="A sign from the year 2009",
        fault="The page has a sign that asked search engines for another version of it. They "
        "stopped asking in 2018.",
        rules=("JavaScript: Uses Old AJAX Crawling Scheme",),
        head='<meta name="fragment" content="!">',
    ),
)
DATA: Final = (
    ExamplePage(
        path="data/torn.html",
        name="Structured data that is torn",
        fault="A bracket is missing, so nobody can read the data.",
        rules=("Structured Data: Parse Errors",),
        head=_json_ld('{"@context": "https://schema.org", "@type": "Museum", "name": "Gossamer"'),
    ),
    ExamplePage(
        path="data/recipe.html",
        name="A recipe without a picture",
        fault="A recipe needs a picture to be shown as one among results, and could have more.",
        rules=(
            *("Structured Data: Contains Structured Data", "Structured Data: JSON-LD URLs"),
            "Structured Data: Rich Result Validation Errors",
            "Structured Data: Rich Result Validation Warnings",
            "Structured Data: Rich Result Feature Detected",
        ),
        head=_json_ld(
            '{"@context": "https://schema.org", "@type": "Recipe", "name": "Cobweb cakes"}'
        ),
    ),
    ExamplePage(
        path="data/spider.html",
        name="Properties that do not exist",
        fault="The data use a property that schema.org does not have, and one that has a newer "
        "name.",
        rules=(
            "Structured Data: Microdata URLs",
            "Structured Data: Validation Errors",
            "Structured Data: Validation Warnings",
        ),
        body='<div itemscope itemtype="https://schema.org/CreativeWork">'
        '<p itemprop="legs">Eight</p><p itemprop="awards">Web of the year</p></div>',
    ),
    ExamplePage(
        path="data/keeper.html",
        name="Data in a third notation",
        fault="These data are in RDFa. One notation for a whole site would be easier to keep.",
        rules=("Structured Data: RDFa URLs",),
        body='<p vocab="https://schema.org/" typeof="Person">The keeper is '
        '<span property="name">M. Weaver</span>.</p>',
    ),
)
LISTS: Final = (
    ExamplePage(
        path="lists/twice.html",
        name="A page in two sitemaps",
        fault="Two sitemaps name this page. Only one of them will be kept up to date.",
        rules=("Sitemaps: URLs in Multiple Sitemaps",),
    ),
    ExamplePage(
        path="lists/none.html",
        name="A page in no sitemap",
        fault="No sitemap names this page.",
        rules=("Sitemaps: URLs not in Sitemap",),
    ),
)
MARKUP_PAGES: Final = (*ANSWERS, *FRAME, *DATA, *LISTS)
