"""The settings of where a crawl starts, how far it goes and how fast."""

from typing import Annotated, Final

from msgspec import Struct

from gossamer.model.settings.setting_declaration import (
    ChangePolicy,
    Option,
    Reuse,
    Section,
    Setting,
)
from gossamer.model.settings.setting_types import Addresses, Number, Switch

MIB: Final = 1024 * 1024
MAX_WORKERS: Final = 10_000
MAX_REDIRECTS: Final = 50


class LimitSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Roots, limits and pace. A part of CrawlSettings."""

    roots: Annotated[
        tuple[str, ...],
        Setting(
            "Roots",
            "",
            None,
            Addresses(),
            reuse=Reuse.SAME_ROOTS,
        ),
    ]
    """The addresses the crawl starts from. A missing scheme is filled in: `example.com` is enough.
    """
    workers: Annotated[
        int,
        Setting(
            "Workers",
            "Number of parallel requests. Can be changed at any time.",
            Section.LIMITS,
            Number(1, MAX_WORKERS),
            Option("URLs in flight at once."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 10
    """URLs in flight at once, over all page workers. Can be changed while a crawl runs. Where the
    system grants few open files, some of them wait for a connection.
    """
    max_redirects: Annotated[
        int,
        Setting(
            "Redirect limit",
            "Consecutive redirects to follow.",
            Section.LIMITS,
            Number(0, MAX_REDIRECTS),
            Option("Consecutive redirects to follow."),
            called="Max redirects",
        ),
    ] = 10
    """Redirects followed in a row, counted from a link or a root. The hop over the limit is shown
    as *redirect limit reached*.
    """
    max_depth: Annotated[
        int | None,
        Setting(
            "Depth limit",
            "Clicks from the start page.",
            Section.LIMITS,
            Number(0, 10_000, none="No limit"),
            Option("Clicks from a root.", on_resume="Clicks from a root; more than before."),
            called="Max depth",
            change=ChangePolicy.AT_ONCE,
        ),
    ] = None
    """Clicks from a root. Pages farther away are listed, not fetched, unless a sitemap that is
    read names them.
    """
    max_pages: Annotated[
        int | None,
        Setting(
            "Page limit",
            "Stops the crawl after this many pages.",
            Section.LIMITS,
            Number(1, 10**12, none="No limit"),
            Option("Pages read in all."),
            called="Max pages",
            change=ChangePolicy.AT_ONCE,
        ),
    ] = None
    """Pages read before the crawl stops. Redirects, files and errors do not count."""
    max_similar: Annotated[
        int,
        Setting(
            "Trap limit",
            "Stops after this many similar pages that only link to each other.",
            Section.LIMITS,
            Number(10, 10**9),
            Option("Look-alike pages that only link to each other."),
            called="Max similar",
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 1000
    """The trap limit: so many look-alike pages that only link to each other are fetched, such as
    the empty months of a calendar. Pages that say something new, and lists that lead to them, do
    not count. See [Sites without end](#sites-without-end).
    """
    max_tries: Annotated[
        int,
        Setting(
            "Attempts",
            "How often to request a URL that fails temporarily.",
            Section.LIMITS,
            Number(1, 20),
            Option("How often a URL is asked when the failure may pass."),
            called="Max tries",
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 4
    """How often a URL is asked when the failure may pass, such as a lost connection. So is what
    breaks off: a page, a sitemap, or robots.txt that ends before its length, its last chunk or the
    end of its compressed data; of all that came the longest part counts, also where it cannot be
    asked again.
    """
    timeout_s: Annotated[
        float,
        Setting(
            "Timeout",
            "Maximum time for one response.",
            Section.LIMITS,
            Number(0.1, 3600, unit=" s"),
            Option("Seconds for one hop.", name="--timeout"),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 30.0
    """Seconds that a server may take for one hop, from connecting to the last byte. While Gossamer
    itself is busy, no time [passes](#response-times).
    """
    max_body_bytes: Annotated[
        int,
        Setting(
            "Page size",
            "Longer pages are cut off at this size.",
            Section.LIMITS,
            Number(1024, 1024 * MIB, unit=" MiB", scale=MIB),
            Option("Where a page is cut."),
            called="Max body bytes",
            change=ChangePolicy.NEVER_READ_PAGES,
        ),
    ] = 10 * MIB
    """Bytes after decompression at which a body is cut. The page gets the
    [warning](project-file.md#warnings) `size-limit`.
    """
    max_links: Annotated[
        int,
        Setting(
            "Links per page",
            "Further links of a page are ignored.",
            Section.LIMITS,
            Number(1, 50_000),
            Option("Links taken from one page."),
            called="Max links",
            change=ChangePolicy.NEVER_READ_PAGES,
        ),
    ] = 20_000
    """Links taken from one page; the rest is left out."""
    max_url_length: Annotated[
        int,
        Setting(
            "URL length",
            "Longer URLs are listed but not fetched.",
            Section.LIMITS,
            Number(64, 65_536, unit=" characters"),
            Option("Longer URLs are listed, not fetched."),
            called="Max url length",
        ),
    ] = 8192
    """Characters. Longer URLs are listed, not fetched."""
    rate: Annotated[
        float | None,
        Setting(
            "Rate",
            "Requests per host. Use one per second for sites you do not own.",
            Section.PACE,
            Number(0.001, 100_000, unit=" per second", none="As fast as it responds"),
            Option("Requests per second to one host."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = None
    """Requests per second to one host. None is as fast as the host answers."""
    max_per_host: Annotated[
        int | None,
        Setting(
            "Per host",
            "Parallel requests to one host.",
            Section.PACE,
            Number(1, MAX_WORKERS, none="No limit"),
            Option("URLs in flight at once on one host."),
            called="Max per host",
            change=ChangePolicy.AT_ONCE,
        ),
    ] = None
    """URLs in flight at once on one host."""
    guard: Annotated[
        bool,
        Setting(
            "Pause when nearly all requests fail",
            "",
            Section.PACE,
            Switch(),
            Option("Go on even if nearly everything fails.", name="--no-guard"),
            called="Guard",
            change=ChangePolicy.AT_ONCE,
        ),
    ] = True
    """Pause when nearly every one of the latest answers is a failure, and say why; wait when the
    network is gone, and go on by itself.
    """
