"""Reproducible runs: a config in, a folder with one row per game out."""
