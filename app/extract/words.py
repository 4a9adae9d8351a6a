"""How many words a text has."""

import re

_WORD = re.compile(r"\w\S*")
_ASCII_WORD = re.compile(r"[0-9A-Za-z_]\S*", re.ASCII)
_IDEOGRAPH_OR_KANA = re.compile(
    "[\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003ffff]"
)


def count_words(text: str) -> int:
    """The number of words in `text`, as word processors count.

    A word is a stretch without white space that has a letter or a digit in it; in Chinese and
    Japanese, which part no words, each ideograph and each kana is one. Thai, Lao, Khmer and
    Burmese are undercounted: their words are not parted either.
    """
    if text.isascii():
        return len(_ASCII_WORD.findall(text))
    text, characters = _IDEOGRAPH_OR_KANA.subn(" ", text)
    return characters + len(_WORD.findall(text))
