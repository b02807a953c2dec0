"""The section `balance` of a config: what is changed about the cards, on the same deals, to learn what they are worth.

    balance:
      cards: all                         # whose changes are played: all, or a list of ids
      changes: [blank, {number: 3}, {exchange: the_moon}, dealt_to_other]
      sweep: {amina: {at_power_1: [5000, 7400, 9000]}}
      stand_ins: {amina: all}            # what could stand in place of a card: all others, or a list of ids
      rules: all                         # every other value of the rule options, a list of them, or {option: [values]}
      forbid: [death]                    # cards that their holders never play
      false_discoveries: 0.05

A change is a field of `Game.card_fields`, alone where its only value is `true`. A whole number is added to what the
card has as configured, so that `{number: -3}` lowers every number by three; anything else is the new value. A card that
cannot have a change is left out of it. Values of a sweep stand for themselves.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from duelbench.envs.document import Location, kind_of
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game, Option, did_you_mean

ALL = "all"

Where = Callable[[Location], str]
"""How a message begins, from the location of the fault below the key `balance`."""


class Balance(BaseModel):
    """What is asked about the balance of a game. What its words mean in a game, `balance_changes.asked` finds out."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    cards: Annotated[Any, Field(description="Whose changes are played: all, or a list of card ids.")] = ALL
    changes: Annotated[
        list[Any], Field(description="What is changed, one card at a time: fields with true, or {field: value}.")
    ] = []
    sweep: Annotated[
        dict[str, dict[str, Annotated[list[int], Field(min_length=1)]]],
        Field(description="By card and field, the values that are tried on the deals in which the card has a holder."),
    ] = {}
    stand_ins: Annotated[
        dict[str, Any], Field(description="By card, what could stand in its place: all others, or a list of ids.")
    ] = {}
    rules: Annotated[
        Any, Field(description="Rule options whose other values are tried: all, a list, or {option: [values]}.")
    ] = None
    forbid: Annotated[Any, Field(description="Cards that their holders never play: all, or a list of ids.")] = None
    false_discoveries: Annotated[
        float, Field(gt=0, lt=1, description="Share of false ones among the cards that are said to make a difference.")
    ] = 0.05

    def asks_nothing(self) -> bool:
        return not (self.changes or self.sweep or self.stand_ins or self.rules or self.forbid)

    def resolved(self) -> dict[str, Any]:
        """The section as plain data; what is not asked is left out."""
        data = self.model_dump(mode="json")
        return {key: value for key, value in data.items() if value not in (None, [], {})}


def cards_listed(game: Game, given: Any, where: Where, at: Location) -> list[str]:
    """The ids that `all` or a list stands for, in the order of the game's cards."""
    if given == ALL:
        return list(game.card_ids)
    if not isinstance(given, Sequence) or isinstance(given, str) or not given:
        raise BadInput(f"{where(at)}: found {kind_of(given)}; expected {ALL}, or a list of card ids")
    for i, card in enumerate(given):
        check_card(game, card, where((*at, i)))
        if card in given[:i]:
            raise BadInput(f"{where((*at, i))}: found {card!r} twice; expected different cards")
    return sorted(given, key=game.card_ids.index)


def check_card(game: Game, card: Any, where: str) -> None:
    if card not in game.card_ids:
        raise BadInput(f"{where}: unknown card {kind_of(card)}{did_you_mean(str(card), game.card_ids)}")


def rules_listed(game: Game, given: Any, where: Where) -> dict[str, list[Any]]:
    """By option, the values that are asked for; an option of which any whole number is allowed is in no `all`."""
    known = {option.name: option for option in game.options}
    if given is None:
        return {}
    if given == ALL:
        return {o.name: list(o.values) for o in game.options if not isinstance(o.values, range)}
    if isinstance(given, Mapping):
        return {name: _values(_option(known, name, where, name), values, where) for name, values in given.items()}
    if not isinstance(given, list) or not given:
        raise BadInput(
            f"{where(('rules',))}: found {kind_of(given)}; expected {ALL}, a list of options, or {{option: [values]}}"
        )
    return {
        name: _all_values(_option(known, name, where, i), where, i) for i, name in _different(given, where, "rules")
    }


def _different(given: list[Any], where: Where, *at: str) -> Iterator[tuple[int, Any]]:
    """The things of a list with their places; one that is there twice would be counted twice."""
    for i, one in enumerate(given):
        if one in given[:i]:
            raise BadInput(f"{where((*at, i))}: found {one!r} twice; expected different ones")
        yield i, one


def _option(known: Mapping[str, Option], name: Any, where: Where, at: str | int) -> Option:
    if name not in known:
        raise BadInput(f"{where(('rules', at))}: unknown rule option {kind_of(name)}{did_you_mean(str(name), known)}")
    return known[name]


def _values(option: Option, values: Any, where: Where) -> list[Any]:
    if not isinstance(values, list) or not values:
        raise BadInput(f"{where(('rules', option.name))}: found {kind_of(values)}; expected a list of values to try")
    checked = [option.check(value, where(("rules", option.name, i))) for i, value in enumerate(values)]
    return [value for _, value in _different(checked, where, "rules", option.name)]


def _all_values(option: Option, where: Where, at: int) -> list[Any]:
    if isinstance(option.values, range):
        told = f"found {option.name!r}, which may be any whole number from {option.values[0]} to {option.values[-1]}"
        raise BadInput(f"{where(('rules', at))}: {told}; expected its values, as in {{{option.name}: [...]}}")
    return list(option.values)
