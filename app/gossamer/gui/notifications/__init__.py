"""The notification rules of a person: who is notified of the results of crawls, and how."""
