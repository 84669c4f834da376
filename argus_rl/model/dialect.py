"""How a language model is talked to: what a prompt looks like, and how a response is read.

The loops speak in problem texts and chains, a model in tokens. A dialect stands between them, one
for each way that a model was taught. The embedded model knows one joint sequence

    <bos> [<step> once per step asked for] question <sep> chain <eos>

so that one set of weights both proposes (writes the question) and solves (writes the chain). The
step marks are there when a problem is asked for and left out when one is to be solved: whoever
solves is not told how long the solution is.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from transformers import AutoTokenizer, PreTrainedTokenizerBase

from argus_rl.data.growth import sentences
from argus_rl.data.story_words import NAMES

SEPARATOR = "<sep>"
"""Ends a question and begins its chain."""
STEP = "<step>"
"""One step of reasoning that a problem is asked to need."""

_FIRST_SENTENCE = re.compile(r"^.*?\.(?=\s|$)", re.DOTALL)
_BEFORE_NUMBER = re.compile(r"^[^0-9.?]*")
_CAPITALS = {name.lower(): name for name in NAMES}


class Dialect(Protocol):
    """Turns the loops' texts into a model's prompts, and its responses into texts."""

    def solve_prompt(self, problem: str) -> str:
        """Prompt that asks for a chain."""
        ...

    def propose_prompt(
        self, steps: int, context: str | None = None, exemplars: Sequence[str] = ()
    ) -> str:
        """Prompt that asks for a new problem of `steps` steps, about what the texts are about."""
        ...

    def grow_prompt(self, beginning: str, steps: int = 1) -> str:
        """Prompt that asks for `steps` more events and a question behind `beginning`."""
        ...

    def read_proposal(self, prompt: str, response: str) -> str | None:
        """Problem text that a response to `prompt` makes; None where it is none."""
        ...

    def read_chain(self, response: str) -> str:
        """Chain that a response to a solve prompt holds."""
        ...

    def encode(self, prompt: str) -> list[int]:
        """Token ids of a prompt, with exactly one start token where the model has one."""
        ...

    def encode_chain(self, chain: str) -> list[int]:
        """Token ids of a chain as a response to learn, end token included, no start token."""
        ...

    def encode_proposal(self, prompt: str, problem: str) -> list[int]:
        """Token ids of the response to `prompt` that makes `problem`, end token included."""
        ...

    def decode(self, ids: Sequence[int]) -> str:
        """Text of response ids, without start, end and padding tokens."""
        ...

    @property
    def chain_stops(self) -> tuple[int, ...]:
        """Ids that end a chain."""
        ...

    @property
    def proposal_stops(self) -> tuple[int, ...]:
        """Ids that end a proposal."""
        ...

    @property
    def padding(self) -> int:
        """Id that fills up a batch; never an id that ends a response."""
        ...


def readable(text: str) -> str:
    """Lower-cased words as English: capitals at the start of sentences and on known names."""
    named = re.sub(r"[a-z]+", lambda word: _CAPITALS.get(word[0], word[0]), text)
    return re.sub(r"(^|[.?] )([a-z])", lambda m: m[1] + m[2].upper(), named)


class EmbeddedDialect:
    """The dialect of the model that ships with the package.

    Args:
        tokenizer: A tokenizer with `<sep>` and `<step>` among its special tokens.

    Raises:
        ValueError: where the tokenizer lacks one of them, or pads with its end token.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        self._tokenizer = tokenizer
        self._separator = _id_of(tokenizer, SEPARATOR)
        _id_of(tokenizer, STEP)
        self._bos = _id_of(tokenizer, str(tokenizer.bos_token))
        self._eos = _id_of(tokenizer, str(tokenizer.eos_token))
        self._padding = _id_of(tokenizer, str(tokenizer.pad_token))
        if self._padding == self._eos:
            raise ValueError(
                "the padding token is the end token: a model could never learn to stop"
            )

    @classmethod
    def load(cls, folder: Path) -> "EmbeddedDialect":
        """Read the tokenizer of a model folder."""
        return cls(AutoTokenizer.from_pretrained(folder))

    def solve_prompt(self, problem: str) -> str:
        """`question <sep>`."""
        return f"{problem} {SEPARATOR}"

    def propose_prompt(
        self, steps: int, context: str | None = None, exemplars: Sequence[str] = ()
    ) -> str:
        """Step marks and the beginning of what to write about.

        A context lends its first sentence (what is there); without one, the last exemplar lends
        the words before its first number (who and where).
        """
        opening = ""
        if context is not None:
            opening = _leading(_FIRST_SENTENCE, context)
        elif exemplars:
            opening = _leading(_BEFORE_NUMBER, exemplars[-1])
        return f"{STEP * steps} {opening}".strip()

    def grow_prompt(self, beginning: str, steps: int = 1) -> str:
        """Step marks and what is given, as if it were the start of a short problem."""
        events = max(0, len(sentences(beginning)) - 1)
        return f"{STEP * (events + steps)} {beginning}"

    def read_proposal(self, prompt: str, response: str) -> str | None:
        """The prompt's opening with the response behind it, if that ends in a question."""
        opening = prompt.replace(STEP, "").strip()
        body = response.split(SEPARATOR, 1)[0].strip()
        text = readable(f"{opening} {body}".strip().lower())
        return text if text.endswith("?") and text.count("?") == 1 else None

    def read_chain(self, response: str) -> str:
        """The response itself: this model writes nothing else."""
        return response.strip()

    def encode(self, prompt: str) -> list[int]:
        """Ids with one start token, whether or not the prompt spells one."""
        return [self._bos, *self._plain(prompt.removeprefix("<bos>"))]

    def encode_chain(self, chain: str) -> list[int]:
        """Ids of the chain and the end token."""
        return [*self._plain(chain), self._eos]

    def encode_proposal(self, prompt: str, problem: str) -> list[int]:
        """Ids of what is left of `problem` after the prompt's opening, and the separator.

        Raises:
            ValueError: where the problem does not begin as the prompt does.
        """
        opening = self._plain(prompt.replace(STEP, ""))
        ids = self._plain(problem)
        if ids[: len(opening)] != opening:
            raise ValueError(f"the problem does not begin with the prompt's words: {problem!r}")
        return [*ids[len(opening) :], self._separator]

    def decode(self, ids: Sequence[int]) -> str:
        """Readable English: digits joined, punctuation attached, capitals restored."""
        return readable(str(self._tokenizer.decode(list(ids), skip_special_tokens=True)))

    @property
    def chain_stops(self) -> tuple[int, ...]:
        """The end token."""
        return (self._eos,)

    @property
    def proposal_stops(self) -> tuple[int, ...]:
        """The separator, or the end token."""
        return (self._separator, self._eos)

    @property
    def padding(self) -> int:
        """The padding token, which is not the end token."""
        return self._padding

    def _plain(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])


def _id_of(tokenizer: PreTrainedTokenizerBase, token: str) -> int:
    found = tokenizer.convert_tokens_to_ids(token)
    if not isinstance(found, int) or found == tokenizer.unk_token_id:
        raise ValueError(f"the tokenizer has no {token!r}: it is not one of the embedded model")
    return found


def _leading(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(text)
    return found[0].strip() if found else ""
