"""What a page says, read for people: its structured data with faults at their place, its text."""

import pytest

from gossamer.extract.dom_outline import DomLine, dom_lines
from gossamer.extract.page_contents import MAX_TEXT, paragraphs, structured_data_tree
from gossamer.extract.text_comparison import compared, lines_side_by_side, shared_percent
from gossamer.extract.text_statistics import text_statistics
from gossamer.model.messages.page_contents_messages import MAX_ROWS, DataItem, FaultKind

PRODUCT = """<!-- <script type="application/ld+json">{"not": "read"}</script> -->
<script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Product", "nome": "A",
 "offers": {"@type": "Offer", "price": 3}}
</script>"""


def test_items_are_nested_and_have_their_faults_and_features() -> None:
    (item,), faults = structured_data_tree(PRODUCT.encode(), None)
    assert faults == []
    assert (item.format, item.types, item.line) == ("JSON-LD", ["Product"], 2)
    assert item.properties[0] == ("nome", "A")
    offer = item.properties[1][1]
    assert isinstance(offer, DataItem)
    assert offer.properties == [("price", "3")]
    assert (FaultKind.UNKNOWN_PROPERTY, "nome") in [(f.kind, f.name) for f in item.faults]
    assert (FaultKind.MISSING_REQUIRED, "name") in [(f.kind, f.name) for f in item.faults]
    assert (FaultKind.MISSING_RECOMMENDED, "availability") in [
        (f.kind, f.name) for f in offer.faults
    ]
    assert item.features == ["Product snippet", "Merchant listing"]
    assert offer.features == []


@pytest.mark.parametrize(
    ("html", "form"),
    [
        ('<div itemscope itemtype="https://schema.org/Person"><b itemprop=name>A</b></div>', "M"),
        ('<div vocab="https://schema.org/" typeof=Person><b property=name>A</b></div>', "R"),
    ],
)
def test_items_in_elements_say_in_which_format_they_are(html: str, form: str) -> None:
    (item,), _ = structured_data_tree(html.encode(), None)
    assert item.format[0] == form
    assert (item.types, item.properties, item.line) == (["Person"], [("name", "A")], 0)


def test_a_parse_error_has_its_line_in_the_page() -> None:
    html = '<p>one\n<p>two\n<script type=application/ld+json>\n{"@context":\n "a" "b"}</script>'
    items, (fault,) = structured_data_tree(html.encode(), None)
    assert items == []
    assert (fault.kind, fault.line) == (FaultKind.PARSE_ERROR, 5)
    assert fault.detail.endswith("(line 5, column 6)")


def test_what_stands_in_another_script_is_no_script_of_the_page() -> None:
    html = """<!--><script>x = "<!--"</script>
<script>y = '<script type="application/ld+json">'</script>
<script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Thing", "name": "<!-- A"}</script>
<script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Thing", "name": "B"}</script>"""
    items, faults = structured_data_tree(html.encode(), None)
    assert [(item.properties, item.line) for item in items] == [
        ([("name", "<!-- A")], 3),
        ([("name", "B")], 5),
    ]
    assert faults == []


@pytest.mark.parametrize("markup", [b"<!--", b"<script>", b"<script x=", b"<!-- <script> "])
def test_markup_that_closes_nothing_is_read_once(markup: bytes) -> None:
    """Read from each of its parts to the end, this would take hours."""
    assert structured_data_tree(markup * 100_000, None) == ([], [])


def test_the_encoding_of_a_page_is_heeded() -> None:
    html = '<div itemscope itemtype="https://schema.org/Person"><b itemprop=name>Jürgen</b></div>'
    (item,), _ = structured_data_tree(html.encode("latin-1"), "iso-8859-1")
    assert item.properties == [("name", "Jürgen")]


def test_paragraphs_are_the_blocks_of_content() -> None:
    html = b"<body><nav>Home</nav><h1>A  b</h1><p>one <b>two</b>\n three<ul><li>x<li>y</ul>"
    assert paragraphs(html, None) == (["A b", "one two three", "x", "y"], False)
    assert paragraphs(html, None, ("h1", "ul"))[0] == ["Home", "one two three"]


