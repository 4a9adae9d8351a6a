"""Texts, duplicates, and the images that pages show."""

from typing import Any, Final

from tests.sites.audit_site.planted_site import JSON_LD, SELF_CANONICAL, PlantedSite, title, words

_LOW: Final = "Content: Low Content Pages"
_LINK: Final = '<p><a href="/">Home of bed</a></p>'
_TWO_SYLLABLES: Final = (
    "garden basket rabbit kitten window pencil blanket butter candle dinner finger hammer jacket "
    "kitchen ladder lemon market monkey napkin number paper pepper picnic pocket pumpkin puppet "
    "robin salad shadow silver spider sunset tablet tennis tulip turnip velvet winter yellow"
)
_FOUR_SYLLABLES: Final = (
    "information institution communication consideration organization investigation "
    "documentation administration interpretation transformation presentation cooperation"
)


def plant_word_counts(site: PlantedSite) -> None:
    """A page has five words in headings and its link besides its text."""

    def page(path: str, count: int, *holds: str, more: str = "") -> None:
        """So many words in all."""
        text = words(path, count - 5)
        site.page(path, *holds, text=text + more, body=_LINK, h1=_h1(path), h2=_h2(path), back="")

    page("/words/199", 199, _LOW)
    page("/words/200", 200)
    page("/words/201", 201)
    extra = words("extra", 50)
    page("/words/199-nav", 199, _LOW, more=f"<nav>{extra}</nav>")
    page("/words/199-footer", 199, _LOW, more=f"<footer>{extra}</footer>")
    page("/words/199-script", 199, _LOW, more="<script>let a = 1; let b = 2; a + b</script>")
    page("/words/199-style", 199, _LOW, more="<style>p { color: red } b { margin: 0 }</style>")
    page("/words/199-noscript", 199, _LOW, more="<noscript>Turn on your scripts now</noscript>")
    page("/words/199-comment", 199, _LOW, more="<!-- one two three four five six -->")
    page("/words/200-aside", 190, more="<aside>" + words("aside", 10) + "</aside>")
    page("/words/199-inline", 198, _LOW, more="<p>butter<b>fly</b><i>net</i></p>")
    page("/words/200-blocks", 198, more="<div>left</div><div>right</div>")
    page("/words/200-break", 198, more="<p>left<br>right</p>")
    page("/words/200-list", 197, more="<ul><li>red</li><li>blue</li><li>pink</li></ul>")
    site.noindex("/words/noindex", text="<p>Few words.</p>")
    site.page("/words/none", _LOW, text="")


def _h1(path: str) -> str:
    return f"<h1>{path.replace('/', '').replace('-', '')}</h1>"


def _h2(path: str) -> str:
    return f"<h2>{path.replace('/', '').replace('-', '')}2</h2>"


def plant_texts(site: PlantedSite) -> None:
    """Texts that are hard to read, or not meant to be read."""
    difficult = "Content: Readability Difficult"
    very_difficult = "Content: Readability Very Difficult"
    mixed = "".join(
        words(f"mixed {part}", 32, _TWO_SYLLABLES) + words(f"easy {part}", 6) for part in range(8)
    )
    site.page("/texts/difficult", difficult, text=mixed)
    site.page("/texts/hard", very_difficult, text=words("hard", 300, _FOUR_SYLLABLES))
    site.noindex("/texts/hard-noindex", text=words("hard too", 300, _FOUR_SYLLABLES))
    lorem = "Content: Lorem Ipsum Placeholder"
    latin = "<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</p>"
    site.page("/texts/lorem", lorem, body=latin)
    site.page("/texts/lorem-capitals", lorem, body=latin.upper().replace("P>", "p>"))
    for slug, between in {
        "break": "\n ",
        "tag": "</b> ",
        "entity": "&nbsp;",
        "note": "<!-- x --> ",
    }.items():
        site.page(f"/texts/lorem-{slug}", lorem, body=f"<p><b>Lorem{between}ipsum dolor</b></p>")
    site.page("/texts/lorem-apart", body="<p>Lorem, not ipsum, is what the garden is called.</p>")
    site.page("/texts/lorem-comment", body=f"<!-- {latin} -->")
    site.noindex("/texts/lorem-noindex", body=latin)
    soft = "Content: Soft 404 Pages"
    names: dict[str, Any] = {
        "title": title("Page not found - our own garden site"),
        "h1": "<h1>Page not found</h1>",
    }
    sorry = "<p>Sorry, this page was not found.</p>"
    unverified = "Response Codes: Internal Unverified"
    site.page("/texts/not-found", soft, _LOW, text=sorry, unclear=(unverified,), **names)
    site.page("/texts/found", title=title("How we found the lost page of a book"))
    chinese = "<p>" + "花园里种满了玫瑰和百合,每天早晨园丁都会来浇水。" * 40 + "</p>"
    readable = (difficult, very_difficult)
    few = "<p>" + "花园里种满了玫瑰。" * 3 + "</p>"
    site.page("/texts/chinese", html='<html lang="zh">', text=chinese)
    site.page("/texts/chinese-short", _LOW, html='<html lang="zh">', text=few, never=readable)


