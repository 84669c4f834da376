"""Growing a solved problem by a few steps: pure functions on texts, none of which knows an answer.

A solver that learned problems of up to `d` steps finds nothing right at `d + 2`, so consensus on
whole harder problems has nothing to work with. Growth stays where proposer and solver are good:

    solved:  Tom has 12 cards. He buys 5 cards. How many cards does Tom have now?   (says: 17)
    state:   Tom has 17 cards.
    asked:   Tom has 17 cards. He sells 3 cards. How many cards does Tom have now?  (says: 14)
    grown:   Tom has 12 cards. He buys 5 cards. He sells 3 cards. How many ... now? (label 14)

The label is the stored chain with the new steps behind it. Checks on the way use the texts alone:
that a problem is about one thing and asks for its last holder (`well_formed`), and that a chain
quotes the problem's sentences one by one and computes what it says (`faithful`). A text of any
other make is refused with a reason; nothing raises.
"""

import re
from dataclasses import dataclass

from argus_rl.data.story_words import HE_NAMES, SHE_NAMES

_SENTENCE = re.compile(r"[^.?!]+[.?!]")
_NUMBER = re.compile(r"\d+")
_HOW_MANY = re.compile(r"How many ([a-z]+) ")
_WORD = re.compile(r"[A-Za-z]+")
_AFTER_ARTICLE = re.compile(r"\b(?:a|an) ([a-z]+)", re.IGNORECASE)
_HAS = re.compile(r"([A-Z][a-z]+) has\b")
_MID_CAPITAL = re.compile(r"(?<=[a-z0-9,] )([A-Z][a-z]+)")
_RESTATING = "So "
_PRONOUNS = ("He", "She", "It", "They")
_MALE, _FEMALE = frozenset({"he", "him", "his"}), frozenset({"she", "her", "hers"})
_ANSWER = re.compile(r"the answer is (\d{1,9})\.?")
_VALUE = re.compile(r"(\d{1,9})")
_EQUATION = re.compile(r"(\d{1,9}) ([-+*/]) (\d{1,9}) = (\d{1,9})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a text or a chain cannot be used."""

    reason: str
    """One line, without the text's numbers being judged right or wrong by any answer key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    """A longer problem and its chain."""

    text: str
    """The whole problem."""
    chain: str
    """The stored chain with the new steps behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedStep:
    """One step of a quoting chain."""

    quote: str
    """The sentence that it repeats, without final period."""
    operands: tuple[int, ...]
    """Left and right side of the operation; empty where the step only states a value."""
    sign: str
    """`+ - * /`, or empty where the step only states a value."""
    value: int
    """What the step comes to, as it says."""


def sentences(text: str) -> list[str]:
    """The sentences of a text, marks included; words after the last mark are dropped."""
    return [found.strip() for found in _SENTENCE.findall(text)]


def people_of(sentence: str) -> list[str]:
    """People of a sentence in order: who `has`, and capitals inside the sentence."""
    found = {m.start(1): m[1] for p in (_HAS, _MID_CAPITAL) for m in p.finditer(sentence)}
    return [name for _, name in sorted(found.items()) if name not in _PRONOUNS]


def _words(sentence: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(sentence)}


def _other_people(sentence: str, holder: str, introduced: set[str]) -> str | Refusal:
    """Who holds the number after a sentence, given who held it before."""
    people = people_of(sentence)
    new = [name for name in people if name not in introduced]
    if any(name in introduced and name != holder for name in people):
        return Refusal(reason="speaks of someone who no longer holds the number")
    if not new:
        alone = Refusal(reason="compares someone with themselves")
        return holder if len(people) < 2 else alone
    if len(new) > 1 or people[0] != new[0] or holder not in people:
        return Refusal(reason="introduces someone without comparing with who holds the number")
    return new[0]


def _pronoun_fault(sentence: str, holder: str, called: dict[str, bool]) -> str:
    words = _words(sentence)
    male, female = bool(words & _MALE), bool(words & _FEMALE)
    if not (male or female):
        return ""
    if (male and female) or not holder:
        return "uses pronouns that fit nobody"
    expected = called.setdefault(holder, male)
    if holder in HE_NAMES + SHE_NAMES:
        expected = holder in HE_NAMES
    return "" if expected is male else "calls one person both he and she"


def _people_fault(said: list[str]) -> str:
    """Fault of a problem's people; empty where each is introduced once, before use."""
    opening = people_of(said[0])
    if len(opening) > 1:
        return "begins with more than one person"
    holder = opening[0] if opening else ""
    introduced, called = set(opening), dict[str, bool]()
    for sentence in said[1:-1]:
        after = _other_people(sentence, holder, introduced)
        if isinstance(after, Refusal):
            return after.reason
        holder = after
        introduced.add(holder)
        fault = _pronoun_fault(sentence, holder, called)
        if fault:
            return fault
    if people_of(said[-1]) != ([holder] if holder else []):
        return "does not ask about who holds the number in the end"
    return ""


def _wanted(said: list[str]) -> str:
    """What the question counts; empty where it does not ask how many."""
    item = _HOW_MANY.match(said[-1]) if said else None
    return item[1] if item else ""


def _is_scenery(sentence: str, wanted: str) -> bool:
    """Whether a sentence speaks of no number, of nobody and not of what is counted."""
    words = _words(sentence)
    people = people_of(sentence) or words & (_MALE | _FEMALE)
    return not (_NUMBER.search(sentence) or people or wanted in words)


def count_events(text: str) -> int:
    """Number of sentences between opening and question that are no scenery and restate nothing."""
    said = sentences(text)
    wanted = _wanted(said)
    return sum(
        not _is_scenery(one, wanted) and not one.startswith(_RESTATING) for one in said[1:-1]
    )


def without_scenery(text: str) -> str:
    """The text without the sentences between opening and question that are about something else."""
    said = sentences(text)
    wanted = _wanted(said)
    telling = [one for one in said[1:-1] if not _is_scenery(one, wanted)]
    return " ".join([*said[:1], *telling, *said[-1:]]) if len(said) > 1 else text


def _question_fault(said: list[str]) -> str:
    if len(said) < 3:
        return "has no event between its opening and its question"
    if not said[-1].endswith("?") or any(one.endswith("?") for one in said[:-1]):
        return "does not end in its only question"
    if _HOW_MANY.match(said[-1]) is None:
        return "does not ask how many"
    return ""


def _thing_fault(said: list[str]) -> str:
    wanted = _wanted(said)
    if all(_is_scenery(sentence, wanted) for sentence in said[1:-1]):
        return "has no event between its opening and its question"
    if not re.search(rf"\d {wanted}\b", said[0]):
        return "does not begin with a number of what it asks for"
    telling = [sentence for sentence in said[:-1] if not _is_scenery(sentence, wanted)]
    if any(wanted not in _words(sentence) for sentence in telling):
        return "speaks of more than one kind of thing"
    place = _AFTER_ARTICLE.search(said[0])
    if place is not None and place[1] not in _words(said[-1]):
        return "asks about another place than it begins with"
    if any(len(_NUMBER.findall(sentence)) > 1 for sentence in said):
        return "has two numbers in one sentence"
    if _NUMBER.search(said[-1]):
        return "has a number in its question"
    if len(set(said)) < len(said):
        return "says the same sentence twice"
    return ""


def well_formed(text: str) -> Refusal | None:
    """Refusal of a problem text that is not about one thing, one holder at a time; None if it is.

    Reads words only: it does not know what any of them does to a number.
    """
    said = sentences(text)
    if "".join(text.split()) != "".join("".join(said).split()):
        return Refusal(reason="does not end with a sentence")
    fault = _question_fault(said) or _thing_fault(said) or _people_fault(said)
    return Refusal(reason=fault) if fault else None


def read_chain(chain: str) -> tuple[tuple[QuotedStep, ...], int] | Refusal:
    """Steps and stated answer of a quoting chain, as it says, right or wrong."""
    *parts, last = (part.strip() for part in chain.split(";"))
    answer = _ANSWER.fullmatch(last)
    if answer is None:
        return Refusal(reason="does not end in an answer")
    steps: list[QuotedStep] = []
    for part in parts:
        quote, colon, result = (side.strip() for side in part.rpartition(":"))
        value, equation = _VALUE.fullmatch(result), _EQUATION.fullmatch(result)
        if not colon or not (value or equation):
            return Refusal(reason="has a step that is not a quoted sentence with its result")
        if equation:
            operands, sign = (int(equation[1]), int(equation[3])), equation[2]
            steps.append(
                QuotedStep(quote=quote, operands=operands, sign=sign, value=int(equation[4]))
            )
        else:
            steps.append(QuotedStep(quote=quote, operands=(), sign="", value=int(result)))
    return tuple(steps), int(answer[1])


def _true(step: QuotedStep) -> bool:
    if not step.operands:
        return True
    left, right = step.operands
    match step.sign:
        case "+":
            return left + right == step.value
        case "-":
            return left - right == step.value
        case "*":
            return left * right == step.value
        case _:
            return right != 0 and left == right * step.value


def _step_fault(step: QuotedStep, sentence: str, before: int | None, wanted: str) -> str:
    """Fault of one step, given its sentence and the value before it (None at the start)."""
    numbers = [int(found) for found in _NUMBER.findall(sentence)]
    if step.quote.lower() != sentence[:-1].lower():
        return "quotes what the problem does not say, or not in its order"
    if not _true(step):
        return "states an equation that is false"
    if _is_scenery(sentence, wanted):
        kept = not step.operands and step.value == before
        return "" if kept else "computes where nothing is counted"
    if step.operands:
        if before is None or step.operands[0] != before:
            return "does not compute with the value before"
        return "" if set(numbers) <= {step.operands[1]} else "leaves a number out"
    if numbers != [step.value]:
        return "states another number than its sentence"
    return "" if before in (None, step.value) else "restates another value than it had"


def faithful(chain: str, problem: str) -> Refusal | None:
    """Refusal of a chain that does not quote `problem` step by step and compute truly.

    None means: one step a sentence, in order and in the problem's words; every equation true and
    continuing from the value before; every number used; the answer is the last value. It does not
    mean that the right operations were chosen: that is left to consensus.
    """
    parsed = read_chain(chain)
    if isinstance(parsed, Refusal):
        return parsed
    steps, answer = parsed
    said = sentences(problem)
    wanted = _wanted(said)
    if len(steps) != len(said) - 1:
        return Refusal(reason="does not have one step a sentence")
    before: int | None = None
    for step, sentence in zip(steps, said[:-1], strict=True):
        fault = _step_fault(step, sentence, before, wanted)
        if fault:
            return Refusal(reason=fault)
        before = step.value
    return None if answer == before else Refusal(reason="answers with another value than its last")


def state_sentence(problem: str, value: int) -> str | Refusal:
    """The present state of a solved problem as a sentence that a one-step problem may begin with.

    The opening with `value` for its number; where a comparison handed the number on to someone,
    that person holds it.
    """
    said = sentences(problem)
    if len(said) < 2 or len(_NUMBER.findall(said[0])) != 1:
        return Refusal(reason="does not begin with one number")
    people = [name for sentence in said[:-1] for name in people_of(sentence)[:1]]
    opening = _NUMBER.sub(str(value), said[0])
    first = people_of(said[0])
    if not first:
        return opening
    if people[-1] == first[0]:
        return opening
    return re.sub(rf"\b{first[0]}\b", people[-1], opening)


def going_on(problem: str, chain: str) -> str | Refusal:
    """What a problem that goes on from a solved one begins with: its last event, and what it met.

    The event shows what kind of story it is, so that growth keeps to it: from the bare state, a
    story of nothing but comparisons becomes one of anything else. Where the last sentence changes
    nothing, or the chain does not go sentence by sentence, the present state stands alone.
    """
    said, parsed = sentences(problem), read_chain(chain)
    if isinstance(parsed, Refusal):
        return parsed
    steps, answer = parsed
    if len(said) < 3 or len(steps) != len(said) - 1 or not steps[-1].operands:
        return state_sentence(problem, answer)
    before = state_sentence(" ".join([*said[:-2], said[-1]]), steps[-2].value)
    return before if isinstance(before, Refusal) else f"{before} {said[-2]}"


def shared_sentences(problem: str, asked: str) -> int:
    """How many sentences of `asked` stand for what `problem` says already: the state, the event."""
    base, added = sentences(problem), sentences(asked)
    repeats = len(base) > 2 and len(added) > 2 and added[1].lower() == base[-2].lower()
    return 2 if repeats else 1


def grown_text(problem: str, asked: str) -> str | Refusal:
    """`problem` with the new events and the question of `asked`, which goes on from it."""
    base, added = sentences(problem), sentences(asked)
    shared = shared_sentences(problem, asked)
    if len(base) < 2 or len(added) < shared + 2:
        return Refusal(reason="there is no event to add")
    text = " ".join([*base[:-1], *added[shared:]])
    return well_formed(text) or text


def grown_chain(chain: str, asked_chain: str, shared: int = 1) -> str | Refusal:
    """`chain` with the steps of `asked_chain`, its first `shared` left out, for its answer."""
    base, added = chain.split(";"), asked_chain.split(";")
    if len(base) < 2 or len(added) < shared + 2:
        return Refusal(reason="there is no step to add")
    return "; ".join(part.strip() for part in [*base[:-1], *added[shared:]])


def splice(problem: str, chain: str, asked: str, asked_chain: str) -> Grown | Refusal:
    """A solved problem grown by what `asked` adds to it.

    Args:
        problem: Text of the solved problem.
        chain: Its chain, the stored label.
        asked: Problem that begins as `going_on` says.
        asked_chain: The chain that consensus chose for `asked`.

    Returns:
        The grown problem and chain, both checked by `well_formed` and `faithful`, or the reason
        why there is none.
    """
    fault = well_formed(asked) or faithful(asked_chain, asked)
    if fault is not None:
        return fault
    text = grown_text(problem, asked)
    if isinstance(text, Refusal):
        return text
    longer = grown_chain(chain, asked_chain, shared_sentences(problem, asked))
    if isinstance(longer, Refusal):
        return longer
    return faithful(longer, text) or Grown(text=text, chain=longer)
