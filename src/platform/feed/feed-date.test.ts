// Dates as feeds write them, and texts that are not dates.
import { expect, test } from "bun:test";
import { readFeedDate } from "./feed-date.ts";

const READABLE: readonly (readonly [text: string, utc: string])[] = [
  ["Tue, 25 Aug 2026 11:30 GMT", "2026-08-25T11:30:00Z"],
  ["Tue, 25 Aug 2026 11:30:05 GMT", "2026-08-25T11:30:05Z"],
  ["Tue, 14 Jul 2026 15:06:00 +0000", "2026-07-14T15:06:00Z"],
  ["Tue, 14 Jul 2026 15:06:00 +00:00", "2026-07-14T15:06:00Z"],
  ["14 Jul 2026 15:06:00 Z", "2026-07-14T15:06:00Z"],
  ["Wed, 4 Nov 2026 16:05:00 EST", "2026-11-04T21:05:00Z"],
  ["Wed, 4 Jul 2026 16:05 EDT", "2026-07-04T20:05:00Z"],
  ["Wed, 04 Nov 2026 16:05:00 -0500 (EST)", "2026-11-04T21:05:00Z"],
  ["Wed, 04 Nov 2026 13:05:00 PST", "2026-11-04T21:05:00Z"],
  ["Wednesday, 04-Nov-26 21:05:00 GMT", "2026-11-04T21:05:00Z"],
  ["Sat, 1 January 2000 00:00 UT", "2000-01-01T00:00:00Z"],
  ["Thu, 29 Feb 2024 23:59:59 GMT", "2024-02-29T23:59:59Z"],
  ["  Tue,\n 25 Aug 2026\t11:30:00 GMT ", "2026-08-25T11:30:00Z"],
  ["Tue, 25 Aug 2026 13:30:00 GMT+0200", "2026-08-25T11:30:00Z"],
  ["2026-08-25T11:30:00Z", "2026-08-25T11:30:00Z"],
  ["2026-08-25T07:30-04:00", "2026-08-25T11:30:00Z"],
  ["2026-08-25 11:30:00.123456 UTC", "2026-08-25T11:30:00.123Z"],
  ["2026-08-25T13:30:00+0200", "2026-08-25T11:30:00Z"],
];

const UNREADABLE: readonly (string | null)[] = [
  null,
  "",
  "yesterday",
  "not a date",
  "Tue, 25 Aug 2026",
  "2026-08-25",
  // Without a zone the moment is unknown.
  "Tue, 25 Aug 2026 11:30:00",
  "2026-08-25T11:30:00",
  "Tue, 25 Aug 2026 11:30:00 XYZ",
  "Tue, 25 Aug 2026 11:30:00 A",
  "Mon, 31 Feb 2026 10:00:00 GMT",
  "Sun, 29 Feb 2026 10:00:00 GMT",
  "Tue, 25 Aug 2026 25:00:00 GMT",
  "Tue, 25 Aug 2026 11:61:00 GMT",
  "Tue, 25 Agu 2026 11:30:00 GMT",
  "Mon, 01 Jan 0001 00:00:00 +0000",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "2126-08-25T11:30:00Z",
  "1787650200",
  `${"9".repeat(200)}`,
];

for (const [text, utc] of READABLE)
  test(`${JSON.stringify(text)} is ${utc}`, () => {
    expect(readFeedDate(text)?.toString()).toBe(utc);
  });

for (const text of UNREADABLE)
  test(`${JSON.stringify(text)?.slice(0, 40)} is null`, () => {
    expect(readFeedDate(text)).toBeNull();
  });
