"""Statistics of analyses, on plain arrays: curves through data, and how sure they are."""
