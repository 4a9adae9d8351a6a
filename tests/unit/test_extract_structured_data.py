import json
from typing import Any

import pytest

from gossamer.extract.structured_data.data_items import (
    DataFormat,
    Item,
    StructuredData,
)
from gossamer.extract.structured_data.structured_data_reader import structured_data
from gossamer.extract.structured_data.vocabulary import schema_org
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.messages.page_contents_messages import FaultKind
from gossamer.model.settings.request_settings import Parser
from tests.cases import each_case
from tests.fakes.page_facts import content_of, facts_of

both_parsers = pytest.mark.parametrize("parser", list(Parser))
FLAGS = (
    ContentFlag.JSON_LD
    | ContentFlag.MICRODATA
    | ContentFlag.RDFA
    | ContentFlag.STRUCTURED_DATA_PARSE_ERROR
    | ContentFlag.STRUCTURED_DATA_ERROR
    | ContentFlag.STRUCTURED_DATA_WARNING
    | ContentFlag.RICH_RESULT_ERROR
    | ContentFlag.RICH_RESULT_WARNING
    | ContentFlag.RICH_RESULT_FEATURE
)
RECIPE = {"name": "Soup", "image": "/soup.jpg"}
PERSON = ("Person", list[Any]())
OFFER = {
    "@type": "Offer",
    "price": "9.50",
    "priceCurrency": "EUR",
    "availability": "https://schema.org/InStock",
}


