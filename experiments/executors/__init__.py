"""Who does the jobs of a run: this process, worker processes beside it, or actors of a Ray cluster."""
