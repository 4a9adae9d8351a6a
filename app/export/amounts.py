"""Sizes and times in words, for documents in English."""

_MINUTE = 60
_HOUR = 3_600
_STEP = 1_024


def size(size_bytes: int) -> str:
    """1536 as "1.5 KiB"."""
    amount, units = float(size_bytes), ["B", "KiB", "MiB", "GiB", "TiB"]
    while amount >= _STEP and len(units) > 1:
        amount /= _STEP
        units.pop(0)
    return f"{amount:,.0f} {units[0]}" if units[0] == "B" else f"{amount:,.1f} {units[0]}"


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
