"""Wizard in Training positions laid with the cards of the game, by their ids, some of them changed by patches."""

from wizard_scenes import FILLER, GAME, SPELLS, Pair, Scene, begin, count, lay

from duelbench.envs import dispatch
from duelbench.envs.patches import Patches
from duelbench.envs.wizard_in_training import state as layout
from duelbench.envs.wizard_in_training.cards import CARDS
from duelbench.envs.wizard_in_training.setup import clear

NUMBER = {card.id: number for number, card in enumerate(CARDS)}
BOTH_MAINS = "kelli_crisp"


def laid(
    patches: Patches,
    at: int = SPELLS,
    hand: Pair = ((), ()),
    pool: Pair = ((), ()),
    field: Pair = ((), ()),
    level: tuple[int, int] = (1, 1),
) -> Scene:
    """Lay out a position, as `wizard_scenes.scene` does, with these patches; unnamed cards are mittens in the deck."""
    s = Scene(GAME.table(cards=patches), GAME.new_state(), {**NUMBER, FILLER: NUMBER["lost_mitten"]})
    clear(s.state)
    s.state.rng, s.state.active, s.state.turn_number = 0, 0, 3
    s.state.told[:] = dispatch.NOTHING_TOLD
    for seat in range(2):
        zones = ((layout.HAND, hand), (layout.POOL, pool), (layout.FIELD, field))
        lay(s, seat, [(zone, name) for zone, names in zones for name in names[seat]], layout.DECK)
        count(s, seat)
        s.state.mains[seat], s.state.level[seat] = NUMBER[BOTH_MAINS], level[seat]
    begin(s, at)
    return s
