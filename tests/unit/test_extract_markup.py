from gossamer.extract.html_page import extract
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.settings.request_settings import Parser
from tests.cases import each_case


@each_case(
    "html",
    [
        "<p>a<p>b<a href=x>c",
        "<a href='?a=1&copy=2&amp;b=3&c=4&notit;=5'>x</a>",
        "<a href=1 href=2>x</a>",
        "<a href=/x/>x</a>",
        "<a/href=x>x</a>",
        "<title>a<b>c</title><h1>x",
        "<a href=x><a href=y>z</a></a>",
        "<select><a href=x>x</a></select>",
        "<head><p>x<title>t</title></head>",
        "<body><title>t</title><meta name=robots content=x>",
        "<iframe src=x><a href=y>x</a></iframe>",
        "<textarea><a href=y>x</a></textarea>",
        "<title><a href=y>x</a></title>",
        "<math><a href=x>y</a></math>",
        "<a href=x\x00y>z</a>",
        "<a href=x>&#128;&#0;&#xD800;&nbsp;a</a>",
        "<![CDATA[<a href=x>y</a>]]>",
        "<?php <a href=x>y</a> ?>",
        "<!-- x --!><a href=x>y</a>",
        "<!--><a href=x>y</a>",
        '<a href="x>y</a><a href="z">w</a>',
        "<frameset><frame src=a><noframes><a href=b>b</a></noframes></frameset>",
        "<p><div><a href=x>y</p></div>",
        "<html lang=a><html lang=b class=c>",
        "<xmp><a href=x>y</a></xmp>",
        "<plaintext><a href=x>y</a>",
        "<script><!-- <script> </script> <a href=1>x</a> --></script><a href=2>y</a>",
        "<a href=x>y</a",
        "<custom-el><a href=x>y</a></custom-el>",
        "<object data=o><a href=x>y</a></object>",
        "<picture><source srcset=a><img src=b></picture>",
        "<meta name=description content='a&quot;b'>",
        "<a href=&#106;avascript:1>c</a>",
        "<img srcset='a 1x, b&#44; 2x'>",
        "<IMG SRCSET=a STYLE='b:URL(c)'>",
        "<p style='a:url(&quot;b&quot;)'>x",
        "<p style='a:u&#114;l(b)'>x",
        "<style>a{b:url(c)}</style><style>@import 'd'",
        "<style><!-- a{b:url(c)} --></style>",
        "<head><style>a{b:url(c)}</style><noscript><style>a{b:url(d)}</style></noscript></head>",
        "<meta http-equiv=refresh content='0;url=&quot;x&quot;'>",
        "<body><noscript><div><meta http-equiv=refresh content='0;x'></div></noscript>",
        "<meta property=og:image content=x name=description>",
        "<input type=image src=a formaction=b><button formaction>x</button>",
        "<svg><image xlink:href=a /><image href=b /><a xlink:href=c>d</a></svg>",
        "<video poster=a src><source srcset=b src=c></video>",
        "<link rel=alternate hreflang=de href=x#y title=z>",
    ],
)
def test_both_back_ends_read_what_people_get_wrong_alike(html: str) -> None:
    body = html.encode()
    fast = extract(body, "http://example.com/d/p", "utf-8", Parser.SELECTOLAX)
    slow = extract(body, "http://example.com/d/p", "utf-8", Parser.BEAUTIFULSOUP)
    assert fast == slow


@each_case(
    ("html", "text"),
    [
        ("<p>One <b>t</b>wo<p>three  four<br>five", "One two\nthree four five"),
        ("<nav>Menu</nav><main><h1>日本語</h1><script>x</script>ไทย</main>", "日本語\nไทย"),
        ("<ul><li>a<li>b</ul><footer>c</footer><!-- d --><pre>e  f</pre>", "a\nb\ne f"),
        ("<p>Maß &amp; Zahl <img alt=x><textarea>y</textarea>", None),
        ("<head><title>t</title></head><body></body>", ""),
        ("<p>" + "ä" * 100, "ä" * 20),
    ],
)
def test_both_back_ends_keep_the_same_text(html: str, text: str | None) -> None:
    fast, slow = (
        extract(html.encode(), "http://example.com/", "utf-8", parser, text_bytes=40)
        for parser in (Parser.SELECTOLAX, Parser.BEAUTIFULSOUP)
    )
    assert fast.text == slow.text
    assert text is None or fast.text == text.encode()


@each_case(
    ("html", "fast_texts", "slow_texts"),
    [
        # The standard moves what stands between table and row before the table,
        ("<table><a href=1>a<tr><td><a href=2>b</a></table>", ["a", "b"], ["a b", "b"]),
        # goes on with a link that ends inside another element,
        ("<b><a href=1>a</b>b</a>", ["a", "b"], ["a"]),
        # ends a link where the next one begins,
        ("<a href=1><em><a href=2>b</a></em></a>", ["", "b"], ["b", "b"]),
        # takes image for img,
        ("<image src=x alt=y>", ["y"], []),
        # knows that SVG's style is no raw text,
        ("<svg><style><a href=x>y</a></style></svg>", ["y"], []),
        # and that forms are not nested.
        ("<form action=a><form action=b>", [""], ["", ""]),
    ],
)
def test_where_libxml2_is_older_than_the_standard(
    html: str, fast_texts: list[str], slow_texts: list[str]
) -> None:
    body = html.encode()
    fast = extract(body, "http://example.com/d/p", "utf-8", Parser.SELECTOLAX)
    slow = extract(body, "http://example.com/d/p", "utf-8", Parser.BEAUTIFULSOUP)
    assert [link.text for link in fast.links] == fast_texts
    assert [link.text for link in slow.links] == slow_texts


def test_the_fast_back_end_knows_what_ends_the_head() -> None:
    body = b"<head><noscript><img src=x></noscript><title>t</title></head>"
    fast, slow = [extract(body, "http://example.com/", "utf-8", parser) for parser in Parser]
    assert fast.facts.title == slow.facts.title == "t"
    flags = [(found.facts.markup or 0) & MarkupFlag.TITLE_OUTSIDE_HEAD for found in (fast, slow)]
    assert flags == [MarkupFlag.TITLE_OUTSIDE_HEAD, 0]
