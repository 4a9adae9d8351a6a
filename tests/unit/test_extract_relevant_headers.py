"""Of a response's headers, those are picked that facts and links are read from."""

from gossamer.extract.relevant_headers import judged_headers


def test_values_are_by_lower_case_names_in_order() -> None:
    headers = [("LINK", "<a>"), ("Date", "now"), ("Content-type", "text/html"), ("Link", "<b>")]
    for _ in range(2):
        assert judged_headers(headers) == {"link": ["<a>", "<b>"], "content-type": ["text/html"]}


def test_other_values_of_the_same_headers_are_others() -> None:
    assert judged_headers([("Refresh", "1")]) == {"refresh": ["1"]}
    assert judged_headers([("Refresh", "2")]) == {"refresh": ["2"]}


def test_long_names_are_read_too() -> None:
    headers = [("x" * 5_000, ""), ("Set-Cookie", "a=b")]
    assert judged_headers(headers) == {"set-cookie": ["a=b"]}


def test_there_may_be_none() -> None:
    assert judged_headers([]) == {}
