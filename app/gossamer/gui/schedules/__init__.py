"""The schedules of a user: crawls that the system starts at given times."""
