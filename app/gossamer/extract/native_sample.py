"""A page with known contents, to check that C reads pages correctly."""

from typing import Final

from gossamer.extract.parsed_elements import Anchors, Element, ParsedElements
from gossamer.model.link_traits import LinkPosition

SAMPLE: Final = (
    "<html lang=de><head><title>Titel</title><style>a{b:url(c)}</style><meta charset=utf-8></head>"
    "<body><nav><a href=/n id=n>Weg</a></nav><h1>Eins<br>zwei</h1><h2><img alt=Drei></h2>"
    "<p style='background:url(d)'>Wörter sind 3,"
    " <a href=/x>hier\n und</a> <a href='/y#z'>dort</a> <a rel=next href=/w><img alt=Bild></a>"
    "<svg><title>Tip</title><a xlink:href=/s></a></svg><x-y><a xlink:href=/no></a></x-y>"
    "<noscript><meta http-equiv=refresh></noscript><script>nichts</script>"
    "<script type=application/ld+json>{}</script><div id=side-menu><a href=/m class=m1><i>m</i>"
    "<a name=o></a></div><label>l<input itemprop=p aria-labelledby=n></label>"
    "Viele Worte sind nötig. Sonst gäbe es keine Skizze! Ist das gut? Ja, das ist gut so.</html>"
)
SAMPLE_FOUND: Final = ParsedElements(
    elements=[
        Element("title", {}, "Titel", LinkPosition.HEAD, 0),
        Element("style", {}, "a{b:url(c)}", LinkPosition.HEAD, 1),
        Element("meta", {"charset": "utf-8"}, "", LinkPosition.HEAD, 0),
        Element("h1", {}, "Eins zwei", LinkPosition.CONTENT, 0),
        Element("h2", {}, "\x00Drei", LinkPosition.CONTENT, 0),
        Element("img", {"alt": "Drei"}, "", LinkPosition.CONTENT, 3),
        Element("p", {"style": "background:url(d)"}, "", LinkPosition.CONTENT, 4),
        Element("a", {"rel": "next", "href": "/w"}, "\x00Bild", LinkPosition.CONTENT, 5),
        Element("img", {"alt": "Bild"}, "", LinkPosition.CONTENT, 6),
        Element("a", {"xlink:href": "/s"}, "", LinkPosition.CONTENT, 7),
        Element("a", {}, "", LinkPosition.CONTENT, 8),
        Element("noscript", {}, "", LinkPosition.CONTENT, 0),
        Element("meta", {"http-equiv": "refresh"}, "noscript", LinkPosition.CONTENT, 0),
        Element("script", {}, "", LinkPosition.CONTENT, 9),
        Element("script", {"type": "application/ld+json"}, "{}", LinkPosition.CONTENT, 9),
        Element("a", {"name": "o"}, "", LinkPosition.NAVIGATION, 10),
        Element("label", {}, "l", LinkPosition.CONTENT, 0),
        Element(
            "input", {"itemprop": "p", "aria-labelledby": "n"}, "label", LinkPosition.CONTENT, 11
        ),
    ],
    language="de",
    words=26,
    phrases=[
        144341586,
        336083131,
        535963711,
        751812562,
        818088623,
        927115585,
        1163127966,
        1242017117,
        1374877536,
        1445170370,
        1904357389,
        2769924331,
        2865899071,
        3579715167,
        3599851284,
        4095713052,
    ],
    anchors=Anchors(
        hrefs=["/n", "/x", "/y", "/m"],
        fragment_indexes=[2],
        fragments=["#z"],
        texts=["Weg", "hier und", "dort", "m"],
        uncleaned=[],
        unclear=[],
        ends=[0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4],
        traits=b"\x1a\x1c\x1c\x1a",
        paths=[2, 5, 5, 10],
    ),
    paths=[
        "",
        "head > style",
        "body > nav > a",
        "body > h2 > img",
        "body > p",
        "body > p > a",
        "body > p > a > img",
        "body > p > svg > a",
        "body > p > x-y > a",
        "body > p > script",
        "div#side-menu > a",
        "body > label > input",
    ],
    sentences=7,
    syllables=28,
    text_length=129,
    sketch=bytes.fromhex(
        "9655974dfb5d3132a39aefd09b33ce0f9cf2467e1d0001db9d41b373d049b8d8"
        "000040000000002000004000a200000000000402000020480000000008000010"
        "0010000100000000000000000000000010000800000000400000000000000000"
        "0000000200000000000001000008000000000000000000000080000000001600"
    ),
    anchor_ids=bytes.fromhex("9a0df146fbd6"),
    has_references=True,
)
"""A page with an example of everything that is searched for, and the expected result."""
