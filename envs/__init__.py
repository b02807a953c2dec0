"""Games: their rules, what each seat sees, and the faces through which they are played."""
