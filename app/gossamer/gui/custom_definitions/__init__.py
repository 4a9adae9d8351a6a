"""Custom searches and extractions: their list in the settings, their forms, and their trial."""
