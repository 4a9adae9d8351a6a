"""Inputs that the URL Standard says something about, through the join that the crawler uses."""

from ada_url import URL

from gossamer.urls.url_parsing import join
from tests.cases import each_case
from tests.data.vectors import UrlVector, url_vectors

VECTORS = url_vectors()


def test_the_table_is_whole() -> None:
    assert len({(vector.text, vector.base) for vector in VECTORS}) == len(VECTORS) == 820
    assert sum(vector.expected is None for vector in VECTORS) > 200


@each_case("vector", VECTORS, ids=lambda vector: f"{vector.text[:40]!a}")
def test_what_the_standard_makes_of_it(vector: UrlVector) -> None:
    if vector.base is not None:
        assert join(vector.base, vector.text) == vector.target
        return
    text = vector.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    try:
        assert URL(text).href.partition("#")[0] == vector.target
    except ValueError:
        assert vector.target is None
