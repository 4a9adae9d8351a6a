import pytest

from app.model.errors import UsageError
from app.model.settings import CrawlSettings


@pytest.mark.parametrize(
    "proxy", ["http://localhost:3128", "HTTP://10.0.0.1:80/", "http://[::1]:8080", "http://a_b:1"]
)
def test_proxies(proxy: str) -> None:
    assert CrawlSettings(roots=("a",), proxy=proxy).checked().proxy == proxy


@pytest.mark.parametrize(
    "proxy",
    [
        "",
        "localhost:3128",
        "http://localhost",
        "http://localhost:0",
        "http://localhost:65536",
        "http://localhost:3128/path",
        "http://jo:pw@localhost:3128",
        "https://localhost:3128",
        "socks5://localhost:1080",
        "http://local host:3128",
        "http://localhost:3128\n",
    ],
)
def test_what_is_no_proxy(proxy: str) -> None:
    with pytest.raises(UsageError, match="http://host:port"):
        CrawlSettings(roots=("a",), proxy=proxy).checked()


def test_languages_are_one_header() -> None:
    assert CrawlSettings(roots=("a",), accept_language="de").checked()
    with pytest.raises(UsageError, match="Accept-Language"):
        CrawlSettings(roots=("a",), accept_language="de\r\nX: y").checked()
