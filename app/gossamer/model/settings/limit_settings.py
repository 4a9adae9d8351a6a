"""Declares the settings for roots, limits and crawl speed."""

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

KIB: Final = 1024
MIB: Final = KIB * KIB
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
            decides_reading=False,
        ),
    ]
    """URLs to start from. A missing scheme is added: `example.com` is enough."""
    workers: Annotated[
        int,
        Setting(
            "Workers",
            "Number of parallel requests. Can be changed at any time.",
            Section.LIMITS,
            Number(1, MAX_WORKERS),
            Option("Number of parallel requests."),
            change=ChangePolicy.AT_ONCE,
            changes_results=False,
            decides_reading=False,
        ),
    ] = 10
    """Number of parallel requests over all page workers. If the system allows few open files, some
    of them wait for a connection.
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
            decides_reading=False,
        ),
    ] = 10
    """Consecutive redirects to follow, counted from a link or a root. The first one over the limit
    has the outcome *redirect limit reached*.
    """
    max_depth: Annotated[
        int | None,
        Setting(
            "Depth limit",
            "Clicks from the start page.",
            Section.LIMITS,
            Number(0, 10_000, none="No limit"),
            Option(
                "Maximum clicks from a root.",
                on_resume="Maximum clicks from a root; can only be raised.",
            ),
            called="Max depth",
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = None
    """Maximum clicks from a root. Deeper pages are listed but not fetched, unless a sitemap that is
    read lists them.
    """
    max_pages: Annotated[
        int | None,
        Setting(
            "Page limit",
            "Stops the crawl after this many pages.",
            Section.LIMITS,
            Number(1, 10**12, none="No limit"),
            Option("Stop after this many pages."),
            called="Max pages",
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = None
    """Stops the crawl after this many pages. Redirects, files and errors do not count."""
    max_similar: Annotated[
        int,
        Setting(
            "Trap limit",
            "Stops after this many similar pages that only link to each other.",
            Section.LIMITS,
            Number(10, 10**9),
            Option("Trap limit: similar pages that only link to each other."),
            called="Max similar",
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = 1000
    """Trap limit: the number of similar pages that only link to each other, such as the empty
    months of a calendar, before the crawl skips the rest. Pages with new content, and lists that
    lead to them, do not count. See [Sites without end](#sites-without-end).
    """
    max_tries: Annotated[
        int,
        Setting(
            "Attempts",
            "How often to request a URL that fails temporarily.",
            Section.LIMITS,
            Number(1, 20),
            Option("Number of attempts when a request fails temporarily."),
            called="Max tries",
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = 4
    """Number of attempts when a request fails temporarily, for example because the connection was
    lost or the response broke off. If every attempt breaks off, the longest part is used.
    """
    timeout_s: Annotated[
        float,
        Setting(
            "Timeout",
            "Maximum time for one response.",
            Section.LIMITS,
            Number(0.1, 3600, unit=" s"),
            Option("Maximum seconds for one response.", name="--timeout"),
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = 30.0
    """Maximum seconds for one response, from connecting to the last byte; each redirect is a
    response. Time during which Gossamer itself is busy [does not count](#response-times).
    """
    max_body_bytes: Annotated[
        int,
        Setting(
            "Page size",
            "Longer pages are cut off at this size.",
            Section.LIMITS,
            Number(1024, 1024 * MIB, unit=" MiB", scale=MIB),
            Option("Maximum page size in bytes; longer pages are cut off."),
            called="Max body bytes",
            change=ChangePolicy.NEVER_READ_PAGES,
        ),
    ] = 10 * MIB
    """Maximum size of a body in bytes, decompressed. Longer pages are cut off and get the
    [warning](project-file.md#warnings) `size-limit`.
    """
    max_links: Annotated[
        int,
        Setting(
            "Links per page",
            "Further links of a page are ignored.",
            Section.LIMITS,
            Number(1, 50_000),
            Option("Maximum links per page; further links are ignored."),
            called="Max links",
            change=ChangePolicy.NEVER_READ_PAGES,
        ),
    ] = 20_000
    """Maximum links per page. Further links are ignored."""
    max_url_length: Annotated[
        int,
        Setting(
            "URL length",
            "Longer URLs are listed but not fetched.",
            Section.LIMITS,
            Number(64, 65_536, unit=" characters"),
            Option("Maximum URL length; longer URLs are listed, not fetched."),
            called="Max url length",
            decides_reading=False,
        ),
    ] = 8192
    """Maximum URL length in characters. Longer URLs are listed but not fetched."""
    rate: Annotated[
        float | None,
        Setting(
            "Rate",
            "Requests per host. Use one per second for sites you do not own.",
            Section.PACE,
            Number(0.001, 100_000, unit=" per second", none="As fast as it responds"),
            Option("Maximum requests per second to one host."),
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = None
    """Maximum requests per second to one host. None: as fast as the host responds."""
    max_per_host: Annotated[
        int | None,
        Setting(
            "Per host",
            "Parallel requests to one host.",
            Section.PACE,
            Number(1, MAX_WORKERS, none="No limit"),
            Option("Parallel requests to one host."),
            called="Max per host",
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = None
    """Maximum parallel requests to one host."""
    guard: Annotated[
        bool,
        Setting(
            "Pause when nearly all requests fail",
            "",
            Section.PACE,
            Switch(),
            Option("Do not pause when nearly all requests fail.", name="--no-guard"),
            called="Guard",
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = True
    """Pauses the crawl, with the reason, when nearly all recent requests failed. If the network is
    down, the crawl waits and resumes automatically.
    """
