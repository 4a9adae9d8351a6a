"""The SQL console: asks a project what its views tell, in a process of its own, and reads only."""
