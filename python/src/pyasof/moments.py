"""Days and moments as the service writes them."""

from __future__ import annotations

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

#: A day: a date, or its text YYYY-MM-DD.
Day = date | str
#: A moment: a date (the end of that day in New York), an instant with a zone, or the text of either.
Moment = date | datetime | str

_NEW_YORK = ZoneInfo("America/New_York")


def day_text(day: Day) -> str:
    """Return a day as YYYY-MM-DD.

    Raises:
        ValueError: the text is no such day. An instant is none either: its day depends on the zone.
    """
    if isinstance(day, datetime):
        if day.time() != time(0) or day.tzinfo is not None:
            raise ValueError(f"{day} is an instant; a day is wanted here, such as {day.date()}")
        return day.date().isoformat()
    if isinstance(day, date):
        return day.isoformat()
    return date.fromisoformat(day).isoformat()


def moment_text(moment: Moment) -> str:
    """Return a moment as YYYY-MM-DD or as an instant in UTC.

    Raises:
        ValueError: an instant without a zone, or a text that is neither.
    """
    if isinstance(moment, str):
        text = moment.strip()
        if len(text) == 10:
            return day_text(text)
        return moment_text(datetime.fromisoformat(text))
    if not isinstance(moment, datetime):
        return day_text(moment)
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no zone; write it as an instant, such as 2026-06-01T15:30:00Z, or as a date")
    return moment.astimezone(ZoneInfo("UTC")).isoformat().replace("+00:00", "Z")


def _instant(text: str) -> datetime:
    """Return the instant that a moment's text stands for; a day stands for its end in New York."""
    if len(text) == 10:
        return datetime.combine(date.fromisoformat(text), time.max, _NEW_YORK)
    return datetime.fromisoformat(text)


def not_later(one: str, other: str) -> bool:
    """Return whether the first moment is not after the second."""
    return _instant(one) <= _instant(other)
