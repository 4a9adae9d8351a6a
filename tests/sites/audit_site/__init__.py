"""Sites with planted faults, and which audit rules hold for each of their URLs."""
