"""Removes the profiles of browsers whose process was killed: a preview, or all at once."""

import asyncio


async def remove_abandoned_profiles() -> None:
    """Remove them, now that their process has ended, with what is left of their browsers."""
    await asyncio.to_thread(_remove)


def _remove() -> None:
    from gossamer.render.browser_profile import remove_all_abandoned  # noqa: PLC0415 - most shells start no browser

    remove_all_abandoned()
