"""Regular expressions that are compiled when they are first used, not when they are imported.

Compiling one takes as long as importing a small module, and most crawls need few of those that
responses may require. What nearly every page needs is better compiled with `re.compile`: forked
worker processes share it.
"""

import re
from typing import AnyStr, Generic, cast


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like `re.compile`, but an error in `pattern` shows at the first use.

    The result has the methods and attributes of a pattern, equally fast after their first use. The
    functions of `re` do not accept it.
    """
    return cast("re.Pattern[AnyStr]", _LazyPattern(pattern, flags))


class _LazyPattern(Generic[AnyStr]):
    def __init__(self, pattern: AnyStr, flags: int) -> None:
        self.pattern: AnyStr = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        """Keep each attribute of the compiled pattern, so that this is called once for each."""
        if name == "_compiled":
            value: object = re.compile(self.pattern, self._flags)
        else:
            value = getattr(self._compiled, name)
        setattr(self, name, value)
        return value
