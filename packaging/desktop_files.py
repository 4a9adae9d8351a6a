"""Writes what tells desktops of Gossamer: desktop file, MIME types, AppStream component, icons.

The icons are those of any size; `program_icons.py` draws them in pixels.

Usage: python3 packaging/desktop_files.py FOLDER [--old-appstream]

writes them below FOLDER, as below a prefix such as /usr.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING

import desktop_metadata as about
from releases import releases
from script_arguments import script_arguments
from shell import REPO

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop_metadata import FileType, Text
    from releases import Release

_MIME_INFO = "http://www.freedesktop.org/standards/shared-mime-info"
_MAGIC_PRIORITY = "60"
"""Over that of plain SQLite files, 50."""
_APPLICATION_ID_AT = "68"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_PNG_SIZE = slice(16, 24)
"""Width and height, four bytes each, in a PNG file."""


def desktop_files(*, old_appstream: bool = False) -> Mapping[str, str]:
    """The content of each file by its path below the prefix.

    `old_appstream`: for an AppStream before 1.0, as in Debian 12, which names developers otherwise.
    """
    name = about.DESKTOP_ID
    theme = "share/icons/hicolor/scalable"
    drawings = {
        f"{theme}/{icon.context}/{icon.name}.svg": icon.drawing.read_text("utf-8")
        for icon in about.ICONS
    }
    return drawings | {
        f"share/applications/{name}.desktop": desktop_entry(),
        f"share/mime/packages/{name}.xml": mime_types(about.FILE_TYPES),
        f"share/metainfo/{name}.metainfo.xml": metainfo(releases(), old=old_appstream),
    }


def write_desktop_files(prefix: Path, *, old_appstream: bool = False) -> list[Path]:
    """Write them below `prefix`; returns their paths."""
    files = desktop_files(old_appstream=old_appstream)
    made = [(prefix / path, content) for path, content in files.items()]
    for path, content in made:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return [path for path, _ in made]


def desktop_entry() -> str:
    """The menu entry, as the Desktop Entry Specification 1.5 wants it."""
    lines = ["[Desktop Entry]", "Type=Application"]
    lines += [f"Name={about.NAME}", *_localized("GenericName", about.GENERIC_NAME)]
    lines += _localized("Comment", about.SUMMARY)
    lines += [f"Exec={about.COMMAND} %f", f"Icon={about.DESKTOP_ID}", "Terminal=false"]
    lines += [f"Categories={_list(about.CATEGORIES)}"]
    lines += [f"MimeType={_list(each.mime_type for each in about.FILE_TYPES)}"]
    lines += [f"Keywords={_list(each.english for each in about.KEYWORDS)}"]
    lines += [f"Keywords[{about.CHINESE}]={_list(each.chinese for each in about.KEYWORDS)}"]
    lines += ["StartupNotify=true", f"StartupWMClass={about.NAME}"]
    return "\n".join(lines) + "\n"


def mime_types(file_types: Iterable[FileType]) -> str:
    """The file types, as the Shared MIME-info Specification wants them."""
    root = ET.Element("mime-info", xmlns=_MIME_INFO)
    for each in file_types:
        kind = ET.SubElement(root, "mime-type", type=each.mime_type)
        _add_text(kind, "comment", each.comment)
        ET.SubElement(kind, "sub-class-of", type="application/vnd.sqlite3")
        ET.SubElement(kind, "icon", name=each.icon.name)
        magic = ET.SubElement(kind, "magic", priority=_MAGIC_PRIORITY)
        header = {"type": "string", "offset": "0", "value": "SQLite format 3\\0"}
        number = f"0x{each.application_id:08X}"
        inner = {"type": "big32", "offset": _APPLICATION_ID_AT, "value": number}
        ET.SubElement(ET.SubElement(magic, "match", header), "match", inner)
        ET.SubElement(kind, "glob", pattern=f"*{each.suffix}")
    return _document(root)


def metainfo(past: Iterable[Release], *, old: bool = False) -> str:
    """The component, as AppStream 1.0 wants it, or an older one."""
    root = ET.Element("component", type="desktop-application")
    ET.SubElement(root, "id").text = about.DESKTOP_ID
    ET.SubElement(root, "metadata_license").text = about.METADATA_LICENCE
    ET.SubElement(root, "project_license").text = about.LICENCE
    ET.SubElement(root, "name").text = about.NAME
    _add_text(root, "summary", about.SUMMARY)
    if old:
        ET.SubElement(root, "developer_name").text = about.DEVELOPER
    else:
        developer = ET.SubElement(root, "developer", id=about.DESKTOP_ID.rpartition(".")[0])
        ET.SubElement(developer, "name").text = about.DEVELOPER
    description = ET.SubElement(root, "description")
    for paragraph in about.DESCRIPTION:
        _add_text(description, "p", paragraph)
    ET.SubElement(root, "launchable", type="desktop-id").text = f"{about.DESKTOP_ID}.desktop"
    ET.SubElement(root, "icon", type="stock").text = about.DESKTOP_ID
    ET.SubElement(root, "url", type="homepage").text = f"{about.HOMEPAGE}/"
    provides = ET.SubElement(root, "provides")
    ET.SubElement(provides, "binary").text = about.COMMAND
    for each in about.FILE_TYPES:
        ET.SubElement(provides, "mediatype").text = each.mime_type
    _add_names(root)
    _add_pictures(root)
    _add_releases(root, past)
    ET.SubElement(root, "content_rating", type="oars-1.1")
    branding = ET.SubElement(root, "branding")
    for scheme, colour in about.BRAND_COLOURS.items():
        attributes = {"type": "primary", "scheme_preference": scheme}
        ET.SubElement(branding, "color", attributes).text = colour
    return _document(root)


def _add_names(root: ET.Element) -> None:
    """What people find it by."""
    categories = ET.SubElement(root, "categories")
    for category in about.CATEGORIES:
        ET.SubElement(categories, "category").text = category
    keywords = ET.SubElement(root, "keywords")
    for keyword in about.KEYWORDS:
        _add_text(keywords, "keyword", keyword)


def _add_pictures(root: ET.Element) -> None:
    pictures = ET.SubElement(root, "screenshots")
    for number, (name, caption) in enumerate(about.PICTURES):
        picture = ET.SubElement(pictures, "screenshot", {} if number else {"type": "default"})
        _add_text(picture, "caption", caption)
        for language, folder in about.PICTURE_FOLDERS.items():
            width, height = png_size(REPO / "docs" / folder / name)
            size = {"type": "source", "width": str(width), "height": str(height)}
            spoken = {_LANGUAGE: language} if language else {}
            image = ET.SubElement(picture, "image", size | spoken)
            image.text = f"{about.HOMEPAGE}/{folder}/{name}"


def _add_releases(root: ET.Element, past: Iterable[Release]) -> None:
    made = ET.SubElement(root, "releases")
    for each in past:
        kind = "stable" if each.is_released else "development"
        attributes = {"version": each.version, "date": each.date, "type": kind}
        release = ET.SubElement(made, "release", attributes)
        description = ET.SubElement(release, "description") if each.paragraphs else release
        for paragraph in each.paragraphs:
            ET.SubElement(description, "p").text = paragraph


def png_size(path: Path) -> tuple[int, int]:
    """Width and height of a PNG file, in pixels."""
    with path.open("rb") as file:
        head = file.read(_PNG_SIZE.stop)[_PNG_SIZE]
    return int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")


def _localized(key: str, text: Text) -> list[str]:
    others = [f"{key}[{language}]={each}" for language, each in text.translations().items()]
    return [f"{key}={text.english}", *others]


def _list(values: Iterable[str]) -> str:
    return "".join(f"{value};" for value in values)


def _add_text(parent: ET.Element, name: str, text: Text) -> None:
    ET.SubElement(parent, name).text = text.english
    for language, translated in text.translations().items():
        ET.SubElement(parent, name, {_LANGUAGE: language}).text = translated


def _document(root: ET.Element) -> str:
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


if __name__ == "__main__":
    (folder,), options = script_arguments(
        __doc__, operands=range(1, 2), options={"--old-appstream"}
    )
    for written in write_desktop_files(Path(folder), old_appstream="--old-appstream" in options):
        print(written)
