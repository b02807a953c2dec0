"""Players: from random to search and learned policies, all on the same narrow interface."""