def script(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def json_ld(kind: str | None = None, /, **properties: Any) -> str:
    data: dict[str, Any] = {"@context": "https://schema.org", **properties}
    if kind:
        data["@type"] = kind
    return script(json.dumps(data))


def read(html: str) -> StructuredData:
    return structured_data(html.encode())


def faults(html: str, kind: FaultKind) -> list[str]:
    return [fault.name for fault in read(html).faults if fault.kind is kind]


def tree(item: Item) -> tuple[Any, ...]:
    """An item as types and properties, for comparisons."""
    values = [(n, tree(v) if isinstance(v, Item) else v) for n, v in item.properties]
    return (*item.types, values)


# ---------------------------------------------------------------- JSON-LD


@each_case("parser", list(Parser))
@each_case(
    ("media_type", "is_read"),
    [
        ("Application/LD+JSON", True),
        (" application/ld+json ; charset=utf-8", True),
        ("application/json", False),
        ("text/plain;application/ld+json", False),
    ],
)
def test_the_type_of_a_script_says_whether_it_is_json_ld(
    media_type: str, is_read: bool, parser: Parser
) -> None:
    html = json_ld("Thing", name="x").replace("application/ld+json", media_type)
    html = html.replace("type=", "TYPE=")
    found = content_of(parser, body=html) & ContentFlag.JSON_LD
    assert bool(found) is bool(read(html).items) is is_read


def test_json_ld_is_read_with_nested_items_lists_and_numbers() -> None:
    data = json_ld(
        "Recipe",
        name=" Soup\n of the day ",
        author={"@type": "Person", "name": "A"},
        keywords=["a", ["b"], {"@value": "c"}],
        recipeYield=4,
        video=None,
    )
    assert [tree(item) for item in read(data).items] == [
        (
            "Recipe",
            [
                ("name", "Soup of the day"),
                ("author", ("Person", [("name", "A")])),
                *(("keywords", "a"), ("keywords", "b"), ("keywords", "c")),
                ("recipeYield", "4"),
                ("video", ""),
            ],
        )
    ]


def test_graphs_lists_and_several_scripts_are_read() -> None:
    graph = script(
        '{"@context": ["https://schema.org/"], "@graph": [{"@type": "WebSite"}, '
        '{"@type": ["WebPage", "FAQPage"]}]}'
    )
    several = script('[{"@context": {"@vocab": "http://schema.org/"}, "@type": "Person"}]')
    types = [item.types for item in read(graph + several).items]
    assert types == [("WebSite",), ("WebPage", "FAQPage"), ("Person",)]


def test_an_object_with_a_graph_may_be_an_item_itself() -> None:
    data = script(
        '{"@context": "https://schema.org", "@type": "WebPage", "name": "A", '
        '"@graph": [{"@type": "Person"}]}'
    )
    assert [tree(item) for item in read(data).items] == [
        ("WebPage", [("name", "A")]),
        ("Person", []),
    ]


def test_names_may_be_addresses() -> None:
    data = script(
        '{"@context": "http://schema.org", "@type": "http://schema.org/Person",'
        ' "https://schema.org/name": "A", "schema:url": "/a", "foaf:knows": "b"}'
    )
    assert tree(read(data).items[0]) == (
        "Person",
        [("name", "A"), ("url", "/a"), ("foaf:knows", "b")],
    )
    assert read(data).faults == []


@each_case(
    "context",
    [
        '{"s": "https://schema.org/"}',
        '["https://example.com/", {"@version": 1.1, "s": "http://schema.org/", "x": {"@id": "y"}}]',
    ],
)
def test_names_may_have_a_prefix_that_the_context_declares(context: str) -> None:
    data = f'{{"@context": {context}, "@type": "s:Person", "s:name": "A", "x:name": "b"}}'
    item = read(script(data) + script(data.replace(context, '"https://schema.org"'))).items
    assert tree(item[0]) == ("Person", [("name", "A"), ("x:name", "b")])
    assert tree(item[1]) == ("s:Person", [("s:name", "A"), ("x:name", "b")])


def test_prefixes_are_declared_for_the_object_with_the_context_and_what_is_in_it() -> None:
    own = {"@context": {"t": "https://schema.org/"}, "@type": "t:Offer", "s:price": "1"}
    thing = {"@type": "s:Product", "s:offers": own, "t:sku": "2"}
    data = {"@context": {"s": "https://schema.org/"}, "@graph": [own, thing]}
    first, second = read(script(json.dumps(data))).items
    assert tree(first) == ("Offer", [("price", "1")])
    assert tree(second) == ("Product", [("offers", ("Offer", [("price", "1")])), ("t:sku", "2")])


@each_case(
    ("context", "name", "read_as"),
    [
        ('{"nick": "https://schema.org/alternateName"}', "nick", "alternateName"),
        ('{"nick": {"@id": "schema:alternateName"}}', "nick", "alternateName"),
        ('{"s": "https://schema.org/", "nick": "s:name"}', "nick", "name"),
        ('{"s": {"@id": "https://schema.org/", "@prefix": true}}', "s:name", "name"),
        ('{"shoe": "https://x.example/shoe"}', "shoe", "https://x.example/shoe"),
        ('{"shoe": {"@id": "https://x.example/shoe"}}', "shoe", "https://x.example/shoe"),
        ('{"@vocab": "https://x.example/"}', "shoe", "https://x.example/shoe"),
        ('{"@vocab": "https://schema.org/"}', "name", "name"),
        ('{"name": {"@language": "en"}}', "name", "name"),
        ('{"@language": "en"}', "name", "name"),
    ],
)
def test_contexts_define_names(context: str, name: str, read_as: str) -> None:
    """JSON-LD 1.1, §3.1: of a name that is of another vocabulary, schema.org says nothing."""
    person = {"@context": ["https://schema.org", json.loads(context)], "@type": "schema:Person"}
    data = read(script(json.dumps({**person, name: "A"})))
    assert tree(data.items[0]) == ("Person", [(read_as, "A")])
    assert data.faults == []


def test_a_name_that_the_context_sets_to_null_is_dropped() -> None:
    person = {"@context": ["https://schema.org", {"shoe": None}], "@type": "Person", "shoe": "x"}
    assert tree(read(script(json.dumps(person))).items[0]) == ("Person", [])


def test_a_name_for_the_reverse_of_a_property_is_dropped_as_is_the_keyword() -> None:
    context = {"isKnownBy": {"@reverse": "schema:knows"}}
    person = {"@context": ["https://schema.org", context], "@type": "Person", "isKnownBy": "#b"}
    assert tree(read(script(json.dumps(person))).items[0]) == ("Person", [])


def test_contexts_inside_others_add_to_them() -> None:
    firm = {"@context": {"title": None}, "@type": "Organization", "title": "T", "nome": "B"}
    assert faults(json_ld("Person", worksFor=firm), FaultKind.UNKNOWN_PROPERTY) == ["nome"]
    other = {"@context": "https://x.example/", "@type": "Firm", "nome": "B"}
    assert read(json_ld("Person", worksFor=other)).faults == []


@each_case("aliases", [{"id": "@id", "type": "@type"}, {}])
def test_keywords_may_have_other_names(aliases: dict[str, str]) -> None:
    """schema.org's own context calls two of them `id` and `type`."""
    data = {"@context": ["https://schema.org", aliases], "type": "Person", "id": "#a", "name": "A"}
    [item] = read(script(json.dumps(data))).items
    assert (item.id, tree(item)) == ("#a", ("Person", [("name", "A")]))


def test_addresses_need_no_context() -> None:
    data = {"@type": "https://schema.org/Person", "https://schema.org/name": "A"}
    assert read(script(json.dumps(data))).faults == []
    wrong = {"@type": ["https://schema.org/Person"], "http://schema.org/nome": "A"}
    [fault] = read(script(json.dumps([wrong]))).faults
    assert (fault.kind, fault.name) == (FaultKind.UNKNOWN_PROPERTY, "nome")
    [fault] = read(script(json.dumps({"@graph": [{**data, "email": "x"}]}))).faults
    assert fault.kind is FaultKind.NO_CONTEXT


def test_any_number_of_prefixes_takes_no_longer_to_look_up() -> None:
    """Whether each name begins with each of them would take minutes."""
    prefixes = {f"p{number}": "https://schema.org/" for number in range(20_000)}
    names = {f"p{number}:name": "x" for number in range(20_000)}
    [item] = read(script(json.dumps({"@context": prefixes, **names}))).items
    assert {name for name, _ in item.properties} == {"name"}


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ('{"a": 1,}', "JSON is malformed: trailing comma in object (line 1, column 9)"),
        ('\n{"ä": 1\n "b": 2}', "JSON is malformed: expected ',' or '}' (line 3, column 2)"),
        ('{"a": ', "Input data was truncated (line 1, column 6)"),
        ('{"a": 1}\n;', "JSON is malformed: trailing characters (line 2, column 1)"),
        ("[1]]", "JSON is malformed: trailing characters (line 1, column 4)"),
        (
            '["\\x41"]',
            "JSON is malformed: invalid escape character in string (line 1, column 4)",
        ),
        (
            '["\\u12G4"]',
            "JSON is malformed: invalid character in unicode escape (line 1, column 7)",
        ),
        ('\n{\n "a": 1\n\n', "Input data was truncated (line 3, column 8)"),
        ("[" * 100_000, "JSON is nested too deeply"),
    ],
)
def test_json_that_cannot_be_read_is_reported_with_its_place(text: str, detail: str) -> None:
    [fault] = read(script(text)).faults
    assert (fault.kind, fault.detail) == (FaultKind.PARSE_ERROR, detail)


