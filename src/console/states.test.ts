import { expect, test } from "bun:test";
import { inWords } from "./states.ts";

test.each([
  ["not_read: The day is not stored.", "Not read yet: The day is not stored."],
  ["outage: The SEC did not answer.", "No answer: The SEC did not answer."],
  ["refused: No key.", "Refused: No key."],
  ["No bars. nothing_there: None was known.", "No bars. None was known."],
  ["The field not_read is true.", "The field not_read is true."],
])("%s", (text, words) => expect(inWords(text)).toBe(words));
