"""Example pages about addresses, titles, descriptions, headings, words and images."""

from dataclasses import replace
from typing import Final

from gossamer.demo.workshop.example_page import ExamplePage, html_type

_SIZE: Final = ' width="320" height="240"'
_LONG_NAME: Final = "a-page-whose-address-tells-the-whole-story-of-how-the-web-was-torn"
_LORE: Final = (
    "The cellar spider hangs head down in a loose and untidy web under the stairs, where nobody "
    "dusts. Touch the web, and she begins to swing so fast that she is only a blur, until you "
    "lose interest. She eats what she can catch, other spiders among them, and she is in no hurry "
    "at all: a good corner lasts a lifetime. The web is never taken down. It is mended, thread by "
    "thread, on quiet nights, and grows a little every year, so that old houses have old webs. "
    "Visitors ask us whether she bites. She can, they say, but we have never met anybody whom she "
    "thought worth the trouble. Leave her the corner, and she will leave you the room. In spring "
    "she hangs up a small round parcel of some thirty eggs and carries it in her jaws wherever she "
    "goes, which is not far. The young stay for nine days after they have hatched, and then walk "
    "off along the ceiling, one by one, to look for corners of their own. We count them every year "
    "on the first of May, from the top of the stairs, with a lamp and a good deal of patience. "
)
_POMPOUS: Final = (
    "Notwithstanding considerable interdisciplinary disagreement concerning arachnological "
    "classification methodologies, institutional responsibility necessitates comprehensive "
    "documentation, systematically incorporating biogeographical, morphological and "
    "phylogenetic considerations, accompanied by administrative recommendations regarding "
    "organizational restructuring possibilities. "
)


def _picture(number: int, text: str | None = None, size: str = _SIZE) -> str:
    alt = "" if text is None else f' alt="{text}"'
    return f'<img src="/assets/web-{number}.svg"{alt}{size}>'


def _after_head(html: str, what: str) -> str:
    """Move the content of the head into the body."""
    return html.replace(what, "", 1).replace("<body>", f"<body>{what}", 1)


def _untitled(html: str) -> str:
    start, end = html.index("<title>"), html.index("</title>") + len("</title>")
    return _after_head(html, html[start:end])


def _undescribed(html: str) -> str:
    start = html.index('<meta name="description"')
    return _after_head(html, html[start : html.index(">", start) + 1])


