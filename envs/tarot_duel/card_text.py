"""What a card says, with the amount of its effect in it, so that a changed amount changes the text."""

from duelbench.envs.tarot_duel.cards import CARDS, NO_EFFECT

_WORDS = "no one two three four five six seven eight nine ten".split()
_MULTIPLIED = {1: "counted once", 2: "doubled", 3: "tripled"}
_TEXTS = {card.effect: card.text for card in CARDS}


def card_text(effect: int, amount: int) -> str:
    """The text of the card that carries the effect; empty for a card without one."""
    if effect == NO_EFFECT:
        return ""
    word = _WORDS[amount] if amount < len(_WORDS) else str(amount)
    return _TEXTS[effect].format(
        amount=amount,
        word=word,
        Word=word.capitalize(),
        s="" if amount == 1 else "s",
        is_="is" if amount == 1 else "are",
        multiplied=_MULTIPLIED.get(amount),
        last=_last_turn(amount, word),
    )


def _last_turn(amount: int, word: str) -> str:
    """How Death says how many turns come after it."""
    if amount < 2:
        return "this turn is the last" if amount == 0 else "the next turn is the last"
    return f"{word} more turns are left"
