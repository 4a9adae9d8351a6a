"""What keeps the window's process going: event loop, tasks, garbage, crash reports."""
