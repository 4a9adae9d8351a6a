"""The name by which robots.txt calls a crawler."""

import re

_COMPATIBLE = re.compile(r"Mozilla/.*?[(;] *compatible; *([^\s/;(),]+)", re.IGNORECASE)
_TOKEN = re.compile(r"[^\s/;(),]+")


def product_token(user_agent: str) -> str:
    """The name by which robots.txt calls a crawler with this User-Agent header.

    Its first word up to the version; the word after "compatible;" where it poses as a browser.
    """
    found = _COMPATIBLE.match(user_agent)
    if found:
        return found[1].lower()
    first = _TOKEN.match(user_agent.strip())
    return first[0].lower() if first else ""
