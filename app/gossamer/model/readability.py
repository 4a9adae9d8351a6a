"""How easily English text reads, by Flesch's formula."""


def reading_ease(words: int | None, sentences: int | None, syllables: int | None) -> float | None:
    """The Flesch reading ease of a text: 100 is very easy, 0 very hard; None without text.

    Rudolf Flesch, "A new readability yardstick", Journal of Applied Psychology 32 (1948). The
    score can be beyond both ends.
    """
    if not words or not sentences:
        return None
    return 206.835 - 1.015 * words / sentences - 84.6 * (syllables or 0) / words
