"""Trees over the project file: Discovery and Folders."""
