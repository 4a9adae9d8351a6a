"""Broken markup, structured data, and what people without eyes or with small screens need."""

from typing import Final

from tests.sites.audit_site.planted_site import (
    HTTP_URL,
    JSON_LD,
    PlantedSite,
    canonical,
    clean_document,
)

_FRAME: Final = (
    "Validation: Invalid HTML Elements In <head>",
    "Validation: <body> Element Preceding <html>",
    "Validation: <head> Not First In <html> Element",
    "Validation: Missing <head> Tag",
    "Validation: Multiple <head> Tags",
    "Validation: Missing <body> Tag",
    "Validation: Multiple <body> Tags",
)
_TWO_MB: Final = 2 * 1_048_576


def _document(site: PlantedSite, path: str, number: int) -> str:
    link = f'<link rel="canonical" href="{site.url(path)}">'
    return clean_document(number, f"Broken bed {number}", canonical=link)


def plant_broken_frames(site: PlantedSite) -> None:
    """Documents whose frame of html, head and body is not in order."""
    invalid, body_first, head_late, no_head, heads, no_body, bodies = _FRAME
    first = 9000

    def page(path: str, changes: dict[str, str], *holds: str, unclear: bool = False) -> None:
        nonlocal first
        first += 1
        document = _document(site, path, first)
        for old, new in changes.items():
            assert old in document, old
            document = document.replace(old, new, 1)
        site.page(path, *holds, document=document, unclear=None if unclear else ())

    page("/frame/whole", {})
    page("/frame/comments", {"<head>": "<!-- <body> --><head>", "</head>": "</head><!-- a -->"})
    page("/frame/capitals", {"<head>": "<HEAD>", "<body>": "<BODY class='x'>"})
    page("/frame/no-head", {"<head>": "", "</head>": ""}, no_head)
    page("/frame/no-body", {"<body>": "", "</body>": ""}, no_body)
    page(
        "/frame/neither",
        {"<head>": "", "</head>": "", "<body>": "", "</body>": ""},
        no_head,
        no_body,
    )
    page("/frame/two-heads", {"</head>": "</head><head></head>"}, heads)
    page("/frame/two-bodies", {"</body>": "</body><body><p>More</p></body>"}, bodies)
    page("/frame/nested-bodies", {"<main>": "<body><main>"}, bodies)
    page("/frame/div-in-head", {"</head>": "<div>A note</div></head>"}, invalid)
    page("/frame/paragraph-in-head", {"</head>": "<p>A note</p></head>"}, invalid)
    page("/frame/image-in-head", {"</head>": "<span>A note</span></head>"}, invalid)
    allowed = (
        '<base href="/"><link rel="icon" href="data:,"><style>p { margin: 0 }</style>'
        "<script>let a = '<div>'</script><template><div>x</div></template>"
        '<noscript><link rel="stylesheet" href="data:text/css,"></noscript>'
    )
    page("/frame/all-allowed", {"</head>": allowed + "</head>"})
    page(
        "/frame/body-first",
        {'<html lang="en">': '<body><html lang="en">'},
        body_first,
        unclear=True,
    )
    head_after = {"<head>": "<p>A note before the head</p><head>"}
    page("/frame/head-late", head_after, head_late, unclear=True)
    _plant_large_documents(site)


def _plant_large_documents(site: PlantedSite) -> None:
    large = "Validation: HTML Document Over 2MB"
    heavy = ("Validation: High Carbon Rating",)
    number = 9900
    for name, size in (("2mb", _TWO_MB), ("over-2mb", _TWO_MB + 1), ("4mb", 2 * _TWO_MB)):
        path = f"/frame/{name}"
        number += 1
        document = _document(site, path, number)
        room = size - len(document.encode()) - len("<!---->")
        rules = [large] if size > _TWO_MB else []
        rules += heavy if name == "4mb" else ()
        unclear = heavy if name != "4mb" else ()
        document = document.replace("</main>", f"<!--{'x' * room}--></main>")
        site.page(path, *rules, document=document, unclear=unclear)


