"""Finds the language of a text, through py3langid."""

import logging
import re
from collections.abc import Callable
from functools import cache
from typing import Final, TypeAlias

Classify: TypeAlias = Callable[[str], tuple[str, float]]
"""The most likely language of a text, as a code of ISO 639-1, and how likely it is, from 0 to 1."""
_MAX_CHARACTERS: Final = 1_000
_PLACES: Final = 5
"""Where a text is sampled, one position after the other, until one shows its language."""
_MIN_CHARACTERS: Final = 80
"""The language of a shorter text is a guess."""
_IDEOGRAPHS: Final = re.compile("[\u3040-\u9fff]")
_MORE_WEIGHT: Final = 4
"""An ideograph says as much as a word."""
_MIN_LIKELIHOOD: Final = 0.9
_log = logging.getLogger(__name__)


@cache
def load_classifier() -> Classify | None:
    """The classifier of this process; it takes some 75 MB. None if the library is missing."""
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415 - it is large
    except ImportError:
        _log.warning("languages cannot be found: the library py3langid is missing")
        return None
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    classify: Classify = identifier.classify
    return classify


class LanguageDetector:
    """Detects languages; what it needs for that is loaded on first use."""

    def __init__(self, load: Callable[[], Classify | None] = load_classifier) -> None:
        """`load` returns the classifier, None for none."""
        self._load = load

    def language_of(self, text: str) -> str | None:
        """The language, as a code of ISO 639-1; None if the text is too short, or in several.

        A list of names or program code, which a page may begin with, is in no language: then the
        later text decides.
        """
        for place in range(_PLACES):
            start = place * len(text) // _PLACES
            language = self._language_at(text[start : start + _MAX_CHARACTERS])
            if language is not None or len(text) <= _MAX_CHARACTERS:
                return language
        return None

    def _language_at(self, piece: str) -> str | None:
        text = " ".join(piece.replace("\0", " ").split())
        if len(text) + _MORE_WEIGHT * len(_IDEOGRAPHS.findall(text)) < _MIN_CHARACTERS:
            return None
        classify = self._load()
        if classify is None:
            return None
        language, likelihood = classify(text)
        return str(language) if likelihood >= _MIN_LIKELIHOOD else None