@each_case(
    ("text", "value"),
    [
        (r'"Caf\ud83d"', "Caf�"),
        ("1E400", "inf"),
        ("-0.0e-5", "-0.0"),
    ],
)
def test_json_that_few_programs_write_is_read(text: str, value: str) -> None:
    """RFC 8259 allows half an emoji, as cut texts have, and numbers of any size (§6, §8.2)."""
    data = read(script(f'{{"@context": "https://schema.org", "@type": "Person", "name": {text}}}'))
    assert tree(data.items[0]) == ("Person", [("name", value)])
    assert data.faults == []


@each_case("text", ["NaN", "Infinity", "-Infinity", r'"\ud83d", "x": NaN', "9" * 5_000 + "x"])
def test_what_only_python_takes_for_json_is_none(text: str) -> None:
    [fault] = read(script(f'{{"@context": "https://schema.org", "name": {text}}}')).faults
    assert fault.kind is FaultKind.PARSE_ERROR


def test_json_without_vocabulary_is_reported() -> None:
    [fault] = read(script('{"@type": "Person", "nonsense": 1}')).faults
    assert (fault.kind, fault.subject) == (FaultKind.NO_CONTEXT, "Person")
    other = script('{"@context": "https://other.example/", "@type": "X", "y": 1}')
    assert read(other).faults == []


@each_case("text", ["", " \n", "1", '"x"', "null", "[1, null]"])
def test_json_without_items_has_none(text: str) -> None:
    assert read(script(text)) == ([], [], {})


def test_what_is_nested_without_end_is_cut() -> None:
    text = '{"@type":"Thing","about":' * 400 + "1" + "}" * 400
    data = read(script('{"@context":"https://schema.org",' + text[1:]))
    assert len(data.items) == 1


# ---------------------------------------------------------------- Microdata and RDFa


MICRODATA = """
<div itemscope itemtype="https://schema.org/Product" itemref="more gone">
  <h1 itemprop="name">A <b>teapot</b></h1>
  <img itemprop="image" src="/a.jpg"><meta itemprop="sku" content=" 1 ">
  <a itemprop="url" href="/a">x</a><time itemprop="releaseDate" datetime="2026">x</time>
  <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
    <span itemprop="price priceCurrency">5</span>
  </div>
  <div itemscope itemtype="https://schema.org/Person"><i itemprop="name">Somebody else</i></div>
</div>
<div id="more"><span itemprop="color">red</span>
  <div itemprop="brand" itemscope itemtype="https://schema.org/Brand"><i itemprop="name">B</i></div>
</div>
"""


def test_microdata_is_read_by_the_standard() -> None:
    items = read(MICRODATA).items
    assert [tree(item) for item in items] == [
        (
            "Product",
            [
                ("name", "A teapot"),
                ("image", "/a.jpg"),
                ("sku", "1"),
                ("url", "/a"),
                ("releaseDate", "2026"),
                ("offers", ("Offer", [("price", "5"), ("priceCurrency", "5")])),
                ("color", "red"),
                ("brand", ("Brand", [("name", "B")])),
            ],
        ),
        ("Person", [("name", "Somebody else")]),
    ]
    assert {item.format for item in items} == {DataFormat.MICRODATA}


def test_no_item_of_microdata_ends_up_in_itself() -> None:
    html = """
    <div id=a itemscope itemref="a b c"><i itemprop=name>A</i></div>
    <div id=b itemprop=x itemscope itemref=c><i itemprop=name>B</i></div>
    <div id=c itemprop=y itemscope itemref=b><i itemprop=name>C</i></div>
    <div id=d itemscope><div itemprop=z itemscope itemref=d><i itemprop=name>D</i></div></div>
    <div id=e itemscope itemref='e" f'><i itemprop=name>E</i></div>
    """
    assert [tree(item) for item in read(html).items] == [
        ([("name", "A")],),
        ([("z", ([("name", "D")],))],),
        ([("name", "E")],),
    ]


@each_case(
    "html",
    [
        script(json.dumps({"@context": "https://schema.org", "a": list(range(300_000))})),
        script(json.dumps({"@context": "https://schema.org", "a": [{"b": 1}] * 20_000})),
        "<div itemprop=a itemscope>" * 3_000,
        "<i itemscope itemref=x></i>" * 3_000 + "<b id=x>" + "<i itemprop=a>b</i>" * 3_000,
        "<p vocab=https://schema.org/ typeof=A property=b>" * 3_000,
    ],
)
def test_of_too_much_only_a_part_is_read(html: str) -> None:
    items = read(html).items
    assert len(items) <= 2_000
    assert sum(len(item.properties) for item in items) <= 22_000


