"""What every game offers to the rest of the toolkit."""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from duelbench.envs import dispatch
from duelbench.envs.card_use import CardUse
from duelbench.envs.decks import DeckChoice, DeckRules, deck_sources
from duelbench.envs.document import kind_of, shortened
from duelbench.envs.errors import BadInput, IllegalAction
from duelbench.envs.patches import CardField, Patches, check_shape
from duelbench.envs.records import blank


@dataclass(frozen=True)
class Option:
    """A named rule option; the first of `values` is the default. A `range` allows any whole number in it."""

    name: str
    values: tuple[Any, ...] | range
    meaning: str
    default: Any = None

    def __post_init__(self) -> None:
        if self.default is None:
            object.__setattr__(self, "default", self.values[0])

    def check(self, value: Any, where: str) -> Any:
        """Return `value`, or raise BadInput with its place, what was found and what is allowed."""
        hint = ""
        if isinstance(self.values, range):
            if type(value) is int and value in self.values:
                return value
            allowed = f"a whole number from {self.values[0]} to {self.values[-1]}"
        else:
            if any(type(value) is type(allowed) and value == allowed for allowed in self.values):
                return value
            allowed = ", ".join(v if isinstance(v, str) else kind_of(v) for v in self.values)
            hint = _nearest(value, [v for v in self.values if isinstance(v, str)])
        found = f"the text {kind_of(value)}" if isinstance(value, str) else kind_of(value)
        raise BadInput(f"{where} is {found}; allowed: {allowed}{hint}")


