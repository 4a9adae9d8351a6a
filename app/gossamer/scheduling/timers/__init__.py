"""The timers of each system that start runs: systemd, crontab, launchd, Windows' Task Scheduler.

Each has a pure function that writes its file, and a class that installs it. A timer may fire too
often, never too seldom: `gossamer schedule run NAME --due`, which it starts, does nothing if no
time of the schedule has come.
"""