def test_rdfa_lite_is_read() -> None:
    html = """
    <div vocab="https://schema.org/" typeof="Person"><b property="name">A</b>
      <div property="address" typeof="PostalAddress"><i property="addressLocality">B</i></div>
      <a property="url" href="/a">x</a><span property="foaf:nick" content="n">x</span>
    </div>
    <p prefix="s: https://schema.org/" typeof="s:Event"><b property="s:name">C</b></p>
    """
    items = read(html).items
    assert [tree(item) for item in items] == [
        (
            "Person",
            [
                ("name", "A"),
                ("address", ("PostalAddress", [("addressLocality", "B")])),
                ("url", "/a"),
                ("http://xmlns.com/foaf/0.1/nick", "n"),
            ],
        ),
        ("Event", [("name", "C")]),
    ]
    assert {item.format for item in items} == {DataFormat.RDFA}


@each_case(
    "markup",
    ['<div xmlns:s="http://schema.org/"><p{}</p></div>', '<p xmlns:S="https://schema.org/"{}</p>'],
)
def test_rdfa_may_declare_prefixes_as_namespaces(markup: str) -> None:
    html = markup.format(' typeof="s:Person"><b property="s:name og:title">A</b>')
    [item] = read(html).items
    assert (item.is_known, tree(item)) == (True, ("Person", [("name", "A")]))


@each_case(
    "html",
    [
        '<meta property="og:title" content="x">',
        '<html xmlns:og="http://ogp.me/ns#"><meta property="og:title" content="x">',
        '<figure typeof="mw:File"><span property="x">y</span></figure>',
        '<p typeof="">x</p>',
        '<i itemprop="name">x</i>',
        '<b property="name">x</b>',
    ],
)
def test_what_is_no_structured_data(html: str) -> None:
    assert read(html).items == []


# ---------------------------------------------------------------- faults


def test_the_vocabulary_knows_types_and_properties() -> None:
    vocabulary = schema_org()
    assert vocabulary.kinds(("Restaurant",)) >= {"Restaurant", "LocalBusiness", "Thing"}
    assert "Product" in vocabulary.properties["offers"].types
    assert vocabulary.properties["awards"].superseded_by == "award"
    assert not [
        name
        for name, known in vocabulary.properties.items()
        if known.superseded_by and known.superseded_by not in vocabulary.properties
    ]


@each_case(
    ("html", "kind", "names"),
    [
        (json_ld("Person", name="A"), FaultKind.UNKNOWN_TYPE, []),
        (json_ld("Persona", name="A"), FaultKind.UNKNOWN_TYPE, ["Persona"]),
        (json_ld("https://other.example/X", name="A"), FaultKind.UNKNOWN_TYPE, []),
        (json_ld("Person", nome="A"), FaultKind.UNKNOWN_PROPERTY, ["nome"]),
        (json_ld("Person", nome=["A", "B"]), FaultKind.UNKNOWN_PROPERTY, ["nome"]),
        (json_ld("Person", **{"ex:nome": "A"}), FaultKind.UNKNOWN_PROPERTY, []),
        (json_ld("SearchAction", **{"query-input": "x"}), FaultKind.UNKNOWN_PROPERTY, []),
        (json_ld("Person", recipeYield="1"), FaultKind.MISPLACED_PROPERTY, ["recipeYield"]),
        (json_ld("Persona", recipeYield="1"), FaultKind.MISPLACED_PROPERTY, []),
        (json_ld("Restaurant", servesCuisine="x"), FaultKind.MISPLACED_PROPERTY, []),
        (json_ld(None, recipeYield="1"), FaultKind.MISPLACED_PROPERTY, []),
        (json_ld("Person", awards="x"), FaultKind.SUPERSEDED_PROPERTY, ["awards"]),
        (json_ld("Person", knows={"nome": 1}), FaultKind.UNKNOWN_PROPERTY, ["nome"]),
    ],
)
def test_faults_against_the_vocabulary(html: str, kind: FaultKind, names: list[str]) -> None:
    assert faults(html, kind) == names


