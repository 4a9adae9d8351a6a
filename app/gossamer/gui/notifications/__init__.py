"""The notification rules of a person: who is told of what crawls find, and how."""
