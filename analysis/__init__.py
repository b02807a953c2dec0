"""From rows to answers: payoffs, ratings, reports, and the command line on top."""