def plant_duplicates(site: PlantedSite) -> None:
    """Pages that are equal to the byte, and nearly."""
    twins = (
        "Content: Exact Duplicates",
        "Page Titles: Duplicate",
        "Meta Description: Duplicate",
        "H1: Duplicate",
        "H2: Duplicate",
    )
    equal: dict[str, Any] = {
        "h1": "<h1>The same bed twice</h1>",
        "h2": "<h2>The same plants twice</h2>",
        "title": title("The same title of a bed that is twice"),
        "description": '<meta name="description" content="' + "e" * 100 + '">',
        "data": '<script type="application/ld+json">{"@type":"Thing","@context":"https://schema.org"}</script>',
        "text": words("same", 300),
        "canonical": "",
    }
    missing = "Canonicals: Missing"
    for name in ("1", "2", "3"):
        site.page(f"/same/{name}", *twins, missing, lacks=SELF_CANONICAL, **equal)
    noindex = [("X-Robots-Tag", "noindex")]
    off = (*SELF_CANONICAL, *JSON_LD)
    site.page("/same/noindex", "Directives: Noindex", lacks=off, more_headers=noindex, **equal)
    near = "Content: Near Duplicates"
    base = words("near", 800)
    site.page("/near/1", near, text=base)
    site.page("/near/2", near, text=base.replace("<p>", "<p>Another start of it. ", 1))
    site.noindex("/near/noindex", text=base)
    half = words("half", 400)
    site.page("/near/half-1", text=half + words("half 1", 400))
    site.page("/near/half-2", text=half + words("half 2", 400))
    site.noindex("/near/alone-noindex", text=words("alone", 800))
    site.page("/near/alone", text=words("alone", 800))
    menu = words("a long menu", 800)
    site.page("/near/menu-1", body=f"<nav>{menu}</nav>")
    site.page("/near/menu-2", body=f"<nav>{menu}</nav><footer>{menu}</footer>")


def _show(
    site: PlantedSite, path: str, element: str, *holds: str, page: str = "", place: str = "{}"
) -> None:
    """A page with an image for which these rules hold; `page` holds for the page."""
    image = site.image(f"/images/{path}.png", *holds)
    body = place.format(element.format(image=image))
    site.page(f"/images/page-{path}", *([page] if page else []), body=body)


def plant_images(site: PlantedSite) -> None:
    """Sizes, alternative texts and places of images; the image is listed, not the page."""
    size = 'width="9" height="9"'

    large = "Images: Over 100 kB"
    for count, rules in ((102_400, ()), (102_401, (large,)), (300_000, (large,))):
        image = site.image(f"/images/{count}.png", *rules, size=count)
        body = f'<img src="{image}" alt="A rose in a bed" {size}>'
        site.page(f"/images/page-{count}", body=body)
    for count, rules in ((102_400, ()), (102_401, (large,))):
        image = f"/images/chunked-{count}.png"
        site.chunked_file(image, bytes(count), "image/png", *rules)
        body = f'<img src="{image}" alt="A rose in a bed" {size}>'
        site.page(f"/images/page-chunked-{count}", body=body)
    no_text = "Images: Missing Alt Text"
    _show(site, "empty", f'<img src="{{image}}" alt="" {size}>', no_text)
    _show(site, "blank", f'<img src="{{image}}" alt="  " {size}>', no_text)
    _show(site, "bare-alt", f'<img src="{{image}}" alt {size}>', no_text)
    empty = f'<img src="{{image}}" alt="" {size}>'
    nameless = "Accessibility: Links Must Have Discernible Text"
    no_anchor = "Links: Internal Outlinks With No Anchor Text"
    image = site.image("/images/link.png", no_text)
    body = f'<p><a href="/images/page-blank">{empty.format(image=image)}</a></p>'
    site.page("/images/page-link", nameless, no_anchor, body=body)
    for place in ("header", "footer", "nav"):
        _show(site, f"in-{place}", empty, place=f"<{place}>{{}}</{place}>")
    _plant_missing_alt(site, size)
    _plant_image_sizes(site)
    _plant_backgrounds(site)


def _plant_missing_alt(site: PlantedSite, size: str) -> None:
    no_attribute = "Images: Missing Alt Attribute"
    accessible = "Accessibility: Images Must Have Alternative Text"
    _show(site, "no-alt", f'<img src="{{image}}" {size}>', no_attribute, page=accessible)
    role = f'<img src="{{image}}" role="presentation" {size}>'
    _show(site, "no-alt-role", role, no_attribute)
    both = site.image("/images/both.png", no_attribute)
    site.page("/images/both-1", body=f'<img src="{both}" alt="A bed of roses" {size}>')
    site.page("/images/both-2", accessible, body=f'<img src="{both}" {size}>')
    over = "Images: Alt Text Over 100 Characters"
    _show(site, "alt-100", f'<img src="{{image}}" alt="{"a" * 100}" {size}>')
    _show(site, "alt-101", f'<img src="{{image}}" alt="{"a" * 101}" {size}>', over)


def _plant_image_sizes(site: PlantedSite) -> None:
    sizes = "Images: Missing Size Attributes"
    _show(site, "no-size", '<img src="{image}" alt="A bed of roses">', sizes)
    _show(site, "no-width", '<img src="{image}" alt="A bed of roses" height="9">', sizes)
    _show(site, "no-height", '<img src="{image}" alt="A bed of roses" width="9">', sizes)
    style = '<img src="{image}" alt="A bed of roses" style="width:9px;height:9px">'
    _show(site, "size-by-style", style, sizes)


def _plant_backgrounds(site: PlantedSite) -> None:
    inline = '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="" width="1" height="1">'
    site.page("/images/inline", body=inline)
    background = "Images: Background Images"
    _show(site, "background", '<div style="background-image: url({image})">A bed</div>', background)
    _show(
        site,
        "short-background",
        "<div style=\"background: red url('{image}')\">A bed</div>",
        background,
    )
    sheet = site.image("/images/sheet.png", background)
    site.page("/images/page-sheet", head=f"<style>p {{ background: url({sheet}) }}</style>")
