"""Example pages about relations between pages: canonicals, series, directives, links."""

from typing import Final

from gossamer.demo.workshop.example_page import NOINDEX, WORKSHOP, ExamplePage, canonical

_STEPS: Final = 4
_GUESTS: Final = 101


def _next(path: str) -> str:
    return f'<link rel="next" href="{WORKSHOP}{path}">'


def _previous(path: str) -> str:
    return f'<link rel="prev" href="{WORKSHOP}{path}">'


def _link(path: str, text: str, more: str = "") -> str:
    return f'<p><a href="{path}"{more}>{text}</a></p>'


CANONICALS: Final = (
    ExamplePage(
        path="canonicals/two.html",
        name="Two canonicals",
        fault="The page names two different canonicals, so search engines believe neither.",
        rules=("Canonicals: Multiple", "Canonicals: Multiple Conflicting"),
        head=canonical("canonicals/two.html") + canonical("canonicals/relative.html"),
    ),
    ExamplePage(
        path="canonicals/relative.html",
        name="A canonical that is not the whole address",
        fault="The canonical is relative, ends in a place of the page, and says what screens it "
        "is for. It should be an absolute address and nothing else.",
        rules=(
            "Canonicals: Canonical Is Relative",
            "Canonicals: Contains Fragment URL",
            "Canonicals: Invalid Attribute In Annotation",
        ),
        head='<link rel="canonical" media="screen" href="/workshop/canonicals/relative.html#top">',
    ),
    ExamplePage(
        path="canonicals/outside.html",
        name="A canonical outside the head",
        fault="The canonical stands in the body, where search engines ignore it.",
        rules=("Canonicals: Outside <head>",),
        body=canonical("canonicals/outside.html"),
    ),
    ExamplePage(
        path="canonicals/hidden.html",
        name="A canonical that is not to be indexed",
        fault="The canonical of this page says noindex, so neither may be listed.",
        rules=("Canonicals: Non-Indexable Canonical",),
        head=canonical("directives/noindex.html"),
    ),
    ExamplePage(
        path="canonicals/first.html",
        name="A canonical that has a canonical",
        fault="The canonical of this page names another canonical. It should name the last one.",
        rules=("Canonicals: Canonical Chain and Loop",),
        head=canonical("canonicals/second.html"),
    ),
    ExamplePage(
        path="canonicals/second.html",
        name="A canonical that nobody links to",
        fault="The canonical of this page exists, but no page of the site links to it.",
        rules=("Canonicals: Canonicalised",),
        head=canonical("canonicals/alone.html"),
    ),
    ExamplePage(
        path="canonicals/alone.html",
        name="The page that nobody links to",
        fault="Only the canonical of another page leads here.",
        listed=False,
    ),
)
SERIES: Final = (
    ExamplePage(
        path="series/1.html",
        name="A series without links",
        fault="The head names the next page of the series, but no link that visitors can follow "
        "leads there.",
        rules=(
            "Pagination: Contains Pagination",
            "Pagination: First Page",
            "Pagination: Pagination URL Not In Anchor Tag",
        ),
        head=_next("series/2.html"),
    ),
    ExamplePage(
        path="series/2.html",
        name="The second page of a series",
        fault="The page names a next one that does not name it as the one before, and is not to "
        "be indexed itself.",
        rules=(
            "Pagination: Paginated 2+ Pages",
            "Pagination: Sequence Error",
            "Pagination: Non-Indexable",
        ),
        head=_previous("series/1.html") + _next("series/3.html") + NOINDEX,
        body=_link("/workshop/series/3.html", "The third page"),
    ),
    ExamplePage(
        path="series/3.html",
        name="A series that turns in a circle",
        fault="The next page after this one is this one again. It names a second next page, too, "
        "which does not exist.",
        rules=(
            "Pagination: Pagination Loop",
            "Pagination: Multiple Pagination URLs",
            "Pagination: Non-200 Pagination URLs",
        ),
        head=_next("series/3.html") + _next("series/torn-out.html"),
    ),
    ExamplePage(
        path="series/4.html",
        name="A series with a page that nobody links to",
        fault="The next page of this one exists, but no link leads there.",
        rules=("Pagination: Pagination URL Not In Anchor Tag",),
        head=_next("series/5.html"),
    ),
    ExamplePage(
        path="series/5.html",
        name="The page in no link",
        fault="Only the head of another page leads here.",
        head=_previous("series/4.html"),
        listed=False,
    ),
)
DIRECTIVES: Final = (
    ExamplePage(
        path="directives/noindex.html",
        name="Not to be listed",
        fault="The page asks search engines not to list it. The room it links to is linked from "
        "no other page.",
        rules=("Directives: Noindex",),
        head=NOINDEX,
        body=_link("/workshop/links/side-room.html", "The side room"),
    ),
    ExamplePage(
        path="directives/nofollow.html",
        name="Links not to be followed",
        fault="The page asks search engines to follow none of its links.",
        rules=("Directives: Nofollow", "Directives: Index"),
        head='<meta name="robots" content="index, nofollow">',
    ),
    ExamplePage(
        path="directives/none.html",
        name="Nothing at all",
        fault="The word none means noindex and nofollow together, which hardly anybody remembers.",
        rules=("Directives: None",),
        head='<meta name="robots" content="none">',
    ),
    ExamplePage(
        path="directives/labels.html",
        name="Every label there is",
        fault="The page asks for nearly everything that search engines ever understood: no "
        "copies, no snippets, no translation, and no results at all from the year 2099 on.",
        rules=(
            *("Directives: Follow", "Directives: NoArchive", "Directives: NoSnippet"),
            *("Directives: Max-Snippet", "Directives: Max-Image-Preview"),
            *("Directives: Max-Video-Preview", "Directives: NoODP", "Directives: NoYDIR"),
            *("Directives: NoImageIndex", "Directives: NoTranslate"),
            "Directives: Unavailable_After",
        ),
        head='<meta name="robots" content="follow, noarchive, nosnippet, max-snippet:20, '
        "max-image-preview:none, max-video-preview:0, noodp, noydir, noimageindex, notranslate, "
        'unavailable_after: 2099-12-31">',
    ),
    ExamplePage(
        path="directives/outside.html",
        name="A label on the wrong side",
        fault="The page tells robots something in its body, where not all of them look.",
        rules=("Directives: Outside <head>",),
        body='<meta name="robots" content="noarchive">',
    ),
    ExamplePage(
        path="directives/refresh.html",
        name="A page that loads itself again",
        fault="The page loads itself again after ten minutes, whether it is being read or not.",
        rules=("Directives: Refresh",),
        head='<meta http-equiv="refresh" content="600">',
    ),
)
LINKS: Final = (
    ExamplePage(
        path="links/localhost.html",
        name="A link to your own machine",
        fault="The link below leads to the machine of whoever clicks it. It worked for its author.",
        rules=("Links: Outlinks To Localhost",),
        body=_link("http://localhost:3000/draft", "The draft of this page"),
    ),
    ExamplePage(
        path="links/wall.html",
        name="A page without a way out",
        fault="There is no link on this page. Visitors, and crawlers, have to turn around.",
        rules=("Links: Pages Without Internal Outlinks", "Mobile: Viewport Not Set"),
        bare=True,
    ),
    ExamplePage(
        path="links/side-room.html",
        name="The side room",
        fault="The one page that links here asks not to be indexed, and is soon asked less often.",
        rules=("Links: Non-Indexable Page Inlinks Only",),
        listed=False,
    ),
    *(
        ExamplePage(
            path=f"links/stairs-{step}.html",
            name=f"Stairs, step {step}",
            fault="The further down a page is, the more rarely search engines come by. The last "
            "step is more than four clicks away from the front door.",
            rules=("Links: Pages With High Crawl Depth",) if step == _STEPS - 1 else (),
            body=_link(f"/workshop/links/stairs-{step + 1}.html", f"Step {step + 1}")
            if step < _STEPS - 1
            else "",
            listed=False,
        )
        for step in range(1, _STEPS)
    ),
    ExamplePage(
        path="links/stairs.html",
        name="Stairs to the cellar",
        fault="Some pages can only be reached by many clicks. Follow the steps down.",
        rules=("Links: Pages With High Crawl Depth",),
        body=_link("/workshop/links/stairs-1.html", "Step 1"),
    ),
    ExamplePage(
        path="links/guests.html",
        name="The guest book",
        fault="More than a hundred links lead to other sites, as on a page taken over by spam.",
        rules=("Links: Pages With High External Outlinks",),
        body="<ul>"
        + "".join(
            f'<li><a href="https://example.com/guest-{guest}">Guest {guest}</a></li>'
            for guest in range(1, _GUESTS + 1)
        )
        + "</ul>",
    ),
    ExamplePage(
        path="links/distrust.html",
        name="Links that are not trusted",
        fault="A site that puts nofollow on links to itself says that it does not trust itself. "
        "The first page below is linked like this alone, the second one both ways.",
        rules=("Links: Internal Nofollow Outlinks",),
        body=_link("/workshop/links/distrusted.html", "The distrusted page", ' rel="nofollow"')
        + _link("/workshop/links/old-distrusted", "The same page by its old address")
        + _link("/workshop/links/wall.html", "The page without a way out", ' rel="nofollow"'),
    ),
    ExamplePage(
        path="links/distrusted.html",
        name="The distrusted page",
        fault="Every link to this page has nofollow. Only a redirect leads here besides.",
        rules=("Links: Internal Nofollow Inlinks Only",),
        listed=False,
    ),
    ExamplePage(
        path="links/here.html",
        name="Click here",
        fault="One link below has no text at all. The other one could lead anywhere.",
        rules=(
            "Links: Internal Outlinks With No Anchor Text",
            "Links: Non-Descriptive Anchor Text In Internal Outlinks",
            "Accessibility: Links Must Have Discernible Text",
        ),
        body='<p><a href="/visit/"></a> <a href="/visit/">click here</a></p>',
    ),
)
RELATED_PAGES: Final = (*CANONICALS, *SERIES, *DIRECTIVES, *LINKS)
