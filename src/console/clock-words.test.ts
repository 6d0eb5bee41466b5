import { expect, test } from "bun:test";
import { clockWords } from "./clock-words.ts";

const words = (as_of: string | null, data_version: string | null = null, isOfNow = false) =>
  clockWords({ as_of, data_version }, "2026-09-08", isOfNow);

test.each([
  [null, null, ""],
  ["2026-03-31", null, "Everything is shown as it was known at the end of 2026-03-31."],
  ["2026-03-31T14:30:00Z", null, "Everything is shown as it was known on 2026-03-31 10:30 EDT."],
  [
    "2026-01-31T14:30:00-05:00",
    "q3",
    "Everything is shown as it was known on 2026-01-31 14:30 EST and stored in version q3.",
  ],
  [null, "12", "Everything is shown as it was stored in version 12."],
  // A moment ahead means now, as in the service.
  ["2026-09-09", null, ""],
  ["2099-01-01T00:00:00Z", null, ""],
  ["2099-01-01", "12", "Everything is shown as it was stored in version 12."],
])("as_of %s, version %s", (as_of, version, said) => expect(words(as_of, version)).toBe(said));

test.each(["garbage", "2026-02-30", "2026-13-01", "2026-03-31T10:00:00", "2026-03-31T99:00:00Z", "<b>"])(
  "%s is no moment, and nothing is said to be shown as of it",
  (text) => {
    for (const isOfNow of [true, false])
      expect(words(text, "3", isOfNow)).toBe(
        `“${text}” is no day and no instant with its zone: nothing is shown as of it.`,
      );
  },
);

test("a page about the service says that it does not follow the clock", () =>
  expect(words("2026-03-31", null, true)).toBe(
    "This page shows the service as it is now. Pages of companies and of the market show what was known at the end of 2026-03-31.",
  ));
