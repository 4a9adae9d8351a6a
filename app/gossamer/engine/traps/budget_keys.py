"""Keys that identify each trap budget, and their conversion to outcome details.

Project files have both: keys with what is spent, details with each URL that was left out.
"""

from typing import Final

from gossamer.model.outcome_details import Detail, DetailCode

HOSTS: Final = "hosts"
AT_LARGE: Final = "folders"
FOLDER: Final = "folder "
FAR: Final = "far "
SESSION: Final = "session "
ORDER: Final = "order "
SHARED: Final = (HOSTS, AT_LARGE, FOLDER, SESSION, ORDER)
"""What is not counted for a pattern begins so."""

_CODES: Final = {
    HOSTS: DetailCode.TRAP_HOSTS,
    AT_LARGE: DetailCode.TRAP_FOLDERS,
    FOLDER: DetailCode.TRAP_FOLDER,
    FAR: DetailCode.TRAP_FAR,
    SESSION: DetailCode.TRAP_SESSION,
    ORDER: DetailCode.TRAP_ORDER,
}
_PREFIXES: Final = {code: prefix for prefix, code in _CODES.items()}


def budget_detail(key: str) -> Detail:
    """What a URL is left out by."""
    for prefix, code in _CODES.items():
        if key.startswith(prefix):
            return code(**dict.fromkeys(code.names, key.removeprefix(prefix)))
    return DetailCode.TRAP_PATTERN(pattern=key)


def budget_key(detail: Detail | None) -> str:
    """The key of the budget that `budget_detail` tells; "" for what is none."""
    if detail is None:
        return ""
    return _PREFIXES.get(detail.code, "") + "".join(map(str, detail.values))
