"""Estimates the emissions of a page view from the bytes that it transfers.

The Sustainable Web Design Model, version 4, for a first view and the mean grid of the world:
https://sustainablewebdesign.org/estimating-digital-emissions/ (May 2024). Its ratings compare a
page with those of the HTTP Archive: https://sustainablewebdesign.org/digital-carbon-ratings/.
"""

from typing import Final

_KWH_PER_GB: Final = (0.055 + 0.059 + 0.080) + (0.012 + 0.013 + 0.081)
"""Data centres, networks and devices: to run them, and to make them."""
_GRAMS_PER_KWH: Final = 494
_MG_PER_BYTE: Final = _KWH_PER_GB * _GRAMS_PER_KWH * 1_000 / 1_000_000_000
_RATINGS: Final = ((40, "A+"), (79, "A"), (145, "B"), (209, "C"), (278, "D"), (359, "E"))
"""The most milligrams of each rating."""


def carbon_mg(transferred_bytes: int) -> float:
    """The milligrams of CO2 equivalents that a view emits."""
    return transferred_bytes * _MG_PER_BYTE


def carbon_rating(milligrams: float) -> str:
    """The rating of a view: A+, A to F."""
    return next((rating for most, rating in _RATINGS if milligrams <= most), "F")
