"""Follows URLs that lead on to one other: redirects, canonicals, pages of a series.

`onward` has for each id the one that it leads to, 0 for none.
"""

import numpy as np

from gossamer.store.auditing.number_arrays import Flags, Ids, distinct


def on_cycle(onward: Ids) -> Flags:
    """The URLs that are led back to by what they lead on to.

    A URL that leads into a cycle is not on it.
    """
    # What nothing leads to is on none; nor is, once that is left out, its target.
    leads: Flags = onward != 0
    inbound = np.bincount(onward[leads], minlength=len(onward))
    inbound[0] = 1
    loose = np.flatnonzero(leads & (inbound == 0))
    while len(loose):
        targets = onward[loose]
        leads[loose] = False
        np.subtract.at(inbound, targets, 1)
        targets = distinct(targets)
        loose = targets[(inbound[targets] == 0) & leads[targets]]
    # What leads nowhere is on none either: what remains leads only to what remains.
    return leads


def ends_of(onward: Ids, loops: Flags) -> Ids:
    """Where each URL leads in the end: itself if it leads nowhere, or is on a cycle."""
    ends = np.where((onward != 0) & ~loops, onward, np.arange(len(onward)))
    # Each round goes twice as far as the one before.
    while np.any((further := ends[ends]) != ends):
        ends = further
    return ends


def starts_chain(onward: Ids, loops: Flags) -> Flags:
    """URLs that nothing leads to, and that lead to one that leads on, but not into a cycle."""
    is_target = np.zeros(len(onward), np.bool_)
    is_target[onward] = True
    ends = ends_of(onward, loops)
    starts: Flags = (onward != 0) & ~is_target & (onward[onward] != 0) & ~loops[ends]
    return starts
