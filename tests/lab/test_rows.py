from argus_rl.lab.rows import put_row, read_rows


def test_a_line_that_is_no_row_is_left_out_and_does_not_come_back(tmp_path):
    path = tmp_path / "audit.jsonl"
    put_row(path, {"episode": 0, "right": 3})
    with path.open("ab") as file:
        file.write(b'[1, 2]\n{"right": 4}\n\xff\n{"episode": 1, "ri')
    assert read_rows(path) == [{"episode": 0, "right": 3}]
    put_row(path, {"episode": 1, "right": 5})
    assert read_rows(path) == [{"episode": 0, "right": 3}, {"episode": 1, "right": 5}]
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2


def test_no_file_has_no_rows(tmp_path):
    assert read_rows(tmp_path / "audit.jsonl") == []
