"""The `duelbench` command. Nothing heavy is imported before a command needs it, so that help comes at once."""

from duelbench.analysis.cli.app import app, main

__all__ = ["app", "main"]
