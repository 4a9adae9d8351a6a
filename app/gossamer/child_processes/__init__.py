"""Child processes with one task: site audit, search index, comparison, logins, custom patterns."""
