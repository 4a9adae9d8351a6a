import pytest

from gossamer.model.errors import UsageError
from gossamer.model.secrets import HttpAuth
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.proxy_address import parse_proxy, without_credentials
from tests.cases import each_case


@each_case(
    "proxy",
    [
        "http://localhost:3128",
        "HTTP://10.0.0.1:80/",
        "http://[::1]:8080",
        "http://a_b:1",
        "https://proxy.example:3129",
        "http://jo:pw@localhost:3128",
        "socks4://jo@localhost:1080",
        "socks4a://localhost:1080",
        "socks5://jo:p%40ss@localhost:1080",
        "socks5h://localhost:1080",
    ],
)
def test_valid_proxies_are_accepted(proxy: str) -> None:
    assert CrawlSettings(roots=("a",), proxy=proxy).checked().proxy == proxy


@each_case(
    "proxy",
    [
        "",
        "localhost:3128",
        "http://localhost",
        "http://localhost:0",
        "http://localhost:65536",
        "http://localhost:3128/path",
        "http://jo:s3cret@localhost",
        "http://jo:s3@cret@localhost:3128",
        "socks://localhost:1080",
        "ftp://localhost:21",
        f"http://{'a' * 64}.example:3128",
        "http://local host:3128",
        "http://localhost:3128\n",
    ],
)
def test_invalid_proxies_are_refused_without_quoting_passwords(proxy: str) -> None:
    with pytest.raises(UsageError, match="http://host:port") as caught:
        CrawlSettings(roots=("a",), proxy=proxy).checked()
    assert "s3" not in str(caught.value)


@pytest.mark.parametrize(
    ("proxy", "sentence"),
    [
        ("socks4://jo:s3cret@localhost:1080", "SOCKS4 does not support passwords"),
        ("socks5://jo:s%C3%A9cret@localhost:1080", "ASCII"),
        (f"socks5h://jo:{'s' * 256}@localhost:1080", "255"),
    ],
)
def test_credentials_that_socks_cannot_carry_are_refused(proxy: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        CrawlSettings(roots=("a",), proxy=proxy).checked()


def test_proxy_credentials_are_split_from_its_address() -> None:
    address, auth = parse_proxy("SOCKS5H://jo:p%40ss@Proxy.Example:1080/")
    assert address.origin == address.url == "socks5h://proxy.example:1080"
    assert (address.is_socks, address.looks_up) == (True, True)
    assert auth == HttpAuth("jo", "p@ss")
    address, auth = parse_proxy("http://proxy:80")
    assert (address.origin, address.url, auth) == ("http://proxy", "http://proxy:80", None)
    assert not parse_proxy("socks5://proxy:1")[0].looks_up
    assert without_credentials("http://jo:a@b@proxy:1") == "http://proxy:1"


def test_accept_language_is_one_header_value() -> None:
    assert CrawlSettings(roots=("a",), accept_language="de").checked()
    with pytest.raises(UsageError, match="Accept-Language"):
        CrawlSettings(roots=("a",), accept_language="de\r\nX: y").checked()


@each_case(
    "url", ["http://[a", "http://[a]", "http://a:b", "http://a:99999", "http://:8081", "ftp://a"]
)
def test_an_address_without_a_host_is_no_server(url: str) -> None:
    with pytest.raises(UsageError, match="LanguageTool server must be an address such as"):
        CrawlSettings(roots=("a",), languagetool=url).checked()
    good = "https://[::1]:8081/v2"
    assert CrawlSettings(roots=("a",), languagetool=good).checked().languagetool == good
