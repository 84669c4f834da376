import json

from argus_rl.config.schema import load_settings
from argus_rl.evaluation.material import load_material

HELD_OUT = (
    "A train travels 270 miles in 3 hours. At the same rate, how many additional hours would it "
    "take to travel an additional 180 miles?"
)
REPEATED = HELD_OUT.replace("270", "360").replace("180", "240")
OTHER = "Tom has 5 cards. He buys 8 cards. How many cards does Tom have now?"


def test_contexts_that_repeat_the_exam_are_left_out_and_counted(tmp_path):
    rows = {"set_train": [REPEATED, OTHER], "set_test": [HELD_OUT]}
    for name, texts in rows.items():
        lines = [json.dumps({"question": text, "answer": "2"}) for text in texts]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    material = load_material(load_settings(["data=jsonl", f"data.path={tmp_path}"]))
    assert [problem.text for problem in material.contexts] == [OTHER]
    assert material.left_out == 1


def test_generated_contexts_repeat_nothing():
    material = load_material(load_settings(["data.context_limit=30", "evaluation.per_level=5"]))
    assert len(material.contexts) == 30
    assert material.left_out == 0
