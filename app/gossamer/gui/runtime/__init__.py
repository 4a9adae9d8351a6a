"""Runs the window's process: event loop, tasks, garbage collection, crash reports, saved state."""
