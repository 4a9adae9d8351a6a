"""Builds the demo site's journal, shop and hand-written pages."""

from collections.abc import Iterator
from html import escape

from gossamer.demo.html_builder import (
    MUSEUM,
    Document,
    anchor,
    cards,
    link_list,
    paragraph,
    picture,
)
from gossamer.demo.museum_pages import HOME, mentions
from gossamer.demo.page_texts import DemoContent, JournalEntry, Product, ShopSection, WrittenPage

_JOURNAL = ("/journal/", "Journal")
_SHOP = ("/shop/", "Shop")
_PER_SHELF = 12
_LANGUAGES = {"en": "English", "de": "Deutsch", "zh": "中文", "ar": "العربية"}
_CHARSETS_NAMED_BY_HEADER = {"utf-8", "iso-8859-1"}


def content_type_of(document: Document) -> str:
    """The Content-Type header: it names the charset unless only the document may do so."""
    if document.charset in _CHARSETS_NAMED_BY_HEADER:
        return f"text/html; charset={document.charset}"
    return "text/html"


def journal_documents(content: DemoContent) -> Iterator[Document]:
    """The journal: its front page, one page for each year, one for each entry."""
    years = sorted({entry.date.year for entry in content.entries}, reverse=True)
    body = (
        paragraph("What happened, once a month, in the words of whoever was there.", "lead")
        + link_list([(f"/journal/{year}/", str(year)) for year in years])
        + "<p>Before 2019 it was kept on cards, and "
        + anchor("/journal/2018/", "the cards of 2018")
        + " were eaten. There is "
        + anchor("/journal/feed.xml", "a feed")
        + " for those who cannot wait.</p>\n"
    )
    yield Document(
        path="/journal/",
        title=_titled("Journal"),
        headline="Journal",
        description="The museum's journal, a page a month since 2019.",
        body=body,
        crumbs=(HOME,),
        feed=True,
    )
    for year in years:
        yield _year(year, [entry for entry in content.entries if entry.date.year == year])
    for number, entry in enumerate(content.entries):
        neighbours = content.entries[max(number - 1, 0) : number + 2]
        yield _entry(content, entry, [other for other in neighbours if other is not entry])


def feed(content: DemoContent, origin: str) -> str:
    """An RSS feed of the last twelve entries."""
    items = "".join(
        f"<item><title>{escape(entry.title)}</title><link>{origin}{escape(entry.path)}</link>"
        f"<description>{escape(entry.text)}</description></item>\n"
        for entry in content.entries[:-13:-1]
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel>'
        f"<title>{MUSEUM}</title><link>{origin}/journal/</link>"
        f"<description>A page a month</description>\n{items}</channel></rss>\n"
    )


def shop_documents(content: DemoContent) -> Iterator[Document]:
    """The shop: two shelves, three sections, and the products."""
    shelves = [content.products[:_PER_SHELF], content.products[_PER_SHELF:]]
    for number, shelf in enumerate(shelves, 1):
        yield _shelf(content, shelf, number, len(shelves))
    # A first page under its second address: what canonical links are for.
    first = _shelf(content, shelves[0], 1, len(shelves))
    yield Document(
        path="/shop/?page=1",
        title=first.title,
        headline=first.headline,
        description=first.description,
        body=first.body,
        canonical="/shop/",
        crumbs=first.crumbs,
    )
    for section in content.sections:
        yield _section(section, [p for p in content.products if p.section == section.slug])
        for product in content.products:
            if product.section == section.slug:
                yield _product(product, section)


def written_documents(content: DemoContent) -> Iterator[Document]:
    """The pages written one by one, and the page of old addresses."""
    for page in content.pages:
        yield _written(page)
    yield _old_addresses(content)


def _year(year: int, entries: list[JournalEntry]) -> Document:
    return Document(
        path=f"/journal/{year}/",
        title=_titled(f"Journal {year}"),
        headline=f"Journal of {year}",
        description=f"What happened at the museum in {year}.",
        body=cards((entry.path, entry.title, entry.text) for entry in entries),
        crumbs=(HOME, _JOURNAL),
        feed=True,
    )


def _entry(content: DemoContent, entry: JournalEntry, neighbours: list[JournalEntry]) -> Document:
    species = [one for one in content.species if mentions(entry.text, one)]
    body = (
        paragraph(f"{entry.date:%d %B %Y}".lstrip("0"), "note")
        + paragraph(entry.text, "lead")
        + paragraph(content.seasons[f"{entry.date:%m}"])
    )
    if species:
        body += "<h2>Who was there</h2>\n"
        body += cards((one.path, one.name, one.latin) for one in species)
    body += "<h2>Before and after</h2>\n"
    body += link_list((other.path, other.title) for other in neighbours)
    year = entry.date.year
    return Document(
        path=entry.path,
        title=_titled(entry.title),
        headline=entry.title,
        description=entry.text,
        body=body,
        crumbs=(HOME, _JOURNAL, (f"/journal/{year}/", str(year))),
        feed=True,
    )


