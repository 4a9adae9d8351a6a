"""Reading the project file for the window, on a thread of its own."""
