"""Content lines of calendar files (RFC 5545), as another program reads them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from judge.mail.letters.mime import escaped, folded


@given(st.text(max_size=400))
def test_words_come_back_as_they_were_written(words: str) -> None:
    text = escaped(words)
    calendar = Calendar.from_ical(
        "\r\n".join(
            ("BEGIN:VCALENDAR", "BEGIN:VEVENT", folded(f"DESCRIPTION:{text}"), "END:VEVENT", "END:VCALENDAR", "")
        )
    )
    kept = "".join(c if c == "\n" or c.isprintable() else " " for c in words.replace("\r\n", "\n"))
    assert str(calendar.events[0]["DESCRIPTION"]) == kept


@given(st.text(alphabet=st.sampled_from("a,;\\\né€😀 "), max_size=400))
def test_a_folded_line_is_short_whole_and_unfolds_to_itself(words: str) -> None:
    line = f"DESCRIPTION:{escaped(words)}"
    parts = folded(line).split("\r\n ")
    assert "".join(parts) == line
    assert all(len(part.encode()) <= (74 if at else 75) for at, part in enumerate(parts))
    assert all(parts)