@each_case(
    ("html", "required"),
    [
        (json_ld("Recipe", **RECIPE), []),
        (json_ld("Recipe", name=" "), ["name", "image"]),
        (json_ld("Product", name="A"), ["review|aggregateRating|offers"]),
        (json_ld("Product", name="A", image="i", offers=OFFER), []),
        (json_ld("Product", name="A", offers=OFFER), ["image"]),
        (
            json_ld("Product", name="A", image="i", offers={"@type": "Offer", "price": "1"}),
            ["offers.priceCurrency|offers.priceSpecification.priceCurrency"],
        ),
        (
            json_ld("Product", name="A", image="i", offers={
                "@type": "Offer",
                "priceSpecification": {
                    "@type": "PriceSpecification", "price": 1, "priceCurrency": "EUR",
                },
            }),
            [],
        ),
        (
            json_ld("Product", name="A", offers={"@type": "Offer"}),
            ["price|priceSpecification.price"],
        ),
        (
            json_ld("Product", name="A", offers={"@type": "AggregateOffer", "lowPrice": 1}),
            ["priceCurrency"],
        ),
        (json_ld("Event", name="A", startDate="2026", location={"@type": "Place"}), [
            "location.address|location.url"
        ]),
        (json_ld("Event", name="A", startDate="2026"), ["location"]),
        (json_ld("QAPage"), ["mainEntity"]),
        (
            json_ld("QAPage", mainEntity={
                "@type": "Question", "name": "?", "answerCount": 1,
                "acceptedAnswer": {"@type": "Answer"},
            }),
            ["mainEntity.acceptedAnswer.text"],
        ),
        (
            json_ld("QAPage", mainEntity={
                "@type": "Question", "text": "?", "answerCount": 2, "suggestedAnswer": [
                    {"@type": "Answer", "text": "A"}, {"@type": "Answer", "url": "#b"},
                ],
            }),
            ["mainEntity.name", "mainEntity.suggestedAnswer.text"],
        ),
        (
            json_ld("BreadcrumbList", itemListElement=[
                {"@type": "ListItem", "position": 1, "name": "A", "item": "/"},
                {"@type": "ListItem", "name": "B"},
            ]),
            ["position"],
        ),
        (
            json_ld("BreadcrumbList", itemListElement=[
                {"@type": "ListItem", "position": 2, "name": "B"},
                {"@type": "ListItem", "position": 1, "name": "A", "item": "/"},
            ]),
            [],
        ),
        (
            json_ld("BreadcrumbList", itemListElement=[
                {"@type": "ListItem", "position": 1, "name": "A", "item": " "},
                {"@type": "ListItem", "position": 2, "name": "B", "item": {"@id": "/b"}},
            ]),
            ["itemListElement.item"],
        ),
        (
            json_ld("BreadcrumbList", itemListElement=[
                {"@type": "ListItem", "position": "1", "name": "A"},
                {"@type": "ListItem", "position": "10", "name": "C"},
                {"@type": "ListItem", "position": "9", "name": "B", "item": "/b"},
            ]),
            ["itemListElement.item"],
        ),
        (
            json_ld("BreadcrumbList", itemListElement=[
                {"@type": "ListItem", "position": "first", "name": "A", "item": "/"},
                {"@type": "ListItem", "position": "last", "name": "B"},
            ]),
            [],
        ),
        (
            json_ld("BreadcrumbList", itemListElement={
                "@type": "ListItem", "position": 1, "name": "A",
            }),
            [],
        ),
        (
            json_ld("Recipe", **RECIPE, video={"@type": "VideoObject", "name": "A"}),
            ["thumbnailUrl", "uploadDate"],
        ),
        (json_ld("Review", reviewRating={"@type": "Rating"}, author="A"), [
            "itemReviewed", "reviewRating.ratingValue"
        ]),
        (
            json_ld("Recipe", **RECIPE, aggregateRating={
                "@type": "AggregateRating", "ratingValue": 4, "ratingCount": 9,
            }),
            [],
        ),
        (
            json_ld("Recipe", **RECIPE, aggregateRating={"@type": "AggregateRating"}),
            ["ratingValue", "ratingCount|reviewCount"],
        ),
        (json_ld("LocalBusiness", name="A"), ["address"]),
        (json_ld("Bakery", name="A"), ["address"]),
        (json_ld("Organization"), []),
        (json_ld("Article"), []),
        (json_ld("VideoObject", name="A", uploadDate="2026"), ["thumbnailUrl"]),
        (json_ld("JobPosting", title="A", description="B", datePosted="2026",
                 hiringOrganization="C", applicantLocationRequirements="D"), []),
        (json_ld("WebPage", publisher={"@type": "LocalBusiness"}), []),
        (json_ld("Person", name="A"), []),
    ],
)  # fmt: skip
def test_what_rich_results_require(html: str, required: list[str]) -> None:
    assert faults(html, FaultKind.MISSING_REQUIRED) == required


_RENTAL = {
    "containsPlace": {"@type": "Accommodation", "occupancy": {"@type": "QuantitativeValue"}},
    "image": ["/1.jpg"],
    "geo": {"@type": "GeoCoordinates", "latitude": 47.12345},
}
_JOB = {"title": "A", "description": "B", "datePosted": "2026", "hiringOrganization": "C"}
_PLACE = {"@type": "Place", "address": {"@type": "PostalAddress", "addressCountry": "AT"}}
_VIDEO = {"name": "A", "thumbnailUrl": "/a.jpg", "uploadDate": "2026"}
_POST = {"author": {"@type": "Person", "name": "A"}, "datePublished": "2026", "text": "B"}


