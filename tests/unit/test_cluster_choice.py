"""Where a crawl's nodes are: what may be typed, and who may have what."""

import msgspec
import pytest

from gossamer.model.cluster_address import ClusterAddress, parse_cluster
from gossamer.model.errors import UsageError
from gossamer.model.secrets import NO_SECRETS, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import (
    CrawlSettings,
    decode_settings,
    encode_settings,
)
from gossamer.session.cluster_use import ensure_usable
from tests.cases import each_case

ROOTS = ("https://a.test/",)
SECRETS = Secrets({"https://a.test": OriginSecrets(headers=(("Cookie", "a=b"),))})


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("tcp://10.0.0.5:8786", ClusterAddress("tcp://10.0.0.5:8786")),
        ("tls://nodes.test:8786/", ClusterAddress("tls://nodes.test:8786")),
        ("tcp://[::1]:8786", ClusterAddress("tcp://[::1]:8786")),
        ("local:4", ClusterAddress(local_nodes=4)),
    ],
)
def test_a_cluster_is_a_scheduler_or_a_number_of_nodes(text: str, address: ClusterAddress) -> None:
    assert parse_cluster(text) == address


@each_case(
    "text",
    [
        *("local:0", "local:65", "local:", "local:-1", "local:²", "local:99999999999999"),
        *("tcp://a", "tcp://a:0", "tcp://:8786", "tcp://a:99999", "http://a:8786", "a:8786"),
        *("tcp://a:1/x", "tcp://u:p@a:1", "tcp://[::1:8786", "inproc://a:1", "office"),
    ],
)
def test_anything_else_is_refused_with_what_can_be_typed(text: str) -> None:
    with pytest.raises(UsageError, match="local:N"):
        parse_cluster(text)


@pytest.mark.parametrize(
    "text", ["tls://a.test:1", "tcp://127.0.0.9:1", "tcp://[::1]:1", "local:9"]
)
def test_secrets_go_over_tls_or_loopback(text: str) -> None:
    ensure_usable(CrawlSettings(roots=ROOTS, cluster=text), SECRETS)
    assert parse_cluster(text).is_private


@pytest.mark.parametrize("text", ["tcp://10.0.0.5:1", "tcp://127.test:1"])
def test_secrets_go_nowhere_else_unless_somebody_says_so(text: str) -> None:
    with pytest.raises(UsageError, match="not encrypted"):
        ensure_usable(CrawlSettings(roots=ROOTS, cluster=text), SECRETS)
    told = CrawlSettings(roots=ROOTS, cluster=text, insecure_cluster=True)
    ensure_usable(told, SECRETS)
    ensure_usable(CrawlSettings(roots=ROOTS, cluster=text), NO_SECRETS)


def test_a_cluster_needs_dask() -> None:
    with pytest.raises(UsageError, match=r"pip install 'gossamer-core\[cluster\]'"):
        ensure_usable(
            CrawlSettings(roots=ROOTS, cluster="local:1"), NO_SECRETS, library="no_such_library"
        )
    ensure_usable(CrawlSettings(roots=ROOTS), SECRETS, library="no_such_library")


def test_no_project_names_a_cluster_and_one_that_does_is_not_believed() -> None:
    settings = CrawlSettings(roots=("http://a.test/",), cluster="local:2", insecure_cluster=True)
    assert "local:2" not in encode_settings(settings)
    forged = msgspec.json.encode(settings).decode()
    assert "local:2" in forged
    assert not decode_settings(forged).cluster
    assert not decode_settings(forged).insecure_cluster
