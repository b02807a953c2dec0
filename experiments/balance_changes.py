"""What the section `balance` of a config asks for in a game: single changes, and the variants they are played in.

Several questions may ask for the same variant; it is played once. What equals the game as configured is not played
again: its games are those of the variant AS_CONFIGURED.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from duelbench.envs.document import kind_of
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game, did_you_mean
from duelbench.envs.patches import EXCHANGE, Patches, patch_name
from duelbench.envs.records import is_whole
from duelbench.experiments.balance_config import ALL, Balance, Where, cards_listed, check_card, rules_listed
from duelbench.experiments.variants import AS_CONFIGURED, Variant, variant, with_patches

NEVER_PLAYED = "never played"
"""The kind of change that leaves the card as it is but keeps its holder from playing it (Jaffe et al. 2012)."""


@dataclass(frozen=True)
class CardChange:
    """One card changed in one way, on the deals in which the card has a holder."""

    card: str
    kind: str
    """The same words for every card: `blank`, `number+3`, `exchange=the_moon`, NEVER_PLAYED."""
    variant: str


@dataclass(frozen=True)
class Sweep:
    """One number of a card and the values that are tried for it; the one it has as configured is always among them."""

    card: str
    field: str
    configured: int
    points: tuple[tuple[int, str], ...]
    """Value and variant, by ascending values."""


@dataclass(frozen=True)
class StandIns:
    """Cards that are exchanged for a card, one in each deal."""

    card: str
    others: tuple[tuple[str, str], ...]
    """Card id and variant."""


@dataclass(frozen=True)
class RuleChange:
    """One rule option with another value, on all deals."""

    option: str
    value: Any
    variant: str


@dataclass(frozen=True)
class Asked:
    """All that a section asks for."""

    variants: Mapping[str, Variant]
    """By name, the game as configured first."""
    changes: tuple[CardChange, ...] = ()
    sweeps: tuple[Sweep, ...] = ()
    stand_ins: tuple[StandIns, ...] = ()
    rules: tuple[RuleChange, ...] = ()
    left_out: tuple[tuple[str, str, str], ...] = ()
    """Card, kind of change, and why the card cannot have it."""

    @property
    def holds_cards(self) -> bool:
        """Whether it matters who holds which card."""
        return bool(self.changes or self.sweeps or self.stand_ins)


def asked(game: Game, rules: Mapping[str, Any], cards: Patches, balance: Balance, where: Where) -> Asked:
    """What `balance` asks for in the game with these `rules` and `cards`.

    Raises BadInput, with its place, for what the game does not know, and for a change that no card can have.
    """
    if balance.asks_nothing():
        raise BadInput(f"{where(())}: found nothing that is asked; expected changes, sweep, rules or forbid")
    found = _Reader(game, rules, cards, where).read(balance)
    if found.holds_cards and game.start_cards is None:
        raise BadInput(
            f"{where(())}: {game.name} does not tell which cards a seat begins with, only rules can be tried"
        )
    return found


class _Reader:
    """Collects variants while it reads the parts of a section."""

    def __init__(self, game: Game, rules: Mapping[str, Any], cards: Patches, where: Where) -> None:
        self._game = game
        self._rules = game.resolved_rules(rules)
        self._cards = cards
        self._numbers = game.card_numbers(cards, "cards") if game.card_numbers is not None else {}
        self._where = where
        self._variants = {AS_CONFIGURED: Variant()}
        self._left_out: list[tuple[str, str, str]] = []

    def read(self, balance: Balance) -> Asked:
        cards = cards_listed(self._game, balance.cards, self._where, ("cards",))
        changes: list[CardChange] = []
        for i, given in enumerate(balance.changes):
            more = self._changes(cards, given, ("changes", i))
            if any(change.kind == more[0].kind for change in changes):
                raise BadInput(f"{self._where(('changes', i))}: found {more[0].kind!r} twice; expected different ones")
            changes += more
        changes += self._forbidden(balance.forbid)
        sweeps = [
            self._sweep(card, field, values)
            for card, fields in balance.sweep.items()
            for field, values in fields.items()
        ]
        stand_ins = [self._stand_ins(card, given, balance.sweep) for card, given in balance.stand_ins.items()]
        rules = list(self._rule_changes(rules_listed(self._game, balance.rules, self._where)))
        if len(self._variants) == 1:
            raise BadInput(f"{self._where(())}: found nothing that differs from the game as configured")
        return Asked(
            self._variants, tuple(changes), tuple(sweeps), tuple(stand_ins), tuple(rules), tuple(self._left_out)
        )

    # --- Changes of every card --------------------------------------------------------------------------------

    def _changes(self, cards: Sequence[str], given: Any, at: tuple[str | int, ...]) -> list[CardChange]:
        field, value = self._one_field(given, at)
        kind = _kind(field, value)
        found, refusals = [], []
        for card in cards:
            try:
                patch = {card: {field: self._value(card, field, value)}}
                found.append(CardChange(card, kind, self._patched(patch, self._where(at))))
            except _CannotHave as refusal:
                refusals.append((card, kind, str(refusal)))
        if not found:
            raise BadInput(f"{self._where(at)}: no card can have {kind!r}: {refusals[0][2]}")
        self._left_out += refusals
        return found

    def _one_field(self, given: Any, at: tuple[str | int, ...]) -> tuple[str, Any]:
        one = {given: True} if isinstance(given, str) else given
        if not isinstance(one, Mapping) or len(one) != 1:
            told = "expected a field such as blank, or a mapping of one field as in {number: 3}"
            raise BadInput(f"{self._where(at)}: found {kind_of(given)}; {told}")
        ((field, value),) = one.items()
        known = [known.name for known in self._game.card_fields]
        if field not in known:
            raise BadInput(f"{self._where(at)}: unknown change {kind_of(field)}{did_you_mean(str(field), known)}")
        return field, value

    def _value(self, card: str, field: str, value: Any) -> Any:
        if field == EXCHANGE and card == value:
            raise _CannotHave("a card has nothing to trade with itself")
        return self._number(card, field) + value if is_whole(value) else value

    def _number(self, card: str, field: str) -> int:
        """The number as configured."""
        numbers = self._numbers.get(card, {})
        if field not in numbers:
            raise _CannotHave(f"{card} has no {field}; its numbers are: {', '.join(numbers) or 'none'}")
        return numbers[field]

    def _patched(self, patches: Patches, at: str, replaced: str = "") -> str:
        """The name of the variant with these patches; _CannotHave where the game refuses them.

        What the config changes about the card `replaced` falls away, as another one stands in its place.
        """
        kept = {card: fields for card, fields in self._cards.items() if card != replaced}
        for card, fields in patches.items():
            if EXCHANGE in fields and {card, fields[EXCHANGE]} & set(kept):
                raise _CannotHave("the config changes one of the two cards itself, which would not move with the rest")
        try:
            self._game.check_patches(with_patches(kept, patches), at)
        except BadInput as error:
            raise _CannotHave(_reason(str(error).removeprefix(f"{at}: cards."), patches)) from None
        return self._named(replace(variant({}, patches), replaced=replaced))

    def _named(self, one: Variant) -> str:
        self._variants.setdefault(one.name, one)
        return one.name

    # --- Restricted play, sweeps, stand-ins, rules ---------------------------------------------------------------

    def _forbidden(self, given: Any) -> Iterator[CardChange]:
        if given is None:
            return
        if self._game.played_card is None:
            raise BadInput(f"{self._where(('forbid',))}: {self._game.name} does not tell which action plays which card")
        for card in cards_listed(self._game, given, self._where, ("forbid",)):
            yield CardChange(card, NEVER_PLAYED, self._named(Variant(f"{card} {NEVER_PLAYED}", never=card)))

    def _sweep(self, card: str, field: str, values: Sequence[int]) -> Sweep:
        check_card(self._game, card, self._where(("sweep", card)))
        at = self._where(("sweep", card, field))
        if len(set(values)) < len(values):
            raise BadInput(f"{at}: found a value twice; expected different ones")
        try:
            configured = self._number(card, field)
            names = {value: self._patched({card: {field: value}}, at) for value in values if value != configured}
        except _CannotHave as refusal:
            raise BadInput(f"{at}: {refusal}") from None
        names[configured] = AS_CONFIGURED
        return Sweep(card, field, configured, tuple(sorted(names.items())))

    def _stand_ins(self, card: str, given: Any, sweep: Mapping[str, Any]) -> StandIns:
        at = ("stand_ins", card)
        check_card(self._game, card, self._where(at))
        if self._game.deck_rules is None:
            told = "a card is fair where its holder wins as often as the other seat; leave out stand_ins"
            raise BadInput(f"{self._where(at)}: {self._game.name} is played without decks, and {told}")
        if card not in sweep:
            raise BadInput(f"{self._where(at)}: found no sweep of {card!r}, which its stand-ins are compared with")
        others = [other for other in cards_listed(self._game, given, self._where, at) if other != card]
        found = []
        for other in others:
            try:
                found.append((other, self._patched({card: {EXCHANGE: other}}, self._where(at), replaced=card)))
            except _CannotHave as refusal:
                if given != ALL:
                    raise BadInput(f"{self._where(at)}: {refusal}") from None
                self._left_out.append((card, f"{EXCHANGE}={other}", str(refusal)))
        if not found:
            raise BadInput(f"{self._where(at)}: no other card can stand in place of {card!r}")
        return StandIns(card, tuple(found))

    def _rule_changes(self, listed: Mapping[str, Sequence[Any]]) -> Iterator[RuleChange]:
        for option, values in listed.items():
            for value in values:
                if value != self._rules[option]:
                    yield RuleChange(option, value, self._named(variant({option: value}, {})))


class _CannotHave(Exception):
    """Why a card cannot have a change."""


def _reason(complaint: str, patches: Patches) -> str:
    """What a game says against the patches, without the card and the field of a single one."""
    ((card, fields),) = patches.items()
    return complaint.removeprefix(f"{card}.{next(iter(fields))}: ")


def _kind(field: str, value: Any) -> str:
    if value is True:
        return field
    return f"{field}{value:+d}" if is_whole(value) else patch_name({"": {field: value}}).removeprefix(".")