def _shelf(content: DemoContent, products: list[Product], number: int, shelves: int) -> Document:
    pages = [
        ("/shop/" if page == 1 else f"/shop/?page={page}", f"Shelf {page}")
        for page in range(1, shelves + 1)
    ]
    if number > 1:
        pages.append(("/shop/?page=1", "Back to the first shelf"))
    body = (
        "<h1>This month: bricks</h1>\n"
        + paragraph("All proceeds go to the upkeep of the railings.", "lead")
        + link_list((section.path, section.name) for section in content.sections)
        + cards((product.path, product.name, product.text) for product in products)
        + link_list([*pages, ("/shop/silk-hat.html", "Silk hat (the last one)")])
    )
    return Document(
        path=pages[number - 1][0],
        title=_titled("Shop" if number == 1 else f"Shop, shelf {number}"),
        headline="Shop",
        description="Books, paper and things for the field.",
        body=body,
        crumbs=(HOME,),
    )


def _section(section: ShopSection, products: list[Product]) -> Document:
    return Document(
        path=section.path,
        title=_titled(section.name),
        headline=section.name,
        description=section.text,
        body=paragraph(section.text, "lead")
        + cards((product.path, product.name, product.text) for product in products),
        crumbs=(HOME, _SHOP),
    )


def _product(product: Product, section: ShopSection) -> Document:
    price = "free" if product.price == "0.00" else f"{product.price} €"
    body = (
        paragraph(product.text, "lead")
        + paragraph(f"Price: {price}. Sold at the desk and by post.")
        + link_list(
            [
                ("/shop/gift-card", "Give it as a gift card"),
                (f"https://example.com/post?to=you&item={product.slug}", "Postage"),
            ]
        )
    )
    return Document(
        path=product.path,
        title=_titled(product.name),
        headline=product.name,
        description=product.text,
        body=body,
        crumbs=(HOME, _SHOP, (section.path, section.name)),
    )


def _written(page: WrittenPage) -> Document:
    lead, *rest = page.text
    # What is said to search engines in the head is also a link for people: real sites do so,
    # and it makes the site's shape independent of whether a crawler follows such hints.
    languages = [
        (path, _LANGUAGES[lang]) for lang, path in page.alternates.items() if path != page.path
    ]
    body = paragraph(lead, "lead") + "".join(map(paragraph, rest)) + link_list(page.links)
    if page.delay_s:
        body = picture("/assets/web-5.svg", "Still life") + body
    if languages:
        body += link_list(languages, "note")
    return Document(
        path=page.path,
        title=_titled(page.title) if page.title else "",
        headline=page.title if page.headline is None else page.headline,
        description=page.description,
        lang=page.lang,
        charset=page.charset,
        body=body,
        crumbs=(HOME,),
        robots=page.robots,
        refresh=page.refresh,
        canonical=page.canonical,
        alternates=page.alternates,
    )


def _old_addresses(content: DemoContent) -> Document:
    """Every first address of a redirect is linked here, so that none is out of reach."""
    redirects = content.redirects
    chains = [(chain.steps[0], chain.steps[0]) for chain in redirects.chain]
    species = content.species[:_PER_SHELF]
    body = (
        paragraph(
            "The museum has moved house on paper more often than on land. These addresses are "
            "printed on bags, tickets and one tram, and every one of them should still lead "
            "somewhere.",
            "lead",
        )
        + "<h2>Signs and bags</h2>\n"
        + link_list([(start, start) for start, _, _ in redirects.moved] + chains, "columns")
        + "<h2>The old catalogue</h2>\n"
        + link_list(
            (f"/spider.php?id={number}", f"{one.name}, in the old catalogue")
            for number, one in enumerate(species, 1)
        )
        + "<h2>Doors that are shut</h2>\n"
        + link_list((error.path, error.path) for error in content.errors if error.path != NOT_FOUND)
        + link_list([("/staff/rota.html", "The rota (keepers only)")])
    )
    return Document(
        path="/about/old-addresses.html",
        title=_titled("Our old addresses"),
        headline="Our old addresses",
        description="Where the museum used to be on the web, and where that leads now.",
        body=body,
        crumbs=(HOME, ("/about/", "About")),
    )


NOT_FOUND = "/404"
"""The file with the response for unknown addresses."""


def _titled(name: str) -> str:
    return f"{name} · {MUSEUM}"
