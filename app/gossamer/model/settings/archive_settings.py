"""Declares the settings of the archive: whether responses are kept, and which."""

from enum import StrEnum
from typing import Annotated, Final

from gossamer.model.settings.limit_settings import MIB
from gossamer.model.settings.rendering_settings import RenderingSettings
from gossamer.model.settings.setting_declaration import ChangePolicy, Option, Section, Setting
from gossamer.model.settings.setting_types import Choice, Number, Switch, Words

_MOST_BYTES: Final = 1024 * MIB
_CONTENT_TYPE: Final = r"[A-Za-z0-9][\w!#$&^.+-]*/(\*|[A-Za-z0-9][\w!#$&^.+-]*)"
"""RFC 6838, section 4.2, or all subtypes of a type."""


class ArchiveContent(StrEnum):
    """What the archive keeps the bodies of."""

    HTML = "html"
    RESOURCES = "resources"
    EVERYTHING = "everything"


class ArchiveOnNodes(StrEnum):
    """Where the archive is of a crawl on a cluster."""

    COLLECT = "collect"
    LEAVE = "leave"


class ArchiveSettings(RenderingSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The archive, off by default. A part of CrawlSettings."""

    archive: Annotated[
        bool,
        Setting(
            "Keep pages",
            "Keeps them in an archive beside the project, as the servers sent them. It is about "
            "as large as what the crawl downloads.",
            Section.ARCHIVE,
            Switch(),
            Option("Keep pages as they were sent, in WARC files beside the project."),
            called="Archive",
            change=ChangePolicy.WITH_NEW_WORKERS,
            changes_results=False,
        ),
    ] = False
    """Keep what servers send in WARC files beside the project, byte for byte,
    so that pages can be looked at and audited again without requests to the site.
    """
    archive_content: Annotated[
        ArchiveContent,
        Setting(
            "What is kept",
            "Images, style sheets, scripts and files are downloaded for it.",
            Section.ARCHIVE,
            Choice(("Pages", "Pages and what they load", "Everything")),
            Option("What the archive keeps: pages, also what they load, or everything."),
            change=ChangePolicy.WITH_NEW_WORKERS,
            needs="archive",
        ),
    ] = ArchiveContent.HTML
    """What the archive keeps: `html` (pages, redirects, errors, sitemaps and robots.txt), also
    `resources` (images, style sheets, scripts and fonts that pages load), or `everything` (other
    files of the site, too). What is not a page is downloaded for it; otherwise only its size is
    requested.
    """
    archive_types: Annotated[
        tuple[str, ...],
        Setting(
            "Content types kept",
            "Such as text/html or image/*, one per line; empty: all of what is kept.",
            Section.ARCHIVE,
            Words("a content type", _CONTENT_TYPE),
            Option(
                "Content type that the archive keeps, such as text/html or image/*; may be"
                " repeated. Without it, all of what is kept.",
                name="--archive-type",
                metavar="TYPE",
            ),
            change=ChangePolicy.WITH_NEW_WORKERS,
            needs="archive",
        ),
    ] = ()
    """Content types that the archive keeps, of what it would keep otherwise: such as `text/html`,
    `application/pdf` or `image/*`. Without any, all are kept. Redirects, errors, sitemaps and
    robots.txt are kept whatever their type. A file of another type is not downloaded for the
    archive. Files that are not pages also need `resources` or `everything`.
    """
    archive_max_bytes: Annotated[
        int,
        Setting(
            "Largest body kept",
            "Larger bodies are cut off at this size.",
            Section.ARCHIVE,
            Number(1024, _MOST_BYTES, unit=" MiB", scale=MIB),
            Option(
                "Bytes that the archive keeps of a body.",
                name="--archive-max-size",
                metavar="BYTES",
            ),
            change=ChangePolicy.WITH_NEW_WORKERS,
            needs="archive",
            changes_results=False,
        ),
    ] = 10 * MIB
    """Bytes of a body, as it was sent, that the archive keeps at most: the beginning of larger
    ones, marked as truncated.
    """
    archive_dom: Annotated[
        bool,
        Setting(
            "Keep the DOM of rendered pages",
            "As their scripts have left it. It takes about as much room as the pages.",
            Section.ARCHIVE,
            Switch(),
            Option("Keep no DOM of rendered pages in the archive.", name="--no-archive-dom"),
            change=ChangePolicy.WITH_NEW_WORKERS,
            needs="archive",
            changes_results=False,
        ),
    ] = True
    """Keep the DOM of each rendered page as its scripts have left it, beside the response. Of one
    that is larger than `archive_max_bytes`, the beginning is kept. Pages that are not rendered have
    none.
    """
    archive_secrets: Annotated[
        bool,
        Setting(
            "Keep secrets in the archive",
            "Whoever has the archive can then use the passwords and cookies of the crawl.",
            Section.ARCHIVE,
            Switch(),
            Option("Keep passwords and cookies in the archive, too."),
            change=ChangePolicy.WITH_NEW_WORKERS,
            needs="archive",
            changes_results=False,
        ),
    ] = False
    """Keep passwords, cookies and other secrets of requests in the archive. Without it, their
    values are left out, and so are those of the cookies that a server sets in response to such a
    request.
    """
    archive_on_nodes: Annotated[
        ArchiveOnNodes,
        Setting(
            "On a cluster",
            "Each node writes its own files. If they stay there, pages can be viewed once the "
            "files are copied.",
            Section.ARCHIVE,
            Choice(("Bring the archive here", "Leave it on the nodes")),
            Option("On a cluster: collect the archive beside the project, or leave it on nodes."),
            change=ChangePolicy.WITH_NEW_WORKERS,
            needs="archive",
            changes_results=False,
        ),
    ] = ArchiveOnNodes.COLLECT
    """Where the archive of a crawl on a cluster is: `collect` brings what nodes write to the
    project, `leave` leaves it on the nodes, in the folder that their environment variable
    `GOSSAMER_ARCHIVES` names, by default `archives` in the data folder. The project and
    `gossamer info` show which node has what.
    """
