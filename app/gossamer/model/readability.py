"""How easily English text reads, by Flesch's formula."""


def reading_ease(
    words: int | None, sentences: int | None, syllables: int | None, language: str | None
) -> float | None:
    """The Flesch reading ease of a text in English, or in an unknown language.

    100 is very easy, 0 very hard; None without text, and for other languages. Rudolf Flesch, "A new
    readability yardstick", Journal of Applied Psychology 32 (1948). The score can exceed both ends.
    """
    is_english = not language or language.lower().startswith("en")
    if not words or not sentences or not is_english:
        return None
    return 206.835 - 1.015 * words / sentences - 84.6 * (syllables or 0) / words
