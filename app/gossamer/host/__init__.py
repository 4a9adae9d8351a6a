"""What runs inside the child processes; wires engine, fetch, extract, robots and store."""
