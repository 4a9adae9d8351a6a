"""The notification rules of a user: who is notified of the results of crawls, and how."""
