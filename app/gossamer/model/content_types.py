"""Content types of files, as servers name them."""

from functools import lru_cache


@lru_cache(maxsize=1_000)  # few values occur on a site
def names_type(header: str) -> bool:
    """Whether a Content-Type header names a type, such as "text/css; charset=utf-8"."""
    before, _, after = header.partition(";")[0].strip(" ").partition("/")
    return bool(before and after) and " " not in before + after and "/" not in after
