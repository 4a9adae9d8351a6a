"""What `dev.py generate` leaves to people."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "packaging"))

from generated_files import unfinished


def test_texts_without_a_translation_and_those_with_a_guess_are_unfinished() -> None:
    translations = """<!DOCTYPE TS>
    <TS><context><name>Menu</name>
    <message><source>New</source><translation type="unfinished"></translation></message>
    <message><source>&amp;Quit</source><translation type="unfinished">ab</translation></message>
    <message><source>Open</source><translation>ab</translation></message>
    <message numerus="yes"><source>%n row(s)</source><translation type="unfinished">
    <numerusform></numerusform></translation></message>
    </context></TS>"""
    assert unfinished(translations) == ["New", "&Quit", "%n row(s)"]