@each_case(
    ("html", "required"),
    [
        (json_ld("ImageObject", name="A"), []),
        (json_ld("ImageObject", contentUrl="/a.jpg"), []),
        (json_ld("ImageObject", creditText="A"), ["contentUrl|url"]),
        (json_ld("ImageObject", creditText="A", url="/a.jpg"), []),
        (json_ld("ImageObject", contentUrl="/a.jpg", acquireLicensePage="/buy"), [
            "creator|creditText|copyrightNotice|license"
        ]),
        (json_ld("Recipe", name="Soup", image={"@type": "ImageObject", "license": "/l"}), []),
        (json_ld("VacationRental", **_RENTAL, name="A", identifier="1"), [
            "containsPlace.occupancy.value", "longitude|geo.longitude"
        ]),
        (json_ld("VacationRental"), [
            *("containsPlace", "identifier", "image", "name"),
            *("latitude|geo.latitude", "longitude|geo.longitude"),
        ]),
        (json_ld("Hotel", name="A"), ["address"]),
        (json_ld("JobPosting", **_JOB, jobLocation=_PLACE), []),
        (json_ld("JobPosting", **_JOB, jobLocation="D"), ["jobLocation.address.addressCountry"]),
        (json_ld("JobPosting", **_JOB, jobLocation=[_PLACE, {"@type": "Place"}]), [
            "jobLocation.address.addressCountry"
        ]),
        (json_ld("Recipe", **RECIPE, nutrition={"calories": "9"}), ["recipeYield"]),
        (json_ld("Recipe", **RECIPE, nutrition={"calories": "9"}, recipeYield=4), []),
        (json_ld("Recipe", **RECIPE, nutrition={"fatContent": "9 g"}), []),
        (json_ld("ProductGroup", productGroupID="A"), ["name"]),
        (json_ld("MathSolver", url="/", potentialAction={"@type": "SolveMathAction"}), [
            *("usageInfo", "potentialAction.target", "potentialAction.mathExpression-input")
        ]),
        (json_ld("Quiz", hasPart={"@type": "Question", "text": "?", "acceptedAnswer": "A"}), [
            "hasPart.eduQuestionType", "hasPart.acceptedAnswer.text"
        ]),
        (json_ld("VideoObject", **_VIDEO, hasPart={"@type": "Clip", "name": "A"}), [
            "startOffset", "url"
        ]),
        (json_ld("VideoObject", **_VIDEO, publication={"@type": "BroadcastEvent"}), [
            "isLiveBroadcast", "startDate"
        ]),
        (json_ld("VideoObject", **_VIDEO, potentialAction={"@type": "SeekToAction"}), [
            "target", "startOffset-input"
        ]),
        (json_ld("DiscussionForumPosting", **_POST, comment={"@type": "Comment"}), [
            "author", "datePublished", "text|image|video"
        ]),
        (json_ld("SocialMediaPosting", text="A"), ["author", "datePublished"]),
        (json_ld("Article", comment={"@type": "Comment"}), []),
        (json_ld("OnlineStore", hasMemberProgram={"@type": "MemberProgram", "name": "A"}), [
            "description", "hasTiers"
        ]),
        (
            json_ld("Organization", hasMerchantReturnPolicy={
                "@type": "MerchantReturnPolicy", "returnPolicyCategory": "A",
            }),
            ["applicableCountry|merchantReturnLink"],
        ),
        (
            json_ld("Organization", hasMerchantReturnPolicy={
                "@type": "MerchantReturnPolicy", "merchantReturnLink": "/returns",
            }),
            [],
        ),
        (json_ld("EmployerAggregateRating", itemReviewed={"name": "A"}), [
            "ratingValue", "ratingCount|reviewCount"
        ]),
        (json_ld("FAQPage"), []),
        (json_ld("FAQPage", mainEntity={"@type": "Question", "acceptedAnswer": {}}), []),
    ],
)  # fmt: skip
def test_what_rarer_rich_results_require(html: str, required: list[str]) -> None:
    assert faults(html, FaultKind.MISSING_REQUIRED) == required


def test_references_are_looked_up_in_the_page() -> None:
    graph = """{{"@context": "https://schema.org", "@graph": [
        {{"@type": "Event", "name": "A", "startDate": "2026", "location": {{"@id": "#p"}}}},
        {{"@type": "Place", "@id": "#p", "name": "B"{more}}}]}}"""
    missing = FaultKind.MISSING_REQUIRED
    assert faults(script(graph.format(more="")), missing) == ["location.address|location.url"]
    assert faults(script(graph.format(more=', "address": "C"')), missing) == []
    elsewhere = json_ld("Event", name="A", startDate="2026", location={"@id": "https://o.example/"})
    assert faults(elsewhere, missing) == []


@each_case(
    ("markup", "properties"),
    [
        ('<div rel="s:author"><p><b typeof="s:Person">x</b></p></div>', [("author", PERSON)]),
        ('<div rel="s:author" typeof="s:Person"></div>', [("author", PERSON)]),
        (
            '<i rel="s:author"><b typeof="s:Person"></b><b typeof="s:Person"></b></i>',
            [("author", PERSON), ("author", PERSON)],
        ),
        (
            '<i rel="s:author"><b typeof="s:Person"><u typeof="s:Place"></u></b></i>',
            [("author", PERSON)],
        ),
        (
            '<i rel="s:author"><a about="/a" typeof="s:Person" property="s:name">A</a></i>',
            [("author", ("Person", [("name", "A")]))],
        ),
        ('<a rel="s:image" href="/i.png">x</a>', [("image", "/i.png")]),
        ('<div rel="s:image" resource="/i.png"></div>', [("image", "/i.png")]),
        (
            '<p vocab="https://schema.org/"><i rel="author"><b typeof="Person"></b></i></p>',
            [("author", PERSON)],
        ),
        ('<p vocab="https://schema.org/"><a rel="nofollow author" href="/a">x</a></p>', []),
        ('<a rel="nofollow" href="/a">x</a><div rel="s:author">x</div>', []),
    ],
)
def test_rdfa_may_name_properties_in_rel(markup: str, properties: list[tuple[str, object]]) -> None:
    """RDFa Core 1.1, §8.3.1: Google's examples do. What HTML calls relations are none."""
    prefix = 'prefix="s: https://schema.org/"'
    item = read(f'<div {prefix} typeof="s:Article">{markup}</div>').items[0]
    assert tree(item) == ("Article", properties)


