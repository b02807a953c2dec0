"""Writing down what an action causes, in the `events` of any game's state (see `duelbench.envs.dispatch.EVENT`)."""

from duelbench.envs.jit import rule

BOTH = 3
"""`seen_by` of a public event; 1 << seat is a private one, 0 one that nobody sees; SECRET hides that it happened."""


@rule
def note(game, kind, seat, card, value, seen_by):
    """Write down what happened. A game has room for more than any action can cause (a test counts)."""
    if game.n_events < game.events.shape[0]:
        event = game.events[game.n_events]
        event.kind = kind
        event.seat = seat
        event.card = card
        event.value = value
        event.seen_by = seen_by
        game.n_events += 1


@rule
def forget_events(game):
    """Blank all events: they tell hidden cards, so a determinized state has none."""
    for i in range(game.events.shape[0]):
        event = game.events[i]
        event.kind = event.seat = event.card = event.value = event.seen_by = 0
    game.n_events = 0
