"""A crawl on many machines, simulated: what it would do, event by event, from a seed.

Nothing here opens a socket or looks at a clock. `plan` says what is simulated, `web` makes the
sites, `simulation` runs it, `formulas` says the same in closed form.
"""
