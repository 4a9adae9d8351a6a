"""Sizes and times in words, for documents and reports in English."""

_MINUTE = 60
_HOUR = 3_600
_STEP = 1_024


def size(size_bytes: int) -> str:
    """1536 as "1.5 KiB", 512 as "512 bytes": the units of the window."""
    if size_bytes < _STEP:
        return f"{size_bytes:,} bytes"
    amount, *larger = size_bytes / _STEP, "KiB", "MiB", "GiB", "TiB"
    # What would be rounded to 1,024.0 is 1.0 of the next.
    while round(amount, 1) >= _STEP and len(larger) > 1:
        amount /= _STEP
        larger.pop(0)
    return f"{amount:,.1f} {larger[0]}"


def milliseconds(elapsed_ms: int) -> str:
    """1234 as "1.23 s", 56 as "56 ms"."""
    return f"{elapsed_ms} ms" if elapsed_ms < 1_000 else f"{elapsed_ms / 1_000:,.2f} s"  # noqa: PLR2004 - a second


def duration(seconds: float) -> str:
    """3725 as "1 h 2 min", 42 as "42 s"."""
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    return f"{whole // _HOUR:,} h {whole % _HOUR // _MINUTE} min"