@dataclass(frozen=True, eq=False)
class Game:
    """One game: its layouts, its six compiled functions (through `dispatch`) and its words for people.

    Actions are numbers 0 .. num_actions - 1; seats are 0 and 1; cards are numbers 0 .. len(card_ids) - 1.
    """

    name: str
    title: str
    title_ja: str
    version: int
    """Raised whenever the same seed and actions would lead to another game."""
    state_dtype: np.dtype
    table_dtype: np.dtype
    view_dtype: np.dtype
    num_actions: int
    options: tuple[Option, ...]
    card_ids: tuple[str, ...]
    card_names: tuple[str, ...]
    card_names_ja: tuple[str, ...]
    card_texts: tuple[str, ...]
    reasons: tuple[str, ...]
    """Why a game ended; `state.reason` is an index into it, 0 while the game runs."""
    build_table: Callable[..., np.record]
    """The table for a complete mapping of option values; a game with decks also takes the two seats' DeckSources.
    With the keyword `cards` it is made from these cards, which `patched_cards` returned."""
    action_name: Callable[[np.record, np.record, int], str]
    """(table, state, action): a short imperative phrase, unique among the actions legal in the state."""
    why_illegal: Callable[[np.record, np.record, int], str]
    """(table, state, action): why the action is not allowed there."""
    decision_kind: Callable[[np.record], str]
    """What kind of decision is pending, as a stable English id."""
    describe: Callable[[np.record, np.record, int | None], str]
    """(table, state, seat): the table as `seat` sees it, or everything for None; at the end also who won and why."""
    zones: Callable[[np.record], dict[str, Any]]
    """The full state as plain JSON data, cards by id, zone by zone; the random stream left out."""
    event_data: Callable[[np.void], dict[str, Any]]
    """An event as plain JSON data, cards by id."""
    event_text: Callable[[np.record, np.void], str]
    """(table, event): the event in a sentence, told with full knowledge."""
    view_meanings: Mapping[str, str]
    """What each piece of the observation means, by its name in `view_dtype`."""
    unseen_events: Mapping[str, str] = field(default_factory=dict)
    """By kind of event, the sentence for a seat from which card and value are hidden; {who} stands for its player."""
    deck_rules: DeckRules | None = None
    """What makes a list of cards a deck; None for a game that seats bring no decks to."""
    notice: str = ""
    """One line that stands wherever the game is shown to people; empty for none."""
    patched_cards: Callable[[Patches, str], Any] | None = None
    """(patches, where): the cards with `patches`, for `build_table`; BadInput, beginning with `where` and the card and
    field, for what cannot be changed so. None for a game whose cards cannot be patched."""
    card_fields: tuple[CardField, ...] = ()
    """What `patched_cards` can change."""
    start_cards: Callable[[np.record, np.record], np.ndarray] | None = None
    """(table, dealt state): int8[2, cards], how many of each card are each seat's when play begins: its deck, or its
    hand where both draw from one deck."""
    card_numbers: Callable[[Patches, str], Mapping[str, Mapping[str, int]]] | None = None
    """(patches, where): by the id of a card, the numbers of its own that `patched_cards` can change, as they are with
    `patches`; BadInput as there."""
    played_card: Callable[[np.record, np.record, int], int] | None = None
    """(table, state, action): the card that the action plays, -1 for one that plays none."""
    card_use: CardUse | None = None
    """How the use of cards is read from the events; None for a game without statistics of cards."""

    @property
    def view_size(self) -> int:
        """Number of float32 values in an observation."""
        return self.view_dtype.itemsize // 4

    def table(
        self,
        rules: Mapping[str, Any] | None = None,
        where: str = "",
        decks: DeckChoice = None,
        cards: Patches | None = None,
    ) -> np.record:
        """The card and option table for `rules` (option name -> value; missing ones take their default).

        `decks` says what the seats play with (see `duelbench.envs.decks.deck_sources`; None: random decks), `cards`
        what is changed about single cards (see `duelbench.envs.patches`). Raises BadInput for an unknown option or
        card, a value that is not allowed, an unusable deck, and decks for a game without them; `where` starts the
        messages about rules and cards.
        """
        resolved = self.resolved_rules(rules, where)
        changed = {"cards": self.check_patches(cards, where)} if cards else {}
        if self.deck_rules is None and decks is None:
            return self.build_table(resolved, **changed)
        return self.build_table(resolved, deck_sources(self, decks), **changed)

    def check_patches(self, patches: Patches, where: str = "") -> Any:
        """The cards with `patches`, as `build_table` takes them; BadInput for what the game cannot change so."""
        section = f"{where}: cards" if where else "cards"
        check_shape(patches, section)
        if self.patched_cards is None:
            raise BadInput(f"{section}: the cards of {self.name} cannot be changed")
        for card in patches:
            if card not in self.card_ids:
                raise BadInput(f"{section}: unknown card {card!r}{did_you_mean(card, self.card_ids)}")
        return self.patched_cards(patches, section)

    def resolved_rules(self, rules: Mapping[str, Any] | None, where: str = "") -> dict[str, Any]:
        """Every option with its value, checked; raises BadInput as `table` does."""
        known = {option.name: option for option in self.options}
        values = {option.name: option.default for option in self.options}
        section = f"{where}: rules" if where else "rules"
        if rules is not None and not isinstance(rules, Mapping):
            raise BadInput(f"{section}: found {kind_of(rules)}; expected a mapping from rule options to their values")
        for name, value in (rules or {}).items():
            at = f"{section}.{shortened(str(name))}"
            if name not in known:
                raise BadInput(f"{at}: {self.name} has no rule option {kind_of(name)}{did_you_mean(name, known)}")
            values[name] = known[name].check(value, at)
        return values

    def new_states(self, count: int) -> np.ndarray:
        """`count` blank states: an array of records whose fields read the same with and without compilation."""
        return blank(count, self.state_dtype)

    def new_state(self) -> np.record:
        state: np.record = blank(1, self.state_dtype)[0]
        return state

    def dealt(self, table: np.record, seed: int) -> np.record:
        """A fresh state, dealt from `seed` (an integer in [0, 2**64))."""
        state = self.new_state()
        dispatch.deal(table, state, np.uint64(seed))
        return state

    def mask(self, table: np.record, state: np.record) -> np.ndarray:
        """int8[num_actions], 1 for what the seat to act may do; all zero exactly when the game is over."""
        mask = np.zeros(self.num_actions, np.int8)
        dispatch.legal(table, state, mask)
        return mask

    def legal_actions(self, table: np.record, state: np.record) -> list[int]:
        return [int(action) for action in np.flatnonzero(self.mask(table, state))]

    def observation(self, table: np.record, state: np.record, seat: int) -> np.ndarray:
        """float32[view_size]: what `seat` knows, in the order of the index table of the game's page."""
        views = blank(1, self.view_dtype)
        dispatch.observe(table, state, seat, views[0])
        return views.view(np.float32)

    def play(self, table: np.record, state: np.record, action: int) -> None:
        """Carry out `action`, or raise IllegalAction and change nothing."""
        self.check_action(table, state, action)
        dispatch.apply(table, state, int(action))

    def check_action(self, table: np.record, state: np.record, action: int) -> None:
        """Raise IllegalAction unless `action` is legal for the seat to act."""
        seat = int(state.to_act)
        if isinstance(action, bool | np.bool_) or not isinstance(action, int | np.integer):
            raise IllegalAction(seat, f"take {action!r}", "an action is a whole number")
        if not 0 <= action < self.num_actions:
            raise IllegalAction(seat, f"take action {action}", f"actions are 0 to {self.num_actions - 1}")
        if not self.mask(table, state)[action]:
            name = self.action_name(table, state, int(action))
            reason = "the game is over" if state.over else self.why_illegal(table, state, int(action))
            raise IllegalAction(seat, name, reason)

    def parse_action(self, table: np.record, state: np.record, text: str) -> int:
        """The legal action of that name (or number); BadInput lists the legal ones otherwise."""
        names = {self.action_name(table, state, action): action for action in self.legal_actions(table, state)}
        wanted = " ".join(text.split()).casefold()
        for name, action in names.items():
            if wanted in (name.casefold(), str(action)):
                return action
        raise BadInput(f"{text!r} is not a legal action here; legal: {', '.join(names)}")

    def events(self, state: np.record) -> list[np.void]:
        """What the last action (or the deal) caused, in order."""
        return list(np.asarray(state.events)[: int(state.n_events)])

    def event_told(self, table: np.record, event: np.void, seat: int) -> str:
        """The event in a sentence that `seat` may hear; empty where it does not even notice that anything happened."""
        if event["seen_by"] >> seat & 1:
            return self.event_text(table, event)
        if event["seen_by"] & dispatch.SECRET:
            return ""
        return self.unseen_events[self.event_data(event)["kind"]].format(who=f"player_{event['seat']}")


def did_you_mean(word: str, known: Any) -> str:
    """The ending of an error about an unknown name: the nearest known one, and all of them."""
    names = sorted(str(name) for name in known)
    return f"{_nearest(word, names)} (known: {', '.join(names)})"


def _nearest(word: Any, names: list[str]) -> str:
    near = difflib.get_close_matches(str(word), names, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
