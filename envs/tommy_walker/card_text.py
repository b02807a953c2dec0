"""What a card says, in words made from its numbers alone, so that a changed number changes the text."""

from collections.abc import Iterator

from duelbench.envs.tommy_walker.cards import ANY_CARD, NO_LIMIT, Card, attribute_words


def card_text(card: Card) -> str:
    """The card as one line: attributes, stars and power, then its abilities."""
    gender, *skills = attribute_words(card.attributes)
    attributes = " ".join([gender.capitalize(), *skills])
    return f"{attributes}, {_count(card.stars, 'star')}, power {card.power}. {ability_text(card)}".rstrip()


def ability_text(card: Card) -> str:
    """The abilities of the card, one sentence each, beginning with its timing; empty for a card without any."""
    return " ".join([*_weakness(card), *_entry(card), *_at(card), *_hand(card), *_dmg(card)])


def _weakness(card: Card) -> Iterator[str]:
    if card.ride_only:
        yield "Weakness: may enter by a ride only."


def _entry(card: Card) -> Iterator[str]:
    if card.entry_on:
        yield f"Entry: power {card.entry_power} if the card it covers is {_any_of(card.entry_on)}."
    if card.fetch:
        which = "any card" if card.fetch == ANY_CARD else f"one card that is {_any_of(card.fetch)}"
        yield f"Entry: you may take {which} from your discards into your hand."
    if card.returns:
        yield f"Entry: you may put up to {_count(card.returns, 'hand card')} back into your deck, in any order."


def _at(card: Card) -> Iterator[str]:
    one, two, three = card.at_power
    if card.at_enemy:
        yield f"AT: power {one} while the enemy is {_any_of(card.at_enemy)}."
    if card.at_cover:
        yield f"AT: power {one} if the card it covers is {_any_of(card.at_cover)}."
    if card.at_hand != NO_LIMIT:
        yield f"AT: power {one} while you hold at most {_count(card.at_hand, 'card')}."
    if card.at_discard:
        which = f"hand cards that are {_any_of(card.at_discard)}"
        yield f"AT: discard {which}: power {one} for 1 of them, {two} for 2, {three} for 3."


def _hand(card: Card) -> Iterator[str]:
    effects = []
    if card.barrier_power:
        condition = f" while the enemy is {_any_of(card.barrier_enemy)}" if card.barrier_enemy else ""
        effects.append(f"your power {card.barrier_power:+d}{condition}")
    if card.barrier_enemy_stars:
        effects.append(f"the enemy's stars {card.barrier_enemy_stars:+d}")
    if card.barrier_copy:
        effects.append("when the enemy uses an Entry ability, you may apply it to yourself")
    if card.barrier:
        yield f"Hand (barrier): {'; '.join(effects)}."


def _dmg(card: Card) -> Iterator[str]:
    if card.dmg_riders_stars:
        yield f"DMG: {_count(card.dmg_riders_stars, 'star')} more for beating an enemy that rode."
    if card.dmg_beats:
        enemy = f"an enemy that is {_any_of(card.dmg_beats)}"
        yield f"DMG: {_count(card.dmg_beats_stars, 'star')} more for beating {enemy}."
    if card.dmg_return:
        yield "DMG: after the damage you may discard one hand card to take this card back into your hand."


def _any_of(bits: int) -> str:
    return " or ".join(attribute_words(bits))


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
