"""The validator says what is false in a text, and what is true instead."""

from argus_rl.data.problem import Problem, Source
from argus_rl.sensors.proposer_validator import proposer_validator, trust_premises


def problem(text):
    return Problem(id="p", text=text, source=Source.proposed)


def test_a_false_sum_is_found_with_its_true_value():
    text = "Tom has 12 cards and buys 5, so he has 18 cards in all. How many after 3 more?"
    reading = proposer_validator(problem(text))
    assert not reading.sound
    assert (reading.findings[0].claimed, reading.findings[0].true_value) == ("18", "17")
    assert text[reading.findings[0].start : reading.findings[0].end] == "18"
    assert trust_premises(problem(text)).sound


def test_a_sound_problem_has_no_findings():
    reading = proposer_validator(problem("Tom has 12 cards and buys 5. How many does he have?"))
    assert (reading.sound, reading.findings) == (True, ())
