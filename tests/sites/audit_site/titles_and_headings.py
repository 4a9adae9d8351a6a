"""Pages with and without faults of titles, descriptions and headings."""

from tests.sites.audit_site.planted_site import PlantedSite, description, title

_MISSING = "Page Titles: Missing"
_OUTSIDE = "Page Titles: Outside <head>"
_MULTIPLE = "Page Titles: Multiple"
_DUPLICATE = "Page Titles: Duplicate"


def plant_titles(site: PlantedSite) -> None:
    """Lengths in characters and pixels, absent, twice, in other places."""
    site.page("/titles/none", _MISSING, title="")
    site.page("/titles/empty", _MISSING, title=title(""))
    site.page("/titles/blank", _MISSING, title=title(" \n\t "))
    site.page("/titles/comment-only", _MISSING, title="<!-- <title>Not a title at all</title> -->")
    site.page("/titles/60-narrow", title=title("i" * 59 + "j"))
    site.page("/titles/61-narrow", "Page Titles: Over 60 Characters", title=title("i" * 61))
    spaced = "i" * 30 + " \n  " * 30 + "i" * 29
    site.page("/titles/60-collapsed", title=title(spaced))
    site.page("/titles/29-wide", "Page Titles: Below 30 Characters", title=title("m" * 29))
    site.page("/titles/30-wide", title=title("m" * 30))
    site.page("/titles/556-pixels", title=title("a" * 50))
    site.page("/titles/567-pixels", "Page Titles: Over 561 Pixels", title=title("a" * 51))
    site.page("/titles/195-pixels", "Page Titles: Below 200 Pixels", title=title("i" * 44))
    site.page("/titles/204-pixels", title=title("i" * 46))
    short = ("Page Titles: Below 30 Characters", "Page Titles: Below 200 Pixels")
    site.page("/titles/short", *short, title=title("Beds"))
    long = ("Page Titles: Over 60 Characters", "Page Titles: Over 561 Pixels")
    site.page("/titles/long", *long, title=title("m" * 61))
    site.page("/titles/entities", long[1], title=title("&amp;" * 60))
    site.page("/titles/umlauts", title=title("ä" * 30 + "ö" * 10))
    _plant_several_titles(site)
    _plant_equal_titles(site)


def _plant_several_titles(site: PlantedSite) -> None:
    two = title("The first of two titles of this page") + title("The second of two of this page")
    site.page("/titles/two", _MULTIPLE, title=two)
    late = title("This title stands in the body of the page")
    site.page("/titles/in-body", _OUTSIDE, title="", body=late)
    site.page("/titles/in-body-too", _OUTSIDE, _MULTIPLE, body=late + "<p>again</p>")
    svg = "<svg width='9' height='9'><title>A drawing of a garden with beds</title></svg>"
    site.page("/titles/svg-only", _MISSING, title="", body=svg)
    site.page("/titles/svg-too", body=svg.replace("drawing", "sketch"))
    after_div = "<div>a note</div><title>A title that a div has put outside</title>"
    invalid = "Validation: Invalid HTML Elements In <head>"
    site.page("/titles/after-div", _OUTSIDE, invalid, title="", head=after_div)
    site.noindex("/titles/noindex-none", title="")
    site.canonicalised("/titles/canonicalised-none", "/titles/two", title="")


def _plant_equal_titles(site: PlantedSite) -> None:
    same = "Page Titles: Same as H1"
    both = "Both the title and the heading of it"
    site.page("/titles/same-as-h1", same, title=title(both), h1=f"<h1>{both}</h1>")
    spaced_title = title("Both  of\n them are the same text here")
    h1 = "<h1> Both of <em>them</em> are the same text here</h1>"
    site.page("/titles/same-spaced", same, title=spaced_title, h1=h1)
    h1 = "<h1>Only the case of letters is not equal</h1>"
    site.page("/titles/other-case", title=title("Only the Case of Letters is not equal"), h1=h1)
    h1 = "<h1>The first heading</h1><h1>What the second heading says here</h1>"
    again = title("What the second heading says here")
    site.page("/titles/same-as-second-h1", "H1: Multiple", title=again, h1=h1)
    twin = "One title that three pages of this site have"
    site.page("/titles/twin-1", _DUPLICATE, title=title(twin))
    site.page("/titles/twin-2", _DUPLICATE, title=title(f"  {twin.replace(' ', '   ')}\n"))
    site.page("/titles/twin-3", _DUPLICATE, title=title(twin))
    site.page("/titles/twin-other-case", title=title(twin.upper().replace("M", "m")[:40]))
    site.noindex("/titles/twin-noindex", title=title(twin))
    single = "One title that an indexable page has alone"
    site.page("/titles/alone", title=title(single))
    site.noindex("/titles/alone-noindex", title=title(single))
    site.canonicalised("/titles/alone-canonicalised", "/titles/alone", title=title(single))
    lower = "a title in small letters and one in capitals"
    site.page("/titles/case-1", title=title(lower))
    site.page("/titles/case-2", title=title(lower.capitalize()))


