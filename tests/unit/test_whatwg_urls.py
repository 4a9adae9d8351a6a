"""The URL test data of web-platform-tests, through the join that the crawler uses."""

import json
from typing import Any

import pytest
from ada_url import URL

from gossamer.urls.parse import join
from tests.data.places import DATA

ENTRIES: list[dict[str, Any]] = [
    entry
    for entry in json.loads((DATA / "wpt" / "urltestdata.json").read_text("utf-8"))
    if isinstance(entry, dict)  # the rest are comments
]
CHANGED_SINCE = {
    # Names in ASCII cannot fail any more, even if they begin with "xn--" (whatwg/url#914).
    "http://a.b.c.xn--pokxncvks": "http://a.b.c.xn--pokxncvks/",
    "http://10.0.0.xn--pokxncvks": "http://10.0.0.xn--pokxncvks/",
    "http://a.b.c.XN--pokxncvks": "http://a.b.c.xn--pokxncvks/",
    "http://a.b.c.Xn--pokxncvks": "http://a.b.c.xn--pokxncvks/",
    "http://10.0.0.XN--pokxncvks": "http://10.0.0.xn--pokxncvks/",
    "http://10.0.0.xN--pokxncvks": "http://10.0.0.xn--pokxncvks/",
    "https://xn--/": "https://xn--/",
    "file://xn--/p": "file://xn--/p",
    # "^" in a path is percent-encoded.
    "foo://host/ !\"$%&'()*+,-./:;<=>@[\\]^_`{|}~": (
        "foo://host/%20!%22$%&'()*+,-./:;%3C=%3E@[\\]%5E_%60%7B|%7D~"
    ),
    "wss://host/ !\"$%&'()*+,-./:;<=>@[\\]^_`{|}~": (
        "wss://host/%20!%22$%&'()*+,-./:;%3C=%3E@[/]%5E_%60%7B|%7D~"
    ),
}
"""What the standard says otherwise than the data, which are of 2023."""


def serialisation(entry: dict[str, Any]) -> str | None:
    """What the standard makes of the entry, without fragment; None for failure."""
    text: str = entry["input"]
    if text in CHANGED_SINCE:
        return CHANGED_SINCE[text]
    href: str | None = entry.get("href")
    return None if href is None else href.partition("#")[0]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry['input'][:40]!a}")
def test_what_the_standard_makes_of_it(entry: dict[str, Any]) -> None:
    if entry["base"] is None:
        text = entry["input"].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        try:
            assert URL(text).href.partition("#")[0] == serialisation(entry)
        except ValueError:
            assert serialisation(entry) is None
    else:
        assert join(entry["base"], entry["input"]) == serialisation(entry)