def test_microdata_of_links_and_images_is_their_address() -> None:
    """HTML Standard, §5.2.4: without one, it is blank, whatever they contain."""
    movie = '<p itemscope itemtype="https://schema.org/Movie"><b itemprop="name">A</b>{}</p>'
    image = '<a itemprop="image"{}>x</a>'
    missing = FaultKind.MISSING_REQUIRED
    assert faults(movie.format(image.format(' href="/i.png"')), missing) == []
    assert faults(movie.format(image.format("")), missing) == ["image"]


def test_the_id_of_an_item_in_microdata_is_no_reference() -> None:
    crumb = (
        '<ol itemscope itemtype="https://schema.org/BreadcrumbList"><li itemprop="itemListElement"'
        ' itemscope itemtype="https://schema.org/ListItem"><meta itemprop="position" content="1">'
        '<a itemprop="item" itemscope itemtype="https://schema.org/WebPage" itemid="/a">{}</a></ol>'
    )
    missing = FaultKind.MISSING_REQUIRED
    assert faults(crumb.format("A"), missing) == ["name|item.name"]
    assert faults(crumb.format('<b itemprop="name">A</b>'), missing) == []


def graph(*nodes: dict[str, Any]) -> str:
    return json_ld(**{"@graph": nodes})


def test_an_item_that_others_refer_to_is_checked_as_a_part_of_them() -> None:
    offer = {"@type": "Offer", "@id": "#o", "availability": "InStock"}
    product = {"@type": "Product", "name": "A", "image": "i", "offers": {"@id": "#o"}}
    missing = FaultKind.MISSING_REQUIRED
    assert faults(graph(product, offer), missing) == ["price|priceSpecification.price"]
    again = {**product, "@id": "#b"}
    assert faults(graph(offer, product, again), missing) == ["price|priceSpecification.price"]
    priced = {**offer, "price": 1, "priceCurrency": "EUR"}
    assert faults(graph(product, priced), missing) == []
    assert faults(json_ld("Product", **{**product, "@id": "#o"}), missing) == []


def test_what_two_scripts_say_of_one_item_counts_together() -> None:
    """JSON-LD 1.1, §3.3: as where a plug-in adds ratings to the product of another."""
    product = json_ld("Product", **{"@id": "#p"}, name="A", image="i")
    offers = json_ld("Product", **{"@id": "#p"}, offers=OFFER)
    missing = FaultKind.MISSING_REQUIRED
    assert faults(product + offers, missing) == []
    assert faults(offers + product, missing) == []
    assert faults(offers + offers, missing) == ["name", "name", "image"]
    assert faults(product + offers.replace("#p", "#q"), missing) == [
        *("review|aggregateRating|offers", "name", "name", "image")
    ]
    other = graph({"@type": "Product", "@id": "#p", "name": "A"}, {"@id": "#p", "offers": OFFER})
    assert faults(other, missing) == ["image"]


def test_a_breadcrumb_that_is_on_a_page_twice_is_no_longer_one() -> None:
    home = {"@type": "ListItem", "position": 1, "name": "A", "item": "/"}
    page = {"@type": "ListItem", "position": 2, "name": "B"}
    crumbs = json_ld("BreadcrumbList", **{"@id": "#b"}, itemListElement=[home, page])
    assert faults(crumbs + crumbs, FaultKind.MISSING_REQUIRED) == []


@each_case(("kind", "name"), [("Review", "review"), ("AggregateRating", "aggregateRating")])
def test_a_review_that_another_item_refers_to_is_one_of_that(kind: str, name: str) -> None:
    review = {
        "@type": kind,
        "@id": "#r",
        "author": "A",
        "reviewCount": 1,
        "ratingValue": 5,
        "reviewRating": {"@type": "Rating", "ratingValue": 5},
    }
    recipe = {"@type": "Recipe", **RECIPE, name: {"@id": "#r"}}
    assert faults(graph(review, recipe), FaultKind.MISSING_REQUIRED) == []
    assert faults(graph(recipe, review), FaultKind.MISSING_REQUIRED) == []
    recipe[name] = {"@id": "#other"}
    assert faults(graph(recipe, review), FaultKind.MISSING_REQUIRED) == ["itemReviewed"]


def test_what_rich_results_recommend() -> None:
    article = json_ld("NewsArticle", headline="A", author={"@type": "Person"})
    assert faults(article, FaultKind.MISSING_RECOMMENDED) == [
        *("author.name", "author.url|author.sameAs", "datePublished", "dateModified", "image")
    ]
    assert list(read(article).features) == ["Article"]
    image = json_ld("ImageObject", contentUrl="/a.jpg", license="/l", creator="A")
    assert faults(image, FaultKind.MISSING_RECOMMENDED) == [
        *("acquireLicensePage", "creditText", "copyrightNotice")
    ]
    assert list(read(image).features) == ["Image metadata"]