def plant_descriptions(site: PlantedSite) -> None:
    """As titles; a width of 985 pixels is that of some 126 letters a."""
    missing, multiple = "Meta Description: Missing", "Meta Description: Multiple"
    outside, duplicate = "Meta Description: Outside <head>", "Meta Description: Duplicate"
    over, below = "Meta Description: Over 155 Characters", "Meta Description: Below 70 Characters"
    wide, narrow = "Meta Description: Over 985 Pixels", "Meta Description: Below 400 Pixels"
    site.page("/descriptions/none", missing, description="")
    site.page("/descriptions/empty", missing, description=description(""))
    site.page("/descriptions/blank", missing, description=description("  "))
    site.page("/descriptions/no-content", missing, description='<meta name="description">')
    open_graph = '<meta property="og:description" content="Not what search engines show of it">'
    site.page("/descriptions/open-graph", missing, description=open_graph)
    capitals = '<META NAME="Description" CONTENT="' + "b" * 80 + '">'
    site.page("/descriptions/capitals", description=capitals)
    site.page("/descriptions/155", description=description("i" * 155))
    site.page("/descriptions/156", over, description=description("i" * 156))
    collapsed = "i" * 100 + " " * 60 + "i" * 50
    site.page("/descriptions/151-collapsed", description=description(collapsed))
    site.page("/descriptions/69", below, description=description("a" * 69))
    site.page("/descriptions/70", description=description("a" * 70))
    site.page("/descriptions/981-pixels", description=description("a" * 126))
    site.page("/descriptions/989-pixels", wide, description=description("a" * 127))
    site.page("/descriptions/395-pixels", narrow, description=description("i" * 127))
    site.page("/descriptions/404-pixels", description=description("i" * 130))
    site.page("/descriptions/short", below, narrow, description=description("Too short."))
    site.page("/descriptions/long", over, wide, description=description("m" * 156))
    one, other = description("b" * 90), description("b" * 91)
    site.page("/descriptions/two", multiple, description=one + other)
    site.page("/descriptions/in-body", outside, description="", body=description("b" * 92))
    site.page("/descriptions/in-body-too", outside, multiple, body=description("b" * 93))
    site.noindex("/descriptions/noindex-none", description="")
    site.page("/descriptions/twin-1", duplicate, description=description("c" * 90))
    site.page("/descriptions/twin-2", duplicate, description=description(" " + "c" * 90))
    site.page("/descriptions/twin-case", description=description("C" + "c" * 89))
    site.noindex("/descriptions/twin-noindex", description=description("C" + "c" * 89))
    # Of several, the first that says something is compared.
    site.page("/descriptions/second", multiple, description=other.replace("b", "d") + one)


def plant_keywords(site: PlantedSite) -> None:
    """Meta keywords, of which a crawl reports nothing unless it is told to."""
    missing, multiple = "Meta Keywords: Missing", "Meta Keywords: Multiple"
    duplicate = "Meta Keywords: Duplicate"
    element = '<meta name="keywords" content="{}">'
    site.page("/keywords/none", missing)
    site.page("/keywords/empty", missing, head=element.format(" "))
    site.page("/keywords/one", head=element.format("rose, lily"))
    site.page("/keywords/two", multiple, head=element.format("fern") + element.format("moss"))
    site.page("/keywords/twin-1", duplicate, head=element.format("sage, mint"))
    site.page("/keywords/twin-2", duplicate, head=element.format("sage, mint"))
    site.page("/keywords/twin-case", head=element.format("Sage, mint"))
    site.noindex("/keywords/noindex")


