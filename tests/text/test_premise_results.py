"""Results judged by the part each quantity plays, whatever the order and the words."""

import pytest

from argus_rl.text.premises.reading import read_text
from argus_rl.text.premises.roles import roles_of
from argus_rl.text.premises.validator import check_premises


def groups(text: str) -> list[str]:
    return [role.group for row in roles_of(read_text(text)) for role in row]


def true_values(text: str) -> set[str]:
    return {finding.true_value for finding in check_premises(text).findings}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("There are 7 trays with 9 rolls on each tray.", ["", "tray"]),
        ("Each of the 4 heirs gets $90.", ["", "each"]),
        ("She packs 5 boxes of 12 eggs.", ["", "box"]),
        ("He earns $15 an hour.", ["hour"]),
        ("The jug holds 3 litres.", [""]),
    ],
)
def test_a_size_is_told_from_a_count_by_the_words_around_it(text: str, expected: list[str]):
    assert groups(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "There are 7 trays with 9 rolls on each tray, so there are {} rolls. How many are left?",
        "Each of the 7 trays holds 9 rolls. All {} rolls are sold. What do they bring in?",
        "{} rolls were put on 7 trays with 9 rolls on each tray. How many are 3 trays?",
        "With 9 rolls on a tray, 7 trays hold {} rolls. How many do 10 trays hold?",
    ],
)
def test_a_product_is_checked_in_any_order_of_telling(text: str):
    assert check_premises(text.format(63)).sound
    assert "63" in true_values(text.format(73))


def test_two_priced_lots_are_added_as_products():
    text = "Max buys 3 pens at $4 each and 2 pads at $5 each, spending ${} in all. What is left?"
    assert check_premises(text.format(22)).sound
    assert true_values(text.format(24)) == {"22"}


def test_a_proportion_is_taken_up_with_other_numbers():
    text = "For every 3 rams there are 5 ewes. With 12 rams go {} ewes. How many sheep is that?"
    assert check_premises(text.format(20)).sound
    assert true_values(text.format(22)) == {"20"}


def test_a_shape_agrees_with_itself_from_either_end():
    assert check_premises("A yard 8 m long and 5 m wide has 40 square metres. How many?").sound
    assert true_values("A yard 8 m long and 5 m wide has 45 square metres. How many?") == {"40"}
    assert true_values("A square with sides of 6 m has a perimeter of 36 m. How many?") == {"24"}


def test_no_more_is_taken_than_there_is():
    text = (
        "A tank holds 90 litres and is never refilled. {} litres are poured out. How much is left?"
    )
    assert check_premises(text.format(60)).sound
    assert true_values(text.format(95)) == {"not below 0"}


def test_whole_things_are_not_cut():
    assert check_premises("Exactly a third of the 33 goats are brown. How many?").sound
    assert true_values("Exactly a third of the 34 goats are brown. How many?") == {"a whole number"}
    assert check_premises("Exactly a third of the 34 cakes was eaten. How many?").sound


def test_nothing_is_shared_among_nobody():
    assert true_values("The 30 nuts are shared equally by 0 mice. How many each?") == {"not 0"}
    assert check_premises("The team lost 0 of its 30 games. How many did it win?").sound


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("The mill, built in 1820, was 105 years old in 1920. How old is it?", "100"),
        ("From 4 May to 20 May are 18 days. How many weeks is that?", "16"),
        ("The play starts at 19:30, lasts 80 minutes and ends at 20:40. How long?", "20:50"),
    ],
)
def test_two_points_in_time_fix_what_lies_between(text: str, true: str):
    assert true in true_values(text)


def test_one_amount_in_two_units_is_one_amount():
    assert check_premises("The path is 2.5 km, that is 2,500 m, long. How many laps?").sound
    assert true_values("The path is 2.5 km, that is 250 m, long. How many laps?") == {"2500"}
    assert true_values("She has 4 dozen eggs, that is 40 eggs. How many are left?") == {"48"}


def test_news_is_not_taken_for_a_result():
    assert check_premises("Ann has 12 cards and Tom has 7, so he buys 20 more. How many now?").sound
    assert check_premises("A pen costs $3 and a pad $5. Joe has $9. What is left?").sound
