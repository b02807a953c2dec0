"""The sections of a report, one module each: a function makes a Section from a run, or from a frame that is given."""
