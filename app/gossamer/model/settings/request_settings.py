"""The settings of how servers are asked, and of how their pages are read."""

from enum import StrEnum
from typing import Annotated

from gossamer.model.settings.scope_settings import ScopeSettings
from gossamer.model.settings.setting_declaration import (
    ChangePolicy,
    Option,
    Reuse,
    Section,
    Setting,
)
from gossamer.model.settings.setting_types import (
    Choice,
    Headers,
    HeaderValue,
    Number,
    Proxy,
    Servers,
    Switch,
    UserAgent,
)
from gossamer.model.settings.user_agents import GOSSAMER, PRESETS


class Parser(StrEnum):
    """The HTML parser of the page workers."""

    SELECTOLAX = "selectolax"
    BEAUTIFULSOUP = "beautifulsoup"


class RequestSettings(ScopeSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Requests and reading. A part of CrawlSettings."""

    user_agent: Annotated[
        str,
        Setting(
            "User agent",
            "Choose a name or enter your own.",
            Section.REQUESTS,
            UserAgent(),
            Option(f"What the crawler calls itself; or one of {', '.join(PRESETS)}."),
            change=ChangePolicy.WITH_NEW_WORKERS,
        ),
    ] = GOSSAMER
    """What the crawler calls itself; robots.txt is read for the product in it. A
    [name](#user-agents-by-name) stands for a whole header.
    """
    accept_language: Annotated[
        str,
        Setting(
            "Languages",
            "Accept-Language header, e.g. 'de, en;q=0.5'; empty for none.",
            Section.REQUESTS,
            HeaderValue("Accept-Language", none="none"),
            Option("Languages to ask for: 'de, en;q=0.5'."),
            called="Accept language",
            change=ChangePolicy.WITH_NEW_WORKERS,
        ),
    ] = ""
    """The languages to ask for, such as `de, en;q=0.5`."""
    headers: Annotated[
        tuple[tuple[str, str], ...],
        Setting(
            "Headers",
            "Name: value, one per line. Sent to this site only and never saved to a file.",
            Section.REQUESTS,
            Headers(public=False),
            Option(
                "A request header for the site alone, kept in no file; may be repeated.",
                name="--header",
                metavar="'[ORIGIN=]K: V'",
            ),
            change=ChangePolicy.WITH_NEW_WORKERS,
            reuse=Reuse.SAME_ROOTS,
        ),
    ] = ()
    """Request headers, each `Name: value`, for the site that the crawl starts from alone.
    `Content-Length`, `Transfer-Encoding` and `Accept-Encoding` are refused: they belong to each
    message by itself. Their values are [secrets](#secrets): a project keeps the names.
    """
    public_headers: Annotated[
        tuple[tuple[str, str], ...],
        Setting(
            "Public headers",
            "Sent to every server and saved in the project: no secrets.",
            Section.REQUESTS,
            Headers(public=True),
            Option(
                "A request header for every server, kept in the project; may be repeated.",
                name="--public-header",
                metavar="'K: V'",
            ),
            change=ChangePolicy.WITH_NEW_WORKERS,
        ),
    ] = ()
    """Request headers for every server that the crawl asks, kept in the project as they are."""
    proxy: Annotated[
        str | None,
        Setting(
            "Proxy",
            "Used for all requests.",
            Section.REQUESTS,
            Proxy("http://host:port, socks5://name:password@host:port"),
            Option("A proxy: http://host:port, https, socks5, socks5h.", metavar="URL"),
            change=ChangePolicy.WITH_NEW_WORKERS,
        ),
    ] = None
    """A [proxy](#proxies) for every request, such as `http://host:port` or `socks5://host:port`."""
    keep_cookies: Annotated[
        bool,
        Setting(
            "Keep cookies set by servers",
            "",
            Section.REQUESTS,
            Switch(),
            Option("Do not keep the cookies that servers set.", name="--no-cookies"),
            called="Keep cookies",
            change=ChangePolicy.WITH_NEW_WORKERS,
        ),
    ] = True
    """Whether the [cookies](#cookies) that servers set are kept and sent back."""
    obey_robots: Annotated[
        bool,
        Setting(
            "Obey robots.txt",
            "",
            Section.REQUESTS,
            Switch(),
            Option("Do not ask for robots.txt.", name="--no-robots"),
            called="Obey robots",
        ),
    ] = True
    """Whether robots.txt is asked for and obeyed."""
    insecure_hosts: Annotated[
        tuple[str, ...],
        Setting(
            "Certificates",
            "Hosts whose certificates this crawl does not check; one per line, e.g. "
            "example.com:8443.",
            Section.REQUESTS,
            Servers(),
            Option(
                "Do not check the certificate of this server in this crawl; may be repeated.",
                name="--insecure",
                metavar="HOST[:PORT]",
            ),
            called="Insecure hosts",
            change=ChangePolicy.WITH_NEW_WORKERS,
            reuse=Reuse.NONE,
        ),
    ] = ()
    """The servers whose [certificates](#certificates) are not checked in this crawl, each as
    `host:port`.
    """
    processes: Annotated[
        int | None,
        Setting(
            "Processes",
            "Processes that parse pages in parallel.",
            Section.READING,
            Number(1, 64, none="One per core"),
            Option("Page workers.", default="one per core"),
            change=ChangePolicy.WITH_NEW_WORKERS,
        ),
    ] = None
    """Page workers, the processes that fetch and parse. None is one per core."""
    parser: Annotated[
        Parser,
        Setting(
            "Parser",
            "HTML parser.",
            Section.READING,
            Choice(("selectolax (fast)", "Beautiful Soup")),
            Option("What reads the pages."),
            change=ChangePolicy.NEVER_READ_PAGES,
        ),
    ] = Parser.SELECTOLAX
    """The HTML parser: `selectolax` is fast, `beautifulsoup` is a second opinion, some forty times
    slower.
    """
