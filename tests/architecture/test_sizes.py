from tests.architecture.checkout import ROOT, committed_files

MOST_LINES = 400
MODULES = [
    path
    for path in committed_files()
    if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in {"app", "packaging"}
]


def test_modules_have_at_most_400_lines() -> None:
    lines = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n")
        for path in MODULES
    }
    assert {path: number for path, number in lines.items() if number > MOST_LINES} == {}