def plant_structured_data(site: PlantedSite) -> None:
    """Formats, broken data, unknown words, and what search engines want of a product."""
    json_ld = JSON_LD[1]
    microdata, rdfa = "Structured Data: Microdata URLs", "Structured Data: RDFa URLs"
    missing, broken = "Structured Data: Missing", "Structured Data: Parse Errors"
    site.page("/data/none", missing, lacks=JSON_LD, data="")
    person = '<div itemscope itemtype="https://schema.org/Person"><p itemprop="name">Ada</p></div>'
    site.page("/data/microdata", microdata, lacks=[json_ld], data="", body=person)
    site.page("/data/microdata-too", microdata, body=person)
    lite = '<div vocab="https://schema.org/" typeof="Person"><p property="name">Ada</p></div>'
    site.page("/data/rdfa", rdfa, lacks=[json_ld], data="", body=lite)
    open_graph = (
        '<meta property="og:title" content="A bed"><meta property="og:type" content="website">'
    )
    site.page("/data/open-graph", missing, lacks=JSON_LD, data="", head=open_graph)
    bad = '<script type="application/ld+json">{"@context": "https://schema.org", "@type": </script>'
    site.page("/data/broken", broken, data=bad)
    site.page("/data/broken-too", broken, head=bad)
    other = '<script type="application/json">{"broken": </script>'
    site.page("/data/other-json", head=other)
    site.noindex("/data/noindex-none", data="")
    _plant_vocabulary(site)


def _item(text: str) -> str:
    item = f'{{"@context": "https://schema.org", {text}}}'
    return f'<script type="application/ld+json">{item}</script>'


def _plant_vocabulary(site: PlantedSite) -> None:
    errors = "Structured Data: Validation Errors"
    warnings = "Structured Data: Validation Warnings"
    feature = "Structured Data: Rich Result Feature Detected"
    rich_errors = "Structured Data: Rich Result Validation Errors"
    rich_warnings = "Structured Data: Rich Result Validation Warnings"
    # Whether an unknown word is an error or a warning is not defined.
    site.page(
        "/data/unknown-type",
        errors,
        data=_item('"@type": "Persn", "name": "A"'),
        unclear=(warnings,),
    )
    unknown = _item('"@type": "Person", "nam": "A"')
    site.page("/data/unknown-property", data=unknown, unclear=(errors, warnings))
    site.page("/data/known", data=_item('"@type": "Person", "name": "A", "jobTitle": "Gardener"'))
    product = '"@type": "Product", "name": "A spade"'
    site.page(
        "/data/product-bare", feature, rich_errors, data=_item(product), unclear=(rich_warnings,)
    )
    crumbs = ", ".join(
        f'{{"@type": "ListItem", "position": {at}, "name": "Bed {at}", "item": "{site.url("/")}"}}'
        for at in (1, 2)
    )
    whole = f'"@type": "BreadcrumbList", "itemListElement": [{crumbs}]'
    site.page("/data/breadcrumbs", feature, data=_item(whole))
    image = '"@type": "ImageObject", "caption": "A spade"'
    site.page("/data/image", data=_item(image))
    credited = _item(f'{image}, "creditText": "A"')
    site.page("/data/image-nowhere", feature, rich_errors, rich_warnings, data=credited)
    question = '"@type": "QAPage", "mainEntity": {"@type": "Question", "text": "Why?"}'
    site.page("/data/question", feature, rich_errors, rich_warnings, data=_item(question))
    site.page("/data/faq", data=_item('"@type": "FAQPage"'))
    _plant_warnings(site, warnings, feature, rich_warnings)
    typed = _item('"@type": "Person", "name": "A"')
    site.page("/data/with-charset", data=typed.replace("ld+json", "LD+JSON; charset=utf-8"))
    graph = f'"@graph": [{{"@type": "WebSite", "name": "Garden", "url": "{site.url("/")}"}}]'
    site.page("/data/graph", data=_item(graph), unclear=(feature, rich_warnings))


def _plant_warnings(site: PlantedSite, warnings: str, feature: str, rich_warnings: str) -> None:
    """Words that were replaced or belong elsewhere, and what search engines recommend."""
    superseded = _item('"@type": "CreativeWork", "name": "A", "awards": "Rose of the year"')
    site.page("/data/superseded", warnings, data=superseded)
    current = _item('"@type": "CreativeWork", "name": "A", "award": "Rose of the year"')
    site.page("/data/not-superseded", data=current)
    misplaced = _item('"@type": "Person", "name": "A", "headline": "B"')
    site.page("/data/misplaced", warnings, data=misplaced)
    article = (
        '"@type": "Article", "headline": "A rose", "image": "https://example.com/rose.jpg", '
        '"datePublished": "2024-01-01", "dateModified": "2024-01-02"'
    )
    author = '"author": {"@type": "Person", "name": "A", "url": "https://example.com/a"}'
    site.page("/data/article", feature, data=_item(f"{article}, {author}"))
    site.page("/data/article-nobody", feature, rich_warnings, data=_item(article))


