from gossamer.urls.query_encoding import QueryEncoding
from gossamer.urls.url_joining import Base
from tests.cases import each_case

WINDOWS_1252 = QueryEncoding("windows-1252", "cp1252")


@each_case(
    ("name", "codec", "text", "query"),
    [
        ("windows-1252", "cp1252", "ü€", "%FC%80"),
        ("windows-1252", "cp1252", "Яx日\U0001f600", "%26%231071%3Bx%26%2326085%3B%26%23128512%3B"),
        ("windows-1251", "cp1251", "Яü", "%DF%26%23252%3B"),
        ("shift_jis", "cp932", "日本語ソ", "%93%FA%96{%8C%EA%83\\"),
        ("shift_jis", "cp932", "①ｱ\u2212¥‾", "%87@%B1%81|\\~"),
        ("shift_jis", "cp932", "¢〜", "%26%23162%3B%26%2312316%3B"),
        ("euc-jp", "euc-jp", "日本語①ｱ\u2212", "%C6%FC%CB%DC%B8%EC%AD%A1%8E%B1%A1%DD"),
        ("euc-jp", "euc-jp", "ü", "%26%23252%3B"),
        ("iso-2022-jp", "iso2022-jp-ext", "日本x語", "%1B$BF|K\\%1B(Bx%1B$B8l%1B(B"),
        ("iso-2022-jp", "iso2022-jp-ext", "日ü本", "%1B$BF|%1B(B%26%23252%3B%1B$BK\\%1B(B"),
        ("iso-2022-jp", "iso2022-jp-ext", "\xa5100~\u203e", "%1B(J\\100%1B(B~%1B(J~%1B(B"),
        ("iso-2022-jp", "iso2022-jp-ext", "ｱﾞ｡", "%1B$B%%22!+!%23%1B(B"),
        ("iso-2022-jp", "iso2022-jp-ext", "日\x1b", "%1B$BF|%1B(B%26%2365533%3B"),
        ("gb18030", "gb18030", "\ufe10\u9fb4\u1e3f\ue7c7", "%A6%D9%FEY%A8%BC%815%F47"),
        ("gb18030", "gb18030", "\ue78d\ue864", "%A6%D9%FE%A0"),
        ("iso-2022-jp", "iso2022-jp-ext", "a\x1b$B\x0f", "a%26%2365533%3B$B%26%2365533%3B"),
        ("shift_jis", "cp932", "\u2170\u7e8a\ue000", "%FA@%FA\\%26%2357344%3B"),
        ("big5", "big5hkscs", "\uff0f\uff5e\uffe5\xa5", "%A1%FE%A1%E3%A2D%26%23165%3B"),
        ("koi8-u", "koi8-u", "\u045e", "%AE"),
        ("windows-1252", "cp1252", "\x81", "%81"),
        ("gb18030", "gb18030", "中\ue5e5", "%D6%D0%26%2358853%3B"),
        ("gbk", "gb18030", "\ue5e5", "%26%2358853%3B"),
        ("gbk", "gb18030", "中€\U0001f600", "%D6%D0%80%26%23128512%3B"),
        ("gb18030", "gb18030", "中\U0001f600", "%D6%D0%949%FC6"),
        ("big5", "big5hkscs", "中ü", "%A4%A4%26%23252%3B"),
        ("euc-kr", "cp949", "한국", "%C7%D1%B1%B9"),
        ("utf-8", "utf-8", "ü\ud800", "%C3%BC%EF%BF%BD"),
        ("koi8-r", "koi8-r", "\ud800", "%26%2365533%3B"),
    ],
)
def test_queries_are_encoded_as_browsers_do(name: str, codec: str, text: str, query: str) -> None:
    assert QueryEncoding(name, codec)(f"/ü?q={text}#ü") == f"/ü?q={query}#ü"


@each_case(
    "href",
    [
        *("", "?", "/ü", "/a?b=%C3%BC&c='<>", "#ü?ü", "/a?b#ü", "mailto:a?subject=ü"),
        *("ws://example.com/?ü", "java\nscript:?ü", "x:?ü"),
    ],
)
def test_only_the_query_of_web_urls_is_encoded(href: str) -> None:
    assert WINDOWS_1252(href) == href


@each_case("scheme", ["http:", "HTTPS:", " ftp:", "h\nttp:", "file:", "\x01http:"])
def test_the_schemes_of_the_web_have_their_queries_encoded(scheme: str) -> None:
    assert WINDOWS_1252(f"{scheme}//h/?ü") == f"{scheme}//h/?%FC"


def test_a_base_joins_in_the_encoding_for_its_document() -> None:
    url = "https://example.com/a/b?q"
    assert Base(url, WINDOWS_1252).join("?ü") == "https://example.com/a/b?%FC"
    assert Base(url, WINDOWS_1252).join("ü?ü") == "https://example.com/a/%C3%BC?%FC"
    # What was remembered for one encoding must not serve another.
    assert Base(url).join("ü?ü") == "https://example.com/a/%C3%BC?%C3%BC"