def plant_h1(site: PlantedSite) -> None:
    """Level-one headings."""
    missing, multiple, alt = "H1: Missing", "H1: Multiple", "H1: Alt Text in h1"
    disordered, duplicate = "H1: Non-Sequential", "H1: Duplicate"
    site.page("/h1/none", missing, h1="")
    site.page("/h1/empty", missing, h1="<h1></h1>")
    site.page("/h1/blank", missing, h1="<h1> <span>\n</span> </h1>")
    site.page("/h1/70", h1=f"<h1>{'a' * 70}</h1>")
    site.page("/h1/71", "H1: Over 70 Characters", h1=f"<h1>{'a' * 71}</h1>")
    site.page("/h1/70-collapsed", h1=f"<h1>{'a' * 30}  \n <b>{'a' * 39}</b></h1>")
    site.page("/h1/two", multiple, h1="<h1>The first of two</h1><h1>The second of two</h1>")
    site.page("/h1/one-empty", h1="<h1></h1><h1>The one that says something</h1>")
    site.page("/h1/empty-after", h1="<h1>The one that says it first</h1><h1> </h1>")
    picture = site.image("/h1/logo.png")
    image = f'<img src="{picture}" alt="The logo of a garden" width="9" height="9">'
    site.page("/h1/alt", alt, h1=f"<h1>{image}</h1>")
    site.page("/h1/linked-alt", alt, h1=f'<h1><a href="/">{image.replace("a g", "the g")}</a></h1>')
    late = image.replace("a garden", "this garden")
    site.page("/h1/late-alt", multiple, alt, h1=f"<h1>What the page says</h1><h1>{late}</h1>")
    nameless = site.image("/h1/nameless.png", "Images: Missing Alt Text")
    empty_alt = f'<img src="{nameless}" alt="" width="9" height="9">'
    site.page("/h1/empty-alt", missing, h1=f"<h1>{empty_alt}</h1>")
    site.page("/h1/after-h2", disordered, "H2: Non-Sequential", h1="", body="<h1>Late one</h1>")
    site.page("/h1/after-h3", disordered, h1="<h3>A small one</h3><h1>A late one</h1>")
    site.page("/h1/after-hidden-comment", h1="<!-- <h2>None</h2> --><h1>The first one</h1>")
    twin = "<h1>A heading that two pages have</h1>"
    site.page("/h1/twin-1", duplicate, h1=twin)
    site.page("/h1/twin-2", duplicate, h1=twin.replace(" two", "\n<i>two</i>"))
    site.page("/h1/twin-case", h1=twin.replace("pages", "Pages"))
    site.noindex("/h1/twin-noindex", h1=twin.replace("pages", "Pages"))
    first = "<h1>What this page alone says</h1>" + twin
    site.page("/h1/twin-second", multiple, h1=first)
    site.noindex("/h1/noindex-none", h1="")


def plant_h2(site: PlantedSite) -> None:
    """Level-two headings."""
    missing, multiple, duplicate = "H2: Missing", "H2: Multiple", "H2: Duplicate"
    disordered = "H2: Non-Sequential"
    skipped = "Accessibility: Heading Levels Should Only Increase By One"
    site.page("/h2/none", missing, h2="")
    site.page("/h2/empty", missing, h2="<h2> </h2>")
    site.page("/h2/70", h2=f"<h2>{'b' * 70}</h2>")
    site.page("/h2/71", "H2: Over 70 Characters", h2=f"<h2>{'b' * 71}</h2>")
    site.page("/h2/two", multiple, h2="<h2>First of the two</h2><h2>Second of the two</h2>")
    site.page("/h2/one-empty", h2="<h2>First one of it</h2><h2></h2>")
    site.page("/h2/after-h3", disordered, skipped, h2="<h3>A small</h3><h2>A late one</h2>")
    site.page("/h2/before-h3", h2="<h2>Timely one</h2><h3>Then a small one</h3>")
    site.page("/h2/after-two-h1", "H1: Multiple", h1="<h1>A first</h1><h1>One more</h1>")
    site.page("/h2/without-h1", "H1: Missing", h1="", h2="<h3>Small</h3><h2>Without a first</h2>")
    twin = "<h2>A level two that two pages have</h2>"
    site.page("/h2/twin-1", duplicate, h2=twin)
    site.page("/h2/twin-2", duplicate, h2=twin)
    site.page("/h2/twin-case", h2=twin.replace("level", "Level"))
    site.canonicalised("/h2/twin-canonicalised", "/h2/70", h2=twin.replace("level", "Level"))
    site.noindex("/h2/noindex-none", h2="")
