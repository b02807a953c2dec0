"""Every outcome of a duel of Wizard in Training: character or main against character or main, hit, beaten, tied.

What comes of each is written down here number by number, for the default options and for every other one.
"""

from typing import Any

from wizard_duels import at, by_seat, duel, fighter, side
from wizard_scenes import Happened, Scene, asked, item, levels, of_kind, play, total

# Fighters by how their numbers meet. Attack and defend of the attacker and of the defender in the duel; both wear a
# weapon and an armour, so that 2 less is printed.
MEETINGS = {
    "attacker hits": ((5, 3), (2, 4)),
    "defender hits": ((2, 4), (5, 3)),
    "no hit, even": ((2, 4), (3, 2)),
    "no hit, short": ((2, 4), (2, 3)),
    "double hit": ((5, 3), (4, 2)),
    "defender hits, attack even": ((3, 4), (5, 3)),
}
WON, LOST, TIED = "won", "lost", "tied"

# How a meeting ends for the attacker, in the order of MEETINGS.
RESULTS = {
    (): (WON, LOST, TIED, TIED, TIED, LOST),
    ("attack_vs_defend",): (WON, LOST, TIED, LOST, WON, TIED),
    ("attacker_wins",): (WON, LOST, TIED, TIED, WON, LOST),
    ("defender_wins",): (WON, LOST, LOST, LOST, LOST, LOST),
    ("attack_vs_defend", "attacker_wins"): (WON, LOST, TIED, LOST, WON, TIED),
    ("attack_vs_defend", "defender_wins"): (WON, LOST, LOST, LOST, WON, LOST),
    ("attacker_wins", "defender_wins"): (WON, LOST, LOST, LOST, WON, LOST),
    ("attack_vs_defend", "attacker_wins", "defender_wins"): (WON, LOST, LOST, LOST, WON, LOST),
}
OPTION_OF = {
    "attack_vs_defend": "duel_compare",
    "attacker_wins": "duel_double_hit",
    "defender_wins": "duel_tie",
    "hidden_equipment": "duel_commit",
    "loser_sum": "duel_reward",
    "one": "duels_per_phase",
}

# What comes of it: both levels, who is rewarded (0 the attacker), where the attacking and the blocking character and
# the equipment of both are, and what the attacker's player is asked next. Both were at level 3.
AFTER = {
    ("character", "character", WON): ((3, 3), 0, "field", "discard", "pool", "discard", "attack"),
    ("character", "character", LOST): ((3, 3), 1, "discard", "field", "discard", "pool", "attack"),
    ("character", "character", TIED): ((3, 3), None, "discard", "discard", "pool", "pool", "attack"),
    ("character", "main", WON): ((3, 2), 0, "field", None, "pool", "discard", "discard"),
    ("character", "main", LOST): ((3, 3), None, "discard", None, "discard", "pool", "attack"),
    ("character", "main", TIED): ((3, 3), None, "discard", None, "pool", "pool", "attack"),
    ("main", "character", WON): ((3, 3), None, None, "discard", "pool", "discard", "attack"),
    ("main", "character", LOST): ((2, 3), 1, None, "field", "discard", "pool", "discard"),
    ("main", "character", TIED): ((3, 3), None, None, "discard", "pool", "pool", "attack"),
    ("main", "main", WON): ((3, 2), None, None, None, "pool", "discard", "discard"),
    ("main", "main", LOST): ((2, 3), None, None, None, "discard", "pool", "discard"),
    ("main", "main", TIED): ((3, 3), None, None, None, "pool", "pool", "attack"),
}
FIGHTERS = sorted({kinds[:2] for kinds in AFTER})


COMPARED = ("attack_vs_defend", "attacker_wins", "defender_wins")
POTIONS = {"mead": item(1, "potion", drunk=1), "cider": item(1, "potion", drunk=2)}


def rules_of(options: tuple[str, ...]) -> dict[str, Any]:
    """Rule options from their values; "keeps" stands for an attacking main that keeps its level."""
    rules: dict[str, Any] = {OPTION_OF[value]: value for value in options if value != "keeps"}
    return rules | ({"main_attack_leveldown": False} if "keeps" in options else {})


def fought_out(
    kinds: tuple[str, str], meeting: str, options: tuple[str, ...], me: int
) -> tuple[Scene, list[Happened], tuple[int, int]]:
    """The scene after the duel, what has happened, and the printed sums of the attacker and the defender.

    Both fighters wear a weapon and an armour and drink a potion, of 1 tooth and of 2; levels are 3, counters 5.
    """
    attacker, defender = [(attack - 2, defend - 2) for attack, defend in MEETINGS[meeting]]
    cards = {"ant": fighter(*attacker), "bee": fighter(*defender), **POTIONS}
    hands = ["ant hum" if kinds[0] == "character" else "hum", "bee hum" if kinds[1] == "character" else "hum"]
    mine = side(hand=hands[0], pool="sword cloak mead penny", level=3, earned=5, main=attacker)
    theirs = side(hand=hands[1], pool="sword cloak cider penny", level=3, earned=5, main=defender)
    s = duel(mine, theirs, cards, me, rules=rules_of(options))
    attack = ["attack ant" if kinds[0] == "character" else "main"]
    block = ["block bee" if kinds[1] == "character" else "main"]
    equip, equip_back = ["equip sword", "equip cloak", "equip mead"], ["equip sword", "equip cloak", "equip cider"]
    if "hidden_equipment" in options:
        events = play(s, *attack, *block, *equip, "pass", *equip_back, "pass")
    else:
        events = play(s, *attack, *equip, *block, *equip_back)
    return s, events, (sum(attacker), sum(defender))


def check_outcome(kinds: tuple[str, str], meeting: str, options: tuple[str, ...], me: int) -> None:
    """The scene after the duel is as the tables above say, number by number."""
    compared = tuple(value for value in COMPARED if value in options)
    result = RESULTS[compared][list(MEETINGS).index(meeting)]
    s, events, sums = fought_out(kinds, meeting, options, me)
    after, rewarded, *places, question = AFTER[*kinds, result]
    if "keeps" in options and kinds[0] == "main" and result == LOST:
        after, question = (3, 3), "attack"
    if "one" in options:
        question = "discard"
    assert asked(s) == (me, question)
    winner = {WON: ("wins", me), LOST: ("wins", 1 - me), TIED: ("ties", me)}[result]
    assert [(e.kind, e.seat) for e in of_kind(events, "wins", "ties")] == [winner]
    assert levels(s) == by_seat(me, *after)
    rewards = [0, 0]
    if rewarded is not None:
        rewards[rewarded] = sums[1 - rewarded if "loser_sum" in options else rewarded]
    for role, drunk, name, potion in ((0, 1, "ant", "mead"), (1, 2, "bee", "cider")):
        seat, equipment = me ^ role, places[2 + role]
        fell = after[role] < 3
        counter = 0 if fell else 5 + rewards[role] + drunk
        # The sword has 2 teeth, cloak and penny 1 each. Who falls has no items any more.
        placed = 0 if fell else 4 if equipment == "pool" else 1
        assert (s.state.earned[seat], total(s, seat)) == (counter, counter + placed)
        assert at(s, seat, "sword", "cloak", potion) == f"{equipment} {equipment} discard"
        assert at(s, seat, "penny") == ("deck" if fell else "pool")
        if kinds[role] == "character":
            assert at(s, seat, name) == places[role]