def plant_accessibility(site: PlantedSite) -> None:
    """Viewports, labels, languages, headings, links and buttons."""
    site.page("/mobile/no-viewport", "Mobile: Viewport Not Set", viewport="")
    site.noindex("/mobile/no-viewport-noindex", viewport="")
    small = '<link rel="alternate" media="only screen and (max-width: 640px)" href="{}">'
    body = '<p><a href="/mobile/small">For small screens here</a></p>'
    alternate = "Mobile: Mobile Alternate Link"
    site.page("/mobile/alternate", alternate, head=small.format("/mobile/small"), body=body)
    site.page("/mobile/small")
    _plant_amp_pages(site)
    no_language = "Accessibility: <html> Element Must Have A lang Attribute"
    site.page("/access/no-lang", no_language, html="<html>")
    site.page("/access/empty-lang", no_language, html='<html lang="">')
    site.page("/access/other-lang", html='<html lang="de-AT">')
    skipped = "Accessibility: Heading Levels Should Only Increase By One"
    site.page("/access/h4-after-h2", skipped, body="<h4>Too deep</h4>")
    site.page("/access/h3-after-h2", body="<h3>A</h3><h4>B</h4><h3>C</h3>")
    on_http = "Security: Form on HTTP URL"
    label = "Accessibility: Form Elements Must Have Labels"
    form = "<form>{}</form>"
    unlabelled = {
        "input": '<input name="n">',
        "placeholder": '<input name="n" placeholder="x">',
        "select": "<select><option>A</option></select>",
        "area": "<textarea></textarea>",
        "other-for": '<label for="m">Name</label><input id="n" name="n">',
    }
    for name, field in unlabelled.items():
        unclear = (label,) if name == "placeholder" else ()
        rules = [on_http] if name == "placeholder" else [on_http, label]
        site.page(f"/access/label-none-{name}", *rules, body=form.format(field), unclear=unclear)
    labelled = {
        "around": "<label>Name <input></label>",
        "for": '<label for="n">Name</label><input id="n">',
        "for-after": '<input id="n"><label for="n">Name</label>',
        "aria": '<input aria-label="Name">',
        "labelledby": '<p id="l">Name</p><input aria-labelledby="l">',
        "title": '<input title="Name">',
        "hidden": '<input type="hidden" name="h">',
        "submit": '<input type="submit" value="Send it">',
        "image": '<input type="submit">',
    }
    for name, field in labelled.items():
        site.page(f"/access/label-{name}", on_http, body=form.format(field))
    button = "Accessibility: Buttons Must Have Discernible Text"
    for name, element in {
        "empty": "<button></button>",
        "blank": "<button> <i></i></button>",
    }.items():
        site.page(f"/access/button-{name}", button, body=element)
    named = {
        "text": "<button>Go on</button>",
        "aria": '<button aria-label="Go on"></button>',
        "title": '<button title="Go on"></button>',
    }
    for name, element in named.items():
        site.page(f"/access/button-{name}", body=element)
    scheme = '<meta name="fragment" content="!">'
    site.page("/script/old-scheme", "JavaScript: Uses Old AJAX Crawling Scheme", head=scheme)
    site.page("/script/other-fragment", head='<meta name="fragment" content="x">')


def _plant_amp_pages(site: PlantedSite) -> None:
    amp = '<html amp lang="en">'
    named = '<link rel="amphtml" href="{}">'
    hidden, shown = "AMP: Non-Indexable", "AMP: Indexable"
    site.page("/amp/good", head=named.format(site.url("/amp/good/amp")))
    site.canonicalised("/amp/good/amp", "/amp/good", hidden, html=amp)
    site.page("/amp/gone", "AMP: Non-200 Response", head=named.format("/codes/404"))
    site.page("/amp/lost", "AMP: Non-200 Response", head=named.format("/amp/nowhere"))
    site.expect("/amp/nowhere", HTTP_URL, "Response Codes: Internal Client Error (4xx)")
    alone = canonical(site.url("/amp/alone"))
    site.page("/amp/alone", shown, html='<html lang="en" ⚡>', canonical=alone, unclear=_AMP_SELF)
    unanswered = "AMP: Missing Non-AMP Return Link"
    site.page("/amp/silent")
    site.canonicalised("/amp/silent/amp", "/amp/silent", hidden, unanswered, html=amp)
    missing = "AMP: Missing Canonical to Non-AMP"
    site.page("/amp/other", head=named.format("/amp/other/version"))
    site.page("/amp/other/version", shown, missing, html=amp, unclear=_AMP_SELF)
    site.page("/amp/no-amp", html='<html lang="en" class="x amp y" data-amp="1">')


_AMP_SELF: Final = ("AMP: Missing Non-AMP Return Link",)
"""Whether an AMP page that is its own canonical lacks a link is not defined."""
