"""The schedules of a person: crawls that the system starts at given times."""
