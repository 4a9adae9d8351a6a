"""Declares the settings for HTTP requests and for reading pages."""

from enum import StrEnum
from typing import Annotated

from gossamer.model.login_form import LoginForm
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
    RecordedForm,
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
    """User-Agent header. The product name in it selects the rules of robots.txt. A
    [name](#user-agents-by-name) stands for a complete header.
    """
    accept_language: Annotated[
        str,
        Setting(
            "Languages",
            "Accept-Language header, e.g. 'de, en;q=0.5'; empty for none.",
            Section.REQUESTS,
            HeaderValue("Accept-Language", none="none"),
            Option("Accept-Language header, such as 'de, en;q=0.5'."),
            called="Accept language",
            change=ChangePolicy.WITH_NEW_WORKERS,
        ),
    ] = ""
    """Accept-Language header, such as `de, en;q=0.5`."""
    headers: Annotated[
        tuple[tuple[str, str], ...],
        Setting(
            "Headers",
            "Name: value, one per line. Sent to this site only and never saved to a file.",
            Section.REQUESTS,
            Headers(public=False),
            Option(
                "Request header for this site only, never saved to a file; repeatable.",
                name="--header",
                metavar="'[ORIGIN=]K: V'",
            ),
            change=ChangePolicy.WITH_NEW_WORKERS,
            reuse=Reuse.SAME_ROOTS,
        ),
    ] = ()
    """Request headers, each `Name: value`, sent only to the site where the crawl starts.
    `Content-Length`, `Transfer-Encoding` and `Accept-Encoding` are refused because Gossamer sets
    them itself. Values are [secrets](#secrets): the project saves only the names.
    """
    public_headers: Annotated[
        tuple[tuple[str, str], ...],
        Setting(
            "Public headers",
            "Sent to every server and saved in the project: no secrets.",
            Section.REQUESTS,
            Headers(public=True),
            Option(
                "Request header for every server, saved in the project; repeatable.",
                name="--public-header",
                metavar="'K: V'",
            ),
            change=ChangePolicy.WITH_NEW_WORKERS,
        ),
    ] = ()
    """Request headers sent to every server and saved in the project."""
    proxy: Annotated[
        str | None,
        Setting(
            "Proxy",
            "Used for all requests.",
            Section.REQUESTS,
            Proxy("http://host:port, socks5://name:password@host:port"),
            Option("Proxy: http://host:port, https, socks5 or socks5h.", metavar="URL"),
            change=ChangePolicy.WITH_NEW_WORKERS,
            decides_reading=False,
        ),
    ] = None
    """A [proxy](#proxies) for all requests, such as `http://host:port` or `socks5://host:port`."""
    login_form: Annotated[
        LoginForm | None,
        Setting(
            "Login form",
            "",
            None,
            RecordedForm(),
            change=ChangePolicy.WITH_NEW_WORKERS,
            reuse=Reuse.SAME_ROOTS,
        ),
    ] = None
    """The [form](logging-in.md#with-a-form) with which the crawl logs in when it starts: its page,
    where it is sent, the names of its fields. What is typed into them is a [secret](#secrets).
    `gossamer login URL --form` and *Log in with a form…* record it.
    """
    keep_cookies: Annotated[
        bool,
        Setting(
            "Keep cookies set by servers",
            "",
            Section.REQUESTS,
            Switch(),
            Option("Do not keep cookies set by servers.", name="--no-cookies"),
            called="Keep cookies",
            change=ChangePolicy.WITH_NEW_WORKERS,
        ),
    ] = True
    """Keep the [cookies](#cookies) that servers set, and send them back."""
    obey_robots: Annotated[
        bool,
        Setting(
            "Obey robots.txt",
            "",
            Section.REQUESTS,
            Switch(),
            Option("Ignore robots.txt.", name="--no-robots"),
            called="Obey robots",
            decides_reading=False,
        ),
    ] = True
    """Request robots.txt and obey it."""
    soft_404_probe: Annotated[
        bool,
        Setting(
            "Probe for soft 404 pages",
            "Requests one URL that does not exist from each host.",
            Section.REQUESTS,
            Switch(),
            Option("Do not ask hosts for a made-up URL.", name="--no-soft-404-probe"),
            called="Soft 404 probe",
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = True
    """Request a [made-up URL](#made-up-urls) from each host of the site, to recognise pages that
    say that a page does not exist.
    """
    llms_txt: Annotated[
        bool,
        Setting(
            "Fetch llms.txt",
            "Requests llms.txt from the hosts of the start URLs.",
            Section.REQUESTS,
            Switch(),
            Option("Do not fetch llms.txt.", name="--no-llms-txt"),
            called="llms.txt",
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = True
    """Fetch `/llms.txt` of the hosts that the crawl starts at."""
    insecure_hosts: Annotated[
        tuple[str, ...],
        Setting(
            "Certificates",
            "Hosts whose certificates this crawl does not check; one per line, e.g. "
            "example.com:8443.",
            Section.REQUESTS,
            Servers(),
            Option(
                "Do not verify this server's certificate in this crawl; repeatable.",
                name="--insecure",
                metavar="HOST[:PORT]",
            ),
            called="Insecure hosts",
            change=ChangePolicy.WITH_NEW_WORKERS,
            reuse=Reuse.NONE,
            decides_reading=False,
        ),
    ] = ()
    """Servers whose [certificates](#certificates) are not checked in this crawl, each as
    `host:port`.
    """
    processes: Annotated[
        int | None,
        Setting(
            "Processes",
            "Processes that parse pages in parallel.",
            Section.READING,
            Number(1, 64, none="One per core"),
            Option(
                "Number of page workers, the processes that parse pages.", default="one per core"
            ),
            change=ChangePolicy.WITH_NEW_WORKERS,
            changes_results=False,
            decides_reading=False,
        ),
    ] = None
    """Number of page workers, the processes that fetch and parse pages. None: one per core."""
    parser: Annotated[
        Parser,
        Setting(
            "Parser",
            "HTML parser.",
            Section.READING,
            Choice(("selectolax (fast)", "Beautiful Soup")),
            Option("HTML parser."),
            change=ChangePolicy.NEVER_READ_PAGES,
        ),
    ] = Parser.SELECTOLAX
    """HTML parser. `selectolax` is fast; `beautifulsoup` offers a second opinion but is about forty
    times slower.
    """
    full_text_search: Annotated[
        bool,
        Setting(
            "Full-text search",
            "Keeps the texts of pages to search for words in them: 2 to 4 KB per page.",
            Section.READING,
            Switch(),
            Option("Keep the texts of pages, so that 'gossamer search' finds words in them."),
            change=ChangePolicy.NEVER_READ_PAGES,
            changes_results=False,
        ),
    ] = False
    """Keep the texts of pages in the project, without navigation and footer, so that words can be
    searched in them. It takes 2 to 4 KB a page.
    """
