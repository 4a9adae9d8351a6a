"""Schedules: crawls that the system starts at given times, and what is kept of them.

Values first: when a schedule runs (`run_times`), what a run does (`run_decision`), which projects
stay (`retention`). `schedule_store` and `run_history` keep what is to be kept, `timers` has the
system start us, `scheduled_run` carries a run out. `schedules` is what shells use.
"""
