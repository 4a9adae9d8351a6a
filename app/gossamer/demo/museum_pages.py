"""Builds the demo site's museum pages: home, halls, species, register, glossary."""

from collections.abc import Iterator
from html import escape
from itertools import pairwise

from gossamer.demo.html_builder import (
    MUSEUM,
    Document,
    anchor,
    cards,
    facts,
    link_list,
    paragraph,
    picture,
)
from gossamer.demo.page_texts import DemoContent, Hall, Species

HOME = ("/", "Museum")
_COLLECTIONS = ("/collections/", "Collections")
_SPECIES = ("/species/", "Species")
_GLOSSARY = ("/glossary/", "Glossary")
REGISTER = "/collections/register.html"
LANGUAGES = {"en": "/", "de": "/de/", "zh": "/zh/", "ar": "/ar/"}


def exhibit_documents(content: DemoContent) -> Iterator[Document]:
    """Every page about spiders."""
    yield _front_door(content)
    yield _collections(content)
    for number, hall in enumerate(content.halls):
        yield _hall(content, hall, number)
    yield _register(content)
    yield _species_index(content)
    yield _species_by_family(content)
    around = [content.species[-1], *content.species, content.species[0]]
    for (before, species), (_, after) in pairwise(pairwise(around)):
        yield _species(content, species, before, after)
    yield from _glossary(content)


def mentions(text: str, species: Species) -> bool:
    """Whether a text mentions that species by its name, also in the plural."""
    return species.name.lower() in text.lower()


def _front_door(content: DemoContent) -> Document:
    newest = content.entries[:-4:-1]
    body = (
        picture("/assets/web-0.svg", "Garden spider's web, east railing, 6.40 in the morning")
        + paragraph(
            "Eighty species, eight halls and one roof garden on the old quay, and a great many "
            "spiders that are not on the payroll.",
            "lead",
        )
        + paragraph(
            "Gossamer is the name of the threads that drift over the fields on still days in "
            "autumn. Somebody let go of each of them, meaning to get somewhere. This house has "
            "collected the senders since it was a sail loft."
        )
        + paragraph("Come in September if you can, early, and begin with the railings outside.")
        + "<h2>The halls</h2>\n"
        + cards((hall.path, hall.name, hall.lead) for hall in content.halls)
        + "<h2>From the journal</h2>\n"
        + cards((entry.path, entry.title, entry.text) for entry in newest)
        + "<h2>Coming to see us</h2>\n"
        + link_list(
            [
                ("/visit/", "Plan your visit"),
                ("/book-now", "Book a ticket"),
                ("/thread/", "Follow the thread"),
                ("/visit/floor-plan.pdf", "Floor plan (PDF)"),
                ("/workshop/", "The workshop, where torn webs are kept"),
                ("/de/", "Deutsch"),
                ("/zh/", "中文"),
                ("/ar/", "العربية"),
            ]
        )
    )
    return Document(
        path="/",
        title=f"{MUSEUM}: spiders, silk and still days",
        headline=MUSEUM,
        description="A museum of spiders and silk on the old quay: eighty species in eight halls.",
        body=body,
        canonical="/",
        alternates=LANGUAGES,
    )


def _collections(content: DemoContent) -> Document:
    body = (
        paragraph("Each hall has ten cases. In most of them somebody is at home.", "lead")
        + cards((hall.path, hall.name, hall.text) for hall in content.halls)
        + "<h2>For readers</h2>\n"
        + link_list(
            [
                (REGISTER, "The accession register, complete"),
                ("/species/", "All species"),
                ("/glossary/", "Words on our labels"),
                ("/collections/dust/", "The collection of dust"),
            ]
        )
    )
    return Document(
        path="/collections/",
        title=_titled("Collections"),
        headline="Collections",
        description="Eight halls, from orb weavers to the cabinet of curiosities.",
        body=body,
        crumbs=(HOME,),
    )


def _hall(content: DemoContent, hall: Hall, number: int) -> Document:
    residents = [species for species in content.species if species.hall == hall.slug]
    following = content.halls[(number + 1) % len(content.halls)]
    body = (
        picture(f"/assets/web-{number}.svg", f"A web in the {hall.name}")
        + paragraph(hall.lead, "lead")
        + paragraph(hall.text)
        + "<h2>In the cases</h2>\n"
        + cards((species.path, species.name, species.text) for species in residents)
        + f"<p>The door at the far end leads to the {anchor(following.path, following.name)}.</p>\n"
    )
    return Document(
        path=hall.path,
        title=_titled(hall.name),
        headline=hall.name,
        description=hall.lead,
        body=body,
        crumbs=(HOME, _COLLECTIONS),
    )


