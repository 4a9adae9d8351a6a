"""Schedules: crawls that the system starts at given times, and what is kept of them.

Values first: when a schedule runs (`run_times`), what a run does (`run_decision`), which projects
stay (`retention_rule`). `schedule_store` and `run_history` store schedules and their runs, `timers`
makes the system start us, `scheduled_run` carries out a run. Shells use `schedules`.
"""
