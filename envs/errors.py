"""The errors that people see."""


class BadInput(ValueError):
    """Something a person wrote is wrong. One line: where, what was found, what is allowed. The CLI exits with 2."""


class IllegalAction(ValueError):
    """An action the rules do not allow here. It is refused; nothing has changed."""

    def __init__(self, seat: int, action_name: str, reason: str) -> None:
        super().__init__(f"player_{seat} may not {action_name}: {reason}")
        self.seat = seat
        self.action_name = action_name
        self.reason = reason
