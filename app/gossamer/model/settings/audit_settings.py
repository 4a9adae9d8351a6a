"""Declares the settings of the audit: the thresholds of its rules and what counts as content."""

from typing import Annotated, Final

from gossamer.model.settings.cluster_settings import ClusterSettings
from gossamer.model.settings.setting_declaration import ChangePolicy, Option, Section, Setting
from gossamer.model.settings.setting_types import (
    ContentExclusions,
    Number,
    SegmentDefinitions,
    Switch,
)

_MOST: Final = 100_000


class AuditSettings(ClusterSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Thresholds of audit rules, which are inclusive: a title of 60 characters is not too long.

    A part of CrawlSettings. They can change at any time, without another request.
    """

    title_max_length: Annotated[
        int,
        Setting(
            "Title, longest",
            "Characters.",
            Section.AUDIT,
            Number(1, _MOST),
            Option("Page titles longer than this are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 60
    """Page titles longer than this are reported."""
    title_min_length: Annotated[
        int,
        Setting(
            "Title, shortest",
            "Characters.",
            Section.AUDIT,
            Number(0, _MOST),
            Option("Page titles shorter than this are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 30
    """Page titles shorter than this are reported."""
    title_max_pixels: Annotated[
        int,
        Setting(
            "Title, widest",
            "Pixels in a search result.",
            Section.AUDIT,
            Number(1, _MOST),
            Option("Page titles wider than this are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 561
    """Page titles wider than this are reported."""
    title_min_pixels: Annotated[
        int,
        Setting(
            "Title, narrowest",
            "Pixels in a search result.",
            Section.AUDIT,
            Number(0, _MOST),
            Option("Page titles narrower than this are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 200
    """Page titles narrower than this are reported."""
    description_max_length: Annotated[
        int,
        Setting(
            "Description, longest",
            "Characters.",
            Section.AUDIT,
            Number(1, _MOST),
            Option("Meta descriptions longer than this are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 155
    """Meta descriptions longer than this are reported."""
    description_min_length: Annotated[
        int,
        Setting(
            "Description, shortest",
            "Characters.",
            Section.AUDIT,
            Number(0, _MOST),
            Option("Meta descriptions shorter than this are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 70
    """Meta descriptions shorter than this are reported."""
    description_max_pixels: Annotated[
        int,
        Setting(
            "Description, widest",
            "Pixels in a search result.",
            Section.AUDIT,
            Number(1, _MOST),
            Option("Meta descriptions wider than this are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 985
    """Meta descriptions wider than this are reported."""
    description_min_pixels: Annotated[
        int,
        Setting(
            "Description, narrowest",
            "Pixels in a search result.",
            Section.AUDIT,
            Number(0, _MOST),
            Option("Meta descriptions narrower than this are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 400
    """Meta descriptions narrower than this are reported."""
    h1_max_length: Annotated[
        int,
        Setting(
            "H1, longest",
            "Characters.",
            Section.AUDIT,
            Number(1, _MOST),
            Option("First-level headings longer than this are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 70
    """First-level headings longer than this are reported."""
    h2_max_length: Annotated[
        int,
        Setting(
            "H2, longest",
            "Characters.",
            Section.AUDIT,
            Number(1, _MOST),
            Option("Second-level headings longer than this are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 70
    """Second-level headings longer than this are reported."""
    url_max_length: Annotated[
        int,
        Setting(
            "URL, longest",
            "Characters.",
            Section.AUDIT,
            Number(1, _MOST),
            Option("URLs longer than this are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 115
    """URLs longer than this are reported."""
    alt_max_length: Annotated[
        int,
        Setting(
            "Alt text, longest",
            "Characters.",
            Section.AUDIT,
            Number(1, _MOST),
            Option("Alt texts longer than this are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 100
    """Alt texts longer than this are reported."""
    image_max_kib: Annotated[
        int,
        Setting(
            "Image, largest",
            "Size in KiB.",
            Section.AUDIT,
            Number(1, _MOST),
            Option("Images larger than this are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 100
    """Images larger than this are reported."""
    content_min_words: Annotated[
        int,
        Setting(
            "Content, fewest words",
            "Words without navigation and footer.",
            Section.AUDIT,
            Number(0, _MOST),
            Option("Pages with fewer words of content are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 200
    """Pages with fewer words of content are reported."""
    duplicate_min_percent: Annotated[
        int,
        Setting(
            "Near duplicates",
            "Percent of the text that two pages share.",
            Section.AUDIT,
            Number(50, 100),
            Option("Pages that share at least this percentage of text are near duplicates."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 90
    """Pages that share at least this percentage of text are near duplicates."""
    crawl_depth_max: Annotated[
        int,
        Setting(
            "Crawl depth",
            "Clicks from a root.",
            Section.AUDIT,
            Number(0, _MOST),
            Option("Pages more clicks away from a root are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 4
    """Pages more clicks away from a root are reported."""
    internal_outlinks_max: Annotated[
        int,
        Setting(
            "Internal outlinks",
            "Links to distinct URLs on one page.",
            Section.AUDIT,
            Number(1, _MOST),
            Option("Pages with links to more internal URLs are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 1000
    """Pages with links to more internal URLs are reported."""
    external_outlinks_max: Annotated[
        int,
        Setting(
            "External outlinks",
            "Links to distinct URLs on one page.",
            Section.AUDIT,
            Number(1, _MOST),
            Option("Pages with links to more external URLs are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 100
    """Pages with links to more external URLs are reported."""
    document_max_mib: Annotated[
        int,
        Setting(
            "Document, largest",
            "Size in MiB.",
            Section.AUDIT,
            Number(1, _MOST),
            Option("HTML documents and resources larger than this are reported."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 2
    """HTML documents and resources larger than this are reported."""
    reading_ease_difficult: Annotated[
        int,
        Setting(
            "Difficult to read",
            "Flesch reading ease.",
            Section.AUDIT,
            Number(0, 100),
            Option("Pages with less than this Flesch reading ease are difficult to read."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 50
    """Pages with less than this Flesch reading ease are difficult to read."""
    reading_ease_very_difficult: Annotated[
        int,
        Setting(
            "Very difficult to read",
            "Flesch reading ease.",
            Section.AUDIT,
            Number(0, 100),
            Option("Pages with less than this Flesch reading ease are very difficult to read."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = 30
    """Pages with less than this Flesch reading ease are very difficult to read."""
    audit_meta_keywords: Annotated[
        bool,
        Setting(
            "Meta keywords",
            "Search engines ignore them.",
            Section.AUDIT,
            Switch(),
            Option("Report missing, duplicate and multiple meta keywords."),
            change=ChangePolicy.AT_ONCE,
        ),
    ] = False
    """Report missing, duplicate and multiple meta keywords, which search engines ignore."""
    segments: Annotated[
        tuple[str, ...],
        Setting(
            "Segments",
            "Parts of the site, defined by conditions on columns. A URL is in the first segment "
            "whose condition it meets.",
            Section.AUDIT,
            SegmentDefinitions(),
            Option(
                "Name a part of the site by a condition on columns, such as 'Blog=address contains "
                "/blog/'; may be repeated, and the first that holds counts.",
                name="--segment",
                metavar="NAME=CONDITION",
            ),
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = ()
    """Named parts of the site, each as `NAME=CONDITION`; a URL is in the first whose condition
    holds. See [segments](command-line.md#segments).
    """
    content_exclude: Annotated[
        tuple[str, ...],
        Setting(
            "Not content",
            "Elements, .classes and #ids whose text does not count as content.",
            Section.AUDIT,
            ContentExclusions(),
            Option(
                "Element, .class or #id whose text does not count as content; may be repeated.",
                metavar="NAME",
            ),
            change=ChangePolicy.NEVER_READ_PAGES,
        ),
    ] = ("nav", "footer")
    """Elements, `.classes` and `#ids` whose text does not count as content: not in the word count,
    readability and near duplicates.
    """
