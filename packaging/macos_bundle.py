"""What macOS is told of Gossamer.app: its Info.plist, with the files that it opens."""

from __future__ import annotations

from typing import Any

from desktop_metadata import DESKTOP_ID, NAME, PROJECT, VERSION

PROJECT_TYPE = f"{DESKTOP_ID}.project"
OLDEST = "13.0"
"""What the wheels of PySide6 ask for."""


def information() -> dict[str, Any]:
    """The entries of Info.plist that PyInstaller does not make itself."""
    return {
        "CFBundleIdentifier": DESKTOP_ID,
        "CFBundleName": NAME,
        "CFBundleShortVersionString": VERSION,
        "CFBundleVersion": VERSION,
        "CFBundleLocalizations": ["en", "zh_CN"],
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        "LSMinimumSystemVersion": OLDEST,
        "LSBackgroundOnly": False,  # it has a window, though it can print to a terminal, too
        "NSHighResolutionCapable": True,
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": PROJECT.comment.english,
                "CFBundleTypeRole": "Editor",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [PROJECT_TYPE],
            }
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": PROJECT_TYPE,
                "UTTypeDescription": PROJECT.comment.english,
                "UTTypeConformsTo": ["public.data"],
                "UTTypeTagSpecification": {
                    "public.filename-extension": [PROJECT.suffix.lstrip(".")],
                    "public.mime-type": [PROJECT.mime_type],
                },
            }
        ],
    }