@each_case(
    ("html", "features"),
    [
        (json_ld("Recipe", **RECIPE), ["Recipe"]),
        (json_ld("Product", name="A", offers=OFFER), ["Product snippet", "Merchant listing"]),
        (json_ld("TechArticle"), []),
        (json_ld("WebSite", name="A"), []),
        (json_ld("Bakery", name="A"), ["Local business"]),
        (json_ld("VacationRental", name="A"), ["Vacation rental"]),
        (json_ld("ImageObject", contentUrl="/a.jpg"), []),
        (json_ld("EmployerAggregateRating", ratingValue=4), ["Employer rating"]),
        (json_ld("FAQPage"), []),
        (json_ld("WebPage", mainEntity={"@type": "Recipe"}), ["Recipe"]),
        (json_ld("WebPage", about={"@type": "Recipe"}), []),
        (json_ld("Book", review={"@type": "Review", "author": "A"}), ["Review snippet"]),
        (
            json_ld("Recipe", **RECIPE, aggregateRating={"@type": "AggregateRating"}),
            ["Recipe", "Review snippet"],
        ),
        (json_ld("Recipe", **RECIPE, video={"@type": "VideoObject"}), ["Recipe"]),
        (json_ld("BreadcrumbList", itemListElement={"@type": "ListItem"}), ["Breadcrumb"]),
        (MICRODATA, ["Product snippet", "Merchant listing"]),
    ],
)
def test_rich_results_that_a_page_may_have(html: str, features: list[str]) -> None:
    assert list(read(html).features) == features


# ---------------------------------------------------------------- facts


@both_parsers
@each_case(
    ("body", "expected", "types"),
    [
        ("<p>x</p>", ContentFlag(0), None),
        ("<script>{}</script>", ContentFlag(0), None),
        (
            json_ld("Recipe", **RECIPE),
            ContentFlag.JSON_LD | ContentFlag.RICH_RESULT_FEATURE | ContentFlag.RICH_RESULT_WARNING,
            "Recipe",
        ),
        (json_ld("WebSite"), ContentFlag.JSON_LD, "WebSite"),
        (script("{"), ContentFlag.JSON_LD | ContentFlag.STRUCTURED_DATA_PARSE_ERROR, None),
        (script("{}"), ContentFlag(0), None),
        (script("[]"), ContentFlag(0), None),
        (script("null"), ContentFlag(0), None),
        (script('{"@context": "https://schema.org"}'), ContentFlag(0), None),
        (script('{"@context": "https://schema.org", "@graph": []}'), ContentFlag(0), None),
        (script('[{}, {"@context": "https://schema.org", "name": 1}]'), ContentFlag.JSON_LD, None),
        (script(" \n"), ContentFlag(0), None),
        (
            json_ld("WebSite", nome=1),
            ContentFlag.JSON_LD | ContentFlag.STRUCTURED_DATA_ERROR,
            "WebSite",
        ),
        (
            json_ld("WebSite", awards=1),
            ContentFlag.JSON_LD | ContentFlag.STRUCTURED_DATA_WARNING,
            "WebSite",
        ),
        (
            "<p itemscope itemtype=https://schema.org/WebSite><i itemprop=name>A</i></p>",
            ContentFlag.MICRODATA,
            "WebSite",
        ),
        (
            "<p vocab=https://schema.org/ typeof=WebSite><i property=name>A</i></p>",
            ContentFlag.RDFA,
            "WebSite",
        ),
        (json_ld("WebSite", author={"@type": "Person"}), ContentFlag.JSON_LD, "WebSite, Person"),
        ('<script type=" Application/LD+JSON ">{</script>',
         ContentFlag.JSON_LD | ContentFlag.STRUCTURED_DATA_PARSE_ERROR, None),
    ],
)  # fmt: skip
def test_pages_are_summed_up(
    body: str, expected: ContentFlag, types: str | None, parser: Parser
) -> None:
    assert content_of(parser, body=body) & FLAGS == expected
    assert content_of(parser, head=body) & FLAGS == expected
    assert facts_of(parser, body=body).structured_types == types


@both_parsers
def test_types_are_counted_as_often_as_items_have_them(parser: Parser) -> None:
    offers = [{"@type": "Offer"}, {"@type": "Offer"}, {"@id": "#elsewhere"}]
    body = json_ld("Product", offers=offers) + json_ld("Product", name="A") + json_ld(name="B")
    page = facts_of(parser, body=body + MICRODATA)
    assert page.structured_types == "Product, Offer, Brand, Person"
    assert page.structured_type_count == 4 + 4
    both = facts_of(parser, body=json_ld(**{"@type": ["Product", "Book"]}))
    assert both.structured_type_count == 2
    assert facts_of(parser, body=json_ld(name="B")).structured_type_count is None
    assert facts_of(parser, body="<p>x</p>").structured_type_count is None


@both_parsers
def test_what_is_wrong_is_kept_with_the_page(parser: Parser) -> None:
    page = facts_of(
        parser,
        body=json_ld("Recipe", name="Soup", foo=1, awards=1)
        + json_ld("Offer", itemOffered={"@type": "Nonsense"})
        + script("{")
        + script('{"@type": "Person", "name": "A"}'),
    )
    said = page.structured_faults or ""
    found = dict(line.split(" ", 1) for line in said.split("\n"))
    assert found["1"].startswith("Input data was truncated")
    assert found["2"] == "Person: @context"
    assert found["3"] == "Nonsense"
    assert found["4"] == "Recipe: foo"
    assert found["6"] == "Recipe: awards → award"
    assert found["7"] == "Recipe: image"
    assert found["8"].startswith("Recipe: ")
    assert facts_of(parser, body=json_ld("WebSite", name="A")).structured_faults is None
