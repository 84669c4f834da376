from argus_rl.data.contamination import WINDOW, fingerprints, overlap
from argus_rl.data.context import context_texts
from argus_rl.data.generators import held_out

TEXT = "Tom has 12 cards. He buys 5 cards. How many cards does Tom have now?"
LONG = " ".join(f"word{'abcdefghijklmnopqrstuvwxyz'[i % 26]}{'xyz'[i % 3]}" for i in range(40))


def test_the_same_text_is_found_whatever_its_marks_and_capitals():
    known = fingerprints([TEXT])
    assert overlap(TEXT.upper().replace(".", " ;"), known).kind == "same text"


def test_the_same_text_with_other_numbers_is_found():
    found = overlap(TEXT.replace("12", "40"), fingerprints([TEXT]))
    assert (found.kind, found.share) == ("same wording", 1.0)


def test_another_text_is_passed():
    known = fingerprints([TEXT])
    assert overlap(TEXT.replace("buys", "sells"), known) is None
    assert overlap("", known) is None


def test_half_the_windows_of_a_longer_text_are_found_and_fewer_are_passed():
    known = fingerprints([LONG])
    half = " ".join(LONG.split()[:26])
    extended = half + " " + " ".join(f"other{'abcdefghijklmn'[i]}" for i in range(14))
    found = overlap(extended, known)
    windows = 40 - WINDOW + 1
    assert found is not None
    assert found.share == (26 - WINDOW + 1) / windows
    assert overlap(extended, known, most=0.6) is None


def test_nothing_overlaps_with_nothing():
    assert overlap(TEXT, fingerprints([])) is None


def test_context_texts_do_not_repeat_held_out_problems():
    problems, _ = held_out((1, 2, 3), 60, 0)
    known = fingerprints(problem.text for problem in problems)
    found = [overlap(problem.text, known) for problem in context_texts((1, 2, 3), 300, 0)]
    assert not any(one is not None and one.kind != "shared windows" for one in found)
    assert all(overlap(problem.text, known).kind == "same text" for problem in problems)
