"""Errors by the border they crossed, each with what to do about it.

Three kinds reach a user, and each is one line: `ConfigError` (the request cannot be met; exit code
2), `RunDirError` (a run folder cannot be used as asked; exit code 2) and `RunStopped` (the run
ended early and everything committed is safe; exit code 3). A bad proposal or a chain without an
answer is no error but data, and is written to the ledger.
"""


class ArgusError(Exception):
    """The base of every error that a user can do something about. The message is one clear line."""

    exit_code = 1


class ConfigError(ArgusError):
    """The configuration asks for something impossible; the message names the dotted key."""

    exit_code = 2


class DataError(ArgusError):
    """A data file is missing, empty or malformed; the message names the file and the line."""

    exit_code = 2


class ModelError(ArgusError):
    """A model cannot be loaded or does not fit the request; the message says what to change."""

    exit_code = 2


class RunDirError(ArgusError):
    """A run folder is missing, in use, or was made by another configuration."""

    exit_code = 2


class CheckpointError(ArgusError):
    """A checkpoint is damaged. The reader names it and falls back to the last good one."""

    exit_code = 2


class RunStopped(ArgusError):
    """The run cannot go on (disk full, non-finite losses in a row); what was committed is safe."""

    exit_code = 3


class SealedAnswerError(ArgusError, KeyError):
    """Somebody asked for an answer that the key does not hold."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else "no such answer"
