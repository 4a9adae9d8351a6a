"""Generates the demo site's non-HTML files: SVG drawings of webs and a floor plan in PDF."""

import math

_INKS = ("#6b4e2e", "#2e5b6b", "#5b6b2e", "#6b2e4e", "#7a4a1d", "#4a4a5a", "#1d6a6a", "#5a3a7a")


def orb_web(number: int) -> str:
    """An SVG of an orb web; each number has its own ink, spokes and turns."""
    spokes = 14 + number % 5 * 2
    turns = 9 + number % 4
    angles = [2 * math.pi * spoke / spokes + 0.11 * math.sin(spoke) for spoke in range(spokes)]
    lines = "".join(
        f'<path d="M160 120L{_at(angle, 104 + 9 * math.sin(3 * angle))}"/>' for angle in angles
    )
    # One spiral from the outside in, sagging a little between the spokes.
    spiral: list[str] = []
    for step in range(turns * spokes + 1):
        radius = 100 - 86 * step / (turns * spokes)
        angle = angles[step % spokes]
        if not spiral:
            spiral.append(f"M{_at(angle, radius)}")
            continue
        before = angles[(step - 1) % spokes]
        middle = before + ((angle - before) % (2 * math.pi)) / 2
        spiral.append(f"Q{_at(middle, radius * 0.93)} {_at(angle, radius)}")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240" role="img">'
        f'<title>An orb web</title><g fill="none" stroke="{_INKS[number % len(_INKS)]}" '
        f'stroke-width=".9" stroke-linecap="round">{lines}<path d="{"".join(spiral)}"/></g>'
        f'<g fill="{_INKS[number % len(_INKS)]}"><ellipse cx="160" cy="126" rx="6" ry="8"/>'
        '<circle cx="160" cy="116" r="4"/></g></svg>\n'
    )


def _at(angle: float, radius: float) -> str:
    return f"{160 + radius * 1.25 * math.cos(angle):.1f} {120 + radius * math.sin(angle):.1f}"


def floor_plan(halls: list[str]) -> bytes:
    """A one-page PDF: one rectangle with its name for each hall, in two rows."""
    drawing = ["BT /F1 22 Tf 60 520 Td (The Gossamer Museum) Tj ET"]
    for number, hall in enumerate(halls):
        left, bottom = 60 + number % 4 * 180, 300 - number // 4 * 170
        drawing.append(f"{left} {bottom} 170 160 re S")
        drawing.append(f"BT /F1 9 Tf {left + 10} {bottom + 76} Td ({hall}) Tj ET")
    stream = "\n".join(drawing).encode("ascii")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 842 595] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> >> >>"
        ),
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>",
    ]
    pdf = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(pdf))
        pdf += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table_at = len(pdf)
    pdf += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    pdf += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    pdf += b"trailer << /Size %d /Root 1 0 R >>\n" % (len(objects) + 1)
    return bytes(pdf + b"startxref\n%d\n%%%%EOF\n" % table_at)