def _register(content: DemoContent) -> Document:
    """The large page: about a megabyte of table."""
    register = content.register
    parts = [
        paragraph("Every specimen that was ever carried through the door, in one list.", "lead"),
        paragraph("It is long. The binder charged by weight.", "note"),
    ]
    accession = 0
    for species in content.species:
        parts.append(f"<h2>{anchor(species.path, species.latin)}</h2>\n<table>\n")
        for _ in range(register.lines_per_species):
            accession += 1
            # Steps without a common factor with the lengths: no line repeats for a long time.
            place = register.places[accession * 7 % len(register.places)]
            kept = register.kept[accession * 3 % len(register.kept)]
            remark = register.remarks[accession * 11 % len(register.remarks)]
            number = f"GM {1901 + accession * 125 // 10241}.{accession:05}"
            parts.append(
                f"<tr><td>{number}</td><td>{place}</td><td>{kept}</td><td>{remark}</td></tr>\n"
            )
        parts.append("</table>\n")
    return Document(
        path=REGISTER,
        title=_titled(
            "The accession register, complete, with places, manner of keeping, and the remarks "
            "of eleven keepers, most of whom did not agree with each other about the remarks"
        ),
        headline="The accession register",
        description="All specimens of the museum in one list.",
        body="".join(parts),
        crumbs=(HOME, _COLLECTIONS),
    )


def _species_index(content: DemoContent) -> Document:
    in_order = sorted(content.species, key=lambda species: species.name)
    body = (
        paragraph("Eighty of them, by the names that they are called on the stairs.", "lead")
        + f"<p>Also {anchor('/species/?by=family', 'by family')}, for those who know it.</p>\n"
        + link_list(((species.path, species.name) for species in in_order), "columns")
    )
    return Document(
        path="/species/",
        title=_titled("Species"),
        headline="Species",
        description="All eighty species of the museum by name.",
        body=body,
        canonical="/species/",
        crumbs=(HOME,),
    )


def _species_by_family(content: DemoContent) -> Document:
    families = sorted({species.family for species in content.species})
    body = f"<p>Back to the list {anchor('/species/', 'by name')}.</p>\n"
    for family in families:
        members = [species for species in content.species if species.family == family]
        body += f"<h2>{family}</h2>\n"
        body += link_list((species.path, species.latin) for species in members)
    return Document(
        path="/species/?by=family",
        title=_titled("Species"),
        headline="Species by family",
        description="All eighty species of the museum by name.",
        body=body,
        canonical="/species/",
        crumbs=(HOME, _SPECIES),
    )


def _species(content: DemoContent, species: Species, before: Species, after: Species) -> Document:
    number = next(at for at, hall in enumerate(content.halls) if hall.slug == species.hall)
    hall = content.halls[number]
    told = [entry for entry in content.entries if mentions(entry.text, species)]
    body = (
        picture(f"/assets/web-{number}.svg", f"From the {hall.name}")
        + paragraph(species.latin, "latin")
        + paragraph(species.text, "lead")
        + facts(
            [
                ("Family", escape(species.family)),
                ("Length", f"{species.length_mm} mm without the legs"),
                ("Lives in", escape(species.range)),
                ("On show", anchor(hall.path, hall.name)),
            ]
        )
    )
    if told:
        body += "<h2>In the journal</h2>\n"
        body += link_list((entry.path, entry.title) for entry in told)
    body += "<h2>In the next cases</h2>\n"
    body += cards((other.path, other.name, other.latin) for other in (before, after))
    return Document(
        path=species.path,
        title=_titled(f"{species.name} ({species.latin})"),
        headline=species.name,
        description=species.text,
        body=body,
        canonical=species.path,
        crumbs=(HOME, _SPECIES),
    )


def _glossary(content: DemoContent) -> Iterator[Document]:
    """The glossary and its terms, none of which has a description."""
    body = paragraph("Words on our labels that you may not need at home.", "lead")
    body += "".join(
        f'<h2 id="{term.word.lower().replace(" ", "-")}">{anchor(term.path, term.word)}</h2>\n'
        + paragraph(term.text)
        for term in content.terms
    )
    yield Document(
        path="/glossary/",
        title=_titled("Glossary"),
        headline="Glossary",
        body=body,
        crumbs=(HOME,),
    )
    for term in content.terms:
        others = [
            (f"/glossary/#{other.word.lower().replace(' ', '-')}", other.word)
            for other in content.terms
            if other is not term and other.word[0] == term.word[0]
        ]
        yield Document(
            path=term.path,
            title=_titled(term.word),
            headline=term.word,
            body=paragraph(term.text, "lead") + (link_list(others) if others else ""),
            crumbs=(HOME, _GLOSSARY),
        )


def _titled(name: str) -> str:
    return f"{name} · {MUSEUM}"
