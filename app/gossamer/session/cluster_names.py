"""Reads the names that a user has given to clusters: a file in the configuration folder.

    [clusters]
    office = "tls://10.0.0.5:8786"

No project names a cluster, so none can choose among them.
"""

from pathlib import Path
from typing import Final

import msgspec

from gossamer.model.cluster_address import parse_cluster
from gossamer.model.errors import UsageError
from gossamer.model.translatable import Translatable, system_reason
from gossamer.session.default_paths import config_folder

FILE_NAME: Final = "clusters.toml"
_MOST_BYTES: Final = 1024 * 1024


class _File(msgspec.Struct):
    """The contents of the file."""

    clusters: dict[str, str] = {}


def cluster_names(folder: Path | None = None) -> dict[str, str]:
    """The address of each named cluster; empty if there is no file.

    UsageError, with one sentence, if the file cannot be used.
    """
    import tomllib  # noqa: PLC0415 - only crawls on clusters need it

    path = (config_folder() if folder is None else folder) / FILE_NAME
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES).decode()
        found = msgspec.convert(tomllib.loads(text), _File).clusters
        for address in found.values():
            parse_cluster(address)
    except FileNotFoundError:
        return {}
    except OSError as e:
        raise _unusable(path, system_reason(e)) from e
    except UsageError as e:
        raise _unusable(path, e.said) from e
    except ValueError as e:
        raise _unusable(path, str(e)) from e
    return found


def address_of(text: str, folder: Path | None = None) -> str:
    """The address for a name; any other text is returned as typed."""
    return text if not text or ":" in text else cluster_names(folder).get(text, text)


def _unusable(path: Path, why: Translatable | str) -> UsageError:
    return UsageError("The names of clusters in {path} cannot be used: {why}", path=path, why=why)