ADDRESSES: Final = (
    ExamplePage(
        path="Old_Index.html",
        name="An address with capitals",
        fault="Capitals and underscores in an address are typed wrong, and read as one word.",
        rules=("URL: Uppercase", "URL: Underscores"),
    ),
    ExamplePage(
        path="/double-slash.html",
        name="A slash too many",
        fault="Two slashes in a row make a second address for a page, which most servers answer.",
        rules=("URL: Multiple Slashes",),
    ),
    ExamplePage(
        path="web/web/again.html",
        name="The same folder twice",
        fault="A folder in itself is often a relative link gone wrong, and may go on for ever.",
        rules=("URL: Repetitive Path",),
    ),
    ExamplePage(
        path="search/?q=orb",
        name="Results of a search",
        fault="Pages with the results of a site's own search are no use in another search engine.",
        rules=("URL: Internal Search",),
    ),
    ExamplePage(
        path="poster.html?utm_source=poster",
        name="A campaign in the address",
        fault="The link to this page inside the site names a campaign, which the statistics will "
        "take for a new visit.",
        rules=("URL: GA Tracking Parameters",),
    ),
    ExamplePage(
        path=f"{_LONG_NAME}-and-mended-and-torn-again-by-the-wind.html",
        name="A very long address",
        fault="Long addresses are cut off in results and in messages.",
        rules=("URL: Over 115 Characters",),
    ),
    ExamplePage(
        path="bookmark.html",
        name="A bookmark to nowhere",
        fault="The link below leads to a place that its page has not, so visitors land at the top.",
        rules=("URL: Broken Bookmark",),
        body='<p><a href="/visit/#ticket-office">Where the ticket office is</a></p>',
    ),
)
TITLES: Final = (
    ExamplePage(
        path="titles/two.html",
        name="Two titles",
        fault="The page has two titles. Browsers take the first; nobody can say what search "
        "engines take.",
        rules=("Page Titles: Multiple",),
        head="<title>A second title, which only confuses</title>",
    ),
    ExamplePage(
        path="titles/outside.html",
        name="A title outside the head",
        fault="The title stands in the body, where search engines need not look for it.",
        rules=("Page Titles: Outside <head>",),
        edit=_untitled,
    ),
    ExamplePage(
        path="titles/short.html",
        name="A title of one word",
        fault="There is room for more than one short word in a result.",
        rules=("Page Titles: Below 200 Pixels", "Page Titles: Below 30 Characters"),
        title="Silk",
    ),
    ExamplePage(
        path="titles/same.html",
        name="A title that is the heading again, word for word",
        fault="Title and heading are the same. Two texts could say two things.",
        rules=("Page Titles: Same as H1",),
        title="A title that is the heading again, word for word",
    ),
    ExamplePage(
        path="descriptions/two.html",
        name="Two descriptions",
        fault="The page has two descriptions, so it is left to chance which one a result shows.",
        rules=("Meta Description: Multiple",),
        head='<meta name="description" content="A second description of the same page, which '
        'was forgotten when somebody wrote a better one.">',
    ),
    ExamplePage(
        path="descriptions/outside.html",
        name="A description outside the head",
        fault="The description stands in the body of the page, where it does not count for much.",
        rules=("Meta Description: Outside <head>",),
        edit=_undescribed,
    ),
)
HEADINGS: Final = (
    ExamplePage(
        path="headings/long.html",
        name="Long headings",
        fault="A heading that goes on and on is no heading any more, but a paragraph in bold.",
        rules=("H1: Over 70 Characters", "H2: Over 70 Characters"),
        headline="Long headings, which tell the visitor all that there is, and tell it twice",
        body="<h2>And then a second one, which has a great deal more to say about the very same "
        "thing</h2>",
    ),
    ExamplePage(
        path="headings/picture.html",
        name="A heading that is a picture",
        fault="The main heading is a picture. Its alternative text stands in for the words.",
        rules=("H1: Alt Text in h1",),
        headline="",
        body=f"<h1>{_picture(2, 'Orb web of the east railing')}</h1>",
    ),
    ExamplePage(
        path="headings/order.html",
        name="Headings out of order",
        fault="A smaller heading stands before the main one, as if a chapter came before its book.",
        rules=("H1: Non-Sequential",),
        edit=lambda html: html.replace("<main>", "<main>\n<h2>Seen from below</h2>", 1),
    ),
)
_TWIN: Final = ExamplePage(
    path="content/twin.html",
    name="One text at two addresses",
    fault="Two addresses answer with the same page, byte by byte. Search engines list one of "
    "them, and not always the better one.",
    rules=("Content: Exact Duplicates",),
    body=f"<p>{_POMPOUS}</p>",
)
WORDS: Final = (
    _TWIN,
    replace(_TWIN, path="content/twin-2.html"),
    ExamplePage(
        path="content/cellar.html",
        name="The cellar spider",
        fault="This page and another one say the same in nearly the same words.",
        rules=("Content: Near Duplicates",),
        body=f"<p>{_LORE}</p>",
    ),
    ExamplePage(
        path="content/attic.html",
        name="The attic spider",
        fault="This page and another one say the same in nearly the same words.",
        rules=("Content: Near Duplicates",),
        body=f"<p>{_LORE}</p>",
    ),
    ExamplePage(
        path="content/not-found.html",
        name="Page not found",
        fault="Sorry, the page you are looking for could not be found.",
        rules=("Content: Soft 404 Pages",),
        bare=True,
        title="404 Page not found",
    ),
    ExamplePage(
        path="content/placeholder.html",
        name="Text to come",
        fault="Somebody was to replace the text below before the page went out.",
        rules=("Content: Lorem Ipsum Placeholder",),
        body="<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</p>",
    ),
    ExamplePage(
        path="content/pompous.html",
        name="Hard words",
        fault="Long words in long sentences are hard to read, even for those who know them.",
        rules=("Content: Readability Very Difficult",),
        body=f"<p>{_POMPOUS * 3}</p>",
    ),
)
IMAGES: Final = (
    ExamplePage(
        path="images/large.html",
        name="A picture that is too large",
        fault="The picture below has more than 100 kB, which a telephone on a train waits for.",
        rules=("Images: Over 100 kB",),
        body=f'<p><img src="/workshop/files/large.svg" alt="A web, in far too much detail"{_SIZE}>'
        "</p>",
    ),
    ExamplePage(
        path="images/silent.html",
        name="Pictures that say nothing",
        fault="The first picture has no alternative text, the second an empty one, the third one "
        "that is a whole story.",
        rules=(
            "Images: Missing Alt Attribute",
            "Images: Missing Alt Text",
            "Images: Alt Text Over 100 Characters",
            "Accessibility: Images Must Have Alternative Text",
        ),
        body=f"<p>{_picture(3)}{_picture(4, '')}{_picture(5, _LORE[:130])}</p>",
    ),
    ExamplePage(
        path="images/jumping.html",
        name="Pictures that make the page jump",
        fault="The picture has no width and height, so the text moves when it arrives. The line "
        "below has a web in its background, which image search does not see.",
        rules=("Images: Missing Size Attributes", "Images: Background Images"),
        body=f"<p>{_picture(6, 'Funnel web in the corner of a window', '')}</p>"
        '<p style="background: url(/assets/web-7.svg)">A web behind the words</p>',
    ),
)
SECURITY: Final = (
    ExamplePage(
        path="security/form.html",
        name="A form that anybody can read",
        fault="The form is on a page without encryption. Its field has no label, its button no "
        "name.",
        rules=(
            "Security: Form on HTTP URL",
            "Accessibility: Form Elements Must Have Labels",
            "Accessibility: Buttons Must Have Discernible Text",
        ),
        body='<form action="/visit/thank-you.html"><input name="mail"><button></button></form>',
    ),
    ExamplePage(
        path="security/outside.html",
        name="Doors to other houses",
        fault="A link opens another site in a new window and says nothing of noopener. A script "
        "comes from an address that begins with two slashes.",
        rules=(
            "Security: Unsafe Cross-Origin Links",
            "Security: Protocol-Relative Resource Links",
        ),
        body='<p><a href="https://example.com/webs" target="_blank">Webs elsewhere</a></p>'
        '<script src="//example.com/spin.js"></script>',
    ),
    ExamplePage(
        path="security/cookie.html",
        name="A cookie for everybody",
        fault="The page sets a cookie that every script can read and any connection may carry.",
        rules=("Security: Cookie Without Secure, HttpOnly or SameSite",),
        headers=html_type(Set_Cookie="visitor=1; Path=/workshop/security/"),
    ),
    ExamplePage(
        path="security/type.html",
        name="A type that is none",
        fault="A semicolon is missing in the Content-Type header, so browsers have to guess.",
        rules=("Security: Bad Content Type",),
        headers=html_type("text/html charset=utf-8"),
    ),
)
TEXT_PAGES: Final = (*SECURITY, *ADDRESSES, *TITLES, *HEADINGS, *WORDS, *IMAGES)
