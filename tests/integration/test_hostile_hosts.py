"""Hosts that fail before they say a word of HTTP: names, addresses, TLS. One crawl of all."""

import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import Outcome, Verdict
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.scope_settings import HostMatch
from tests.integration.crawling import records
from tests.integration.crawling_inside import crawl_inside
from tests.integration.hostile_names import HERE, HostileNames
from tests.sites import Site
from tests.sites.certificates import EXPIRED, FUTURE, Authority
from tests.sites.handshakes import BrokenHandshake
from tests.sites.refused import refusing_port

DOMAIN = "hostile.example"
LIMIT_S = 4.0
"""Longer than a busy machine needs for servers that answer."""
BROKEN, UNVERIFIED, OK = Verdict.BROKEN, Verdict.UNVERIFIED, Verdict.OK


@dataclass(frozen=True, slots=True)
class Host:
    """What a page links to, and what becomes of it."""

    url: str
    outcome: Outcome
    verdict: Verdict
    detail: str = ""


def dns_hosts(port: int, port6: int) -> Iterator[Host]:
    """Names that lead nowhere, or where nobody may go. `port` is that of an ordinary site."""

    def named(label: str, outcome: Outcome, verdict: Verdict, detail: str = "") -> Host:
        return Host(f"http://{label}.{DOMAIN}:{port}/", outcome, verdict, detail)

    lost, forbidden = Outcome.DNS_FAILURE, Outcome.FORBIDDEN_ADDRESS
    yield named("nxdomain", lost, BROKEN, "not known")
    yield named("servfail", lost, BROKEN, "temporary failure")
    yield named("empty", lost, BROKEN)
    yield named("x" * 64, lost, BROKEN)
    yield named("silent", Outcome.TIMEOUT, UNVERIFIED, f"within {LIMIT_S:g} s")
    yield Host(f"http://ipv6.{DOMAIN}:{port6}/", Outcome.PAGE, OK)
    yield named("ipv6-dead", forbidden, Verdict.SKIPPED, "2001:db8::1")
    yield named("one-dead", Outcome.PAGE, OK)
    yield named("mixed", Outcome.PAGE, OK)
    yield named("private", forbidden, Verdict.SKIPPED, "10.0.0.1 is a private address")
    yield named("mapped", forbidden, Verdict.SKIPPED, "private")
    yield named("metadata", forbidden, Verdict.SKIPPED, "cloud metadata address")


def tls_hosts(opened: ExitStack, authority: Authority) -> Iterator[Host]:
    """Servers whose TLS does not hold. Each has a port of its own."""

    def served(label: str, context: ssl.SSLContext, outcome: Outcome, detail: str = "") -> Host:
        site = opened.enter_context(Site(tls=context))
        site.page("/", title="over TLS")
        verdict = OK if outcome is Outcome.PAGE else UNVERIFIED
        return Host(f"https://{label}.{DOMAIN}:{site.port}/", outcome, verdict, detail)

    def broken(label: str, server: BrokenHandshake, outcome: Outcome, detail: str = "") -> Host:
        port = opened.enter_context(server).port
        verdict = BROKEN if outcome is Outcome.NOT_HTTPS else UNVERIFIED
        return Host(f"https://{label}.{DOMAIN}:{port}/", outcome, verdict, detail)

    def of(label: str) -> str:
        return f"{label}.{DOMAIN}"

    invalid, plain = Outcome.BAD_CERTIFICATE, Outcome.NOT_HTTPS
    error, lost = Outcome.TLS_ERROR, Outcome.CONNECTION_LOST
    yield served("good", authority.served(of("good")), Outcome.PAGE)
    yield served("expired", authority.served(of("expired"), EXPIRED), invalid, "expired")
    yield served("future", authority.served(of("future"), FUTURE), invalid, "not yet valid")
    yield served("wrong-host", authority.served("other.example"), invalid, "not valid for")
    yield served(
        "stranger", authority.served(of("stranger"), by=authority.stranger()), invalid, "issuer"
    )
    yield served(
        "incomplete",
        authority.served(of("incomplete"), by=authority.intermediate()),
        invalid,
        "issuer",
    )
    old = authority.served(of("old"))
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    old.set_ciphers("ALL:@SECLEVEL=0")
    yield broken("old", BrokenHandshake(tls=old), error, "protocol version")
    demanding = authority.served(of("demanding"))
    demanding.verify_mode = ssl.CERT_REQUIRED
    demanding.load_verify_locations(authority.path)
    demanding.maximum_version = ssl.TLSVersion.TLSv1_2
    yield broken("demanding", BrokenHandshake(tls=demanding), error, "handshake failure")
    alert = b"\x15\x03\x03\x00\x02\x02\x28"
    yield broken("alert", BrokenHandshake(alert), error, "handshake failure")
    yield broken("plain", BrokenHandshake(b"HTTP/1.1 400 Bad\r\n\r\n"), plain, "wrong version")
    yield broken("reset", BrokenHandshake(reset=True), lost, "while connecting")
    yield broken("closed", BrokenHandshake(), lost, "while connecting")
    yield broken("garbage", BrokenHandshake(b"\xff" * 99), plain)
    yield broken("hold", BrokenHandshake(hold=True), Outcome.TIMEOUT, f"within {LIMIT_S:g} s")
    yield broken("full", BrokenHandshake(accept=False), Outcome.TIMEOUT, f"within {LIMIT_S:g} s")


