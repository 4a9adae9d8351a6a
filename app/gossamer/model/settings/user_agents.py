"""Named presets for the User-Agent header."""

from typing import Final

_WEBKIT: Final = "AppleWebKit/537.36 (KHTML, like Gecko"
# Chrome since 153 (September 2026) has a version every two weeks, Firefox every four; both show
# only the first number. Googlebot and bingbot name the Chrome that they render pages with.
_CHROME: Final = "Chrome/157.0.0.0"
_GOOGLEBOT: Final = "compatible; Googlebot/2.1; +http://www.google.com/bot.html"

GOSSAMER: Final = "Gossamer/0.1 (website crawler)"

PRESETS: Final[dict[str, str]] = {
    "gossamer": GOSSAMER,
    "googlebot": f"Mozilla/5.0 {_WEBKIT}; {_GOOGLEBOT}) {_CHROME} Safari/537.36",
    "googlebot-smartphone": (
        f"Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) {_WEBKIT})"
        f" {_CHROME} Mobile Safari/537.36 ({_GOOGLEBOT})"
    ),
    "bingbot": (
        f"Mozilla/5.0 {_WEBKIT}; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"
        f" {_CHROME} Safari/537.36"
    ),
    "chrome": f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {_WEBKIT}) {_CHROME} Safari/537.36",
    "firefox": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:157.0) Gecko/20100101 Firefox/157.0",
}
"""Names and the headers they stand for, in the order in which they are offered."""


def user_agent_of(text: str) -> str:
    """The User-Agent header that a user means: the preset of that name, else `text` as it is."""
    return PRESETS.get(text.strip().lower(), text)
