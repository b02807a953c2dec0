"""How fast the toolkit is on one core, alone and beside its peers."""