def trouble(host: Host, row: UrlRecord | None) -> list[str]:
    """What is wrong with the row of a host."""
    if row is None:
        return [f"{host.url}: no row"]
    found = []
    if (row.outcome, row.verdict) != (host.outcome, host.verdict):
        found.append(f"{host.url}: {row.outcome.name}, {row.verdict} ({row.detail})")
    if host.detail not in str(row.detail) or "\n" in str(row.detail):
        found.append(f"{host.url}: {str(row.detail)!r} does not say {host.detail!r}")
    if not row.outcome.sentence:
        found.append(f"{host.url}: nothing to say of {row.outcome.name}")
    return found


def test_every_host_gets_its_row_and_its_outcome(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    with ExitStack() as opened:
        site = opened.enter_context(Site())
        site6 = opened.enter_context(Site("::1"))
        hosts = [*dns_hosts(site.port, site6.port), *tls_hosts(opened, authority)]
        refused = opened.enter_context(refusing_port(HERE))
        hosts.append(
            Host(f"http://refused.{DOMAIN}:{refused}/", Outcome.CONNECTION_REFUSED, UNVERIFIED)
        )
        home = f"http://www.{DOMAIN}:{site.port}"
        good = next(host.url for host in hosts if "//good." in host.url)
        site.page("/", links=[*(host.url for host in hosts), "/to-https"])
        site.redirect("/to-https", f"{good}back")
        site6.page("/")
        path = tmp_path / "hosts.gossamer"
        settings = CrawlSettings(
            roots=(f"{home}/",),
            host_match=HostMatch.LENIENT,
            workers=20,
            timeout_s=LIMIT_S,
            max_tries=1,
            guard=False,
        )
        crawl_inside(path, settings, HostileNames(), authority.trusted())
    rows = records(path)
    wrong = [line for host in hosts for line in trouble(host, rows.get(host.url))]
    assert not wrong, "\n".join([f"{len(hosts)} hosts", *wrong])
    assert {row.outcome.state.name for row in rows.values()} <= {"DONE", "FAILED", "SKIPPED"}
    assert rows[f"{home}/to-https"].outcome is Outcome.REDIRECT
    assert rows[f"{good}back"].status == 404


def test_dns_rebinding_during_a_crawl_is_refused(tmp_path: Path) -> None:
    """DNS rebinding: connections end, the name is looked up again, and leads elsewhere."""
    names = HostileNames()
    with Site() as site:
        home = f"http://rebinding.{DOMAIN}:{site.port}"
        site.page("/", links=["/a"], headers=[("Connection", "close")])
        path = tmp_path / "rebinding.gossamer"
        settings = CrawlSettings(roots=(f"{home}/",), obey_robots=False, max_tries=1)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("gossamer.fetch.connector.DNS_CACHE_S", 0)
            crawl_inside(path, settings, names, Authority(tmp_path).trusted())
    rows = records(path)
    assert rows[f"{home}/"].outcome is Outcome.PAGE
    assert rows[f"{home}/a"].outcome is Outcome.FORBIDDEN_ADDRESS
    assert site.paths == ["/"]
