"""What of each system starts runs of schedules: systemd, crontab, launchd, Windows' Task Scheduler.

Each has a pure function that writes its file, and a class that puts it where the system looks. A
timer may go off too often, never too seldom: `gossamer schedule run NAME --due`, which it starts,
does nothing if no time of the schedule has come.
"""
