from tests.bench.sites import Served, differences, served

LOG = [
    "200\tGET\ttext/html\t/a%20b.html?x=1\n",
    "200\tGET\ttext/html\t/a b.html\n",
    "200\tGET\ttext/css\t/style.css\n",
    "404\tGET\ttext/html\t/gone.html\n",
    "200\tHEAD\ttext/html\t/c.html\n",
    "200\tGET\ttext/html\t/c.html\n",
]


def test_only_html_pages_that_were_sent_count_and_each_once() -> None:
    assert served(LOG) == Served(frozenset({"/a b.html", "/c.html"}), requests=6, repeated=1)


def test_who_crawled_the_same_pages_gives_no_warning() -> None:
    same = frozenset({"/a", "/b"})
    assert differences({"product": same, "peer": same}, "product") == []


def test_who_crawled_other_pages_is_named_with_examples() -> None:
    [sentence] = differences(
        {"product": frozenset({"/a", "/b"}), "peer": frozenset({"/b", "/c", "/d"})}, "product"
    )
    assert sentence.startswith("peer crawled OTHER PAGES than product: 1 of 2 missing, 2 more")
    assert "/a, /c, /d" in sentence