def test_a_long_text_is_cut() -> None:
    texts, is_cut = paragraphs(b"<p>" + b"word " * (MAX_TEXT // 5 + 10), None)
    assert is_cut
    assert sum(map(len, texts)) <= MAX_TEXT


def marked(left: list[str], right: list[str]) -> list[tuple[str, str]]:
    """Each row with what differs in brackets."""
    return [
        (
            "".join(f"[{part.text}]" if part.differs else part.text for part in row.left),
            "".join(f"[{part.text}]" if part.differs else part.text for part in row.right),
        )
        for row in compared(left, right)
    ]


def test_words_that_differ_are_marked_in_paragraphs_side_by_side() -> None:
    left = ["the same", "a long red house here", "only here"]
    right = ["the same", "a long blue house here", "something else altogether"]
    assert marked(left, right) == [
        ("the same", "the same"),
        ("a long [red] house here", "a long [blue] house here"),
        ("[only here]", ""),
        ("", "[something else altogether]"),
    ]


def test_of_scripts_without_spaces_characters_are_compared() -> None:
    left = ["HTML 中的链接被脚本移除", "a b", "价格 10 元，含税"]
    right = ["HTML 中的链接", "x a b", "价格 12 元，含税"]
    assert marked(left, right) == [
        ("HTML 中的链接[被脚本移除]", "HTML 中的链接"),
        ("a b", "[x] a b"),
        ("价格 [10] 元，含税", "价格 [12] 元，含税"),
    ]


def test_marks_stay_with_their_characters_and_words_of_korean_whole() -> None:
    assert marked(["กี่ วัน"], ["กิ่ วัน"]) == [("[กี่] วัน", "[กิ่] วัน")]
    long = ["보시기 " * 150]
    other = ["보시기 " * 149 + "보시면"]
    assert marked(long, other) == [
        ("보시기 " * 149 + "[보시기]", "보시기 " * 149 + "[보시면]"),
    ]


def test_a_paragraph_that_one_text_lacks_does_not_shift_the_others() -> None:
    assert marked(["a", "b", "c"], ["a", "c"]) == [("a", "a"), ("[b]", ""), ("c", "c")]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (["a", "b"] * 1000, ["b", "a", "c"] * 600),
        (["a b" + " a b" * 199] * 60, ["b a c" + " b a c" * 129] * 60),
        (["a"] * 2000, ["a"] * 1999),
    ],
)
def test_texts_that_repeat_themselves_are_compared_whole(left: list[str], right: list[str]) -> None:
    rows = list(compared(left, right))
    for texts, side in ((left, "left"), (right, "right")):
        shown = ["".join(part.text for part in getattr(row, side)) for row in rows]
        assert [text for text in shown if text] == texts


def test_the_share_is_that_of_phrases() -> None:
    words = [str(n) for n in range(24)]
    assert shared_percent([" ".join(words)], [" ".join(words[:12]), " ".join(words[12:])]) == 100
    assert shared_percent([" ".join(words)], [" ".join(words[:23])]) == 95
    assert shared_percent(["a b"], ["c d"]) == 0
    assert shared_percent([], []) == 100


def test_the_share_counts_words_as_sketches_do() -> None:
    words = " ".join(f"word{n}" for n in range(30))
    marked = words.replace("word7 ", "“Word7”, ").replace("word9 ", "* word9! ")
    assert shared_percent([words], [marked]) == 100
    assert text_statistics(words).sketch == text_statistics(marked).sketch
    assert shared_percent(["一二三四五六七八"], ["一二三四五六七八九"]) == 80


def outline(markup: str) -> list[str]:
    return ["  " * line.depth + line.text for line in dom_lines(markup.encode())]


def test_the_dom_is_written_line_by_line() -> None:
    markup = "<!doctype html><title>A</title><!-- no --><body class=x hidden><p>One <b>two</b> 3"
    assert outline(markup) == [
        "<html>",
        "  <head>",
        "    <title>",
        "      A",
        '  <body class="x" hidden>',
        "    <p>",
        "      One",
        "      <b>",
        "        two",
        "      3",
    ]
    long = outline(f"<p title={'x' * 1_000}>{'y' * 1_000}")
    assert max(map(len, long)) < 330


def test_a_dom_is_compared_without_its_indents_which_are_shown() -> None:
    html = dom_lines(b"<main><p>same</p><p>an old hat</p></main>")
    rendered = dom_lines(b"<main><div><p>same</p></div><p>an new hat</p></main>")
    rows = lines_side_by_side(html, rendered).rows
    sides = [("".join(p.text for p in r.left), "".join(p.text for p in r.right)) for r in rows]
    indent = "  "
    assert (indent * 4 + "same", indent * 5 + "same") in sides
    assert ("", indent * 3 + "<div>") in sides
    [changed] = [r for r in rows if any(p.differs and p.text == "old" for p in r.left)]
    assert [p.text for p in changed.right if p.differs] == ["new"]


def test_a_long_dom_is_cut() -> None:
    lines = [DomLine(0, f"<p id={n}>") for n in range(MAX_ROWS + 1)]
    shown = lines_side_by_side(lines, lines[:3])
    assert shown.is_cut
    assert len(shown.rows) == MAX_ROWS
