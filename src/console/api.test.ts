import { expect, test } from "bun:test";
import { faultWords } from "./api.ts";

test.each([
  ["as_of", "Value error, as_of must be a day.", "as_of must be a day."],
  ["date", "Input should be a valid date", "date: Input should be a valid date."],
  ["as_of", "Value error, as_ofs are no days", "as_of: as_ofs are no days."],
])("a fault of %s: %s", (field, message, said) => expect(faultWords(field, message)).toBe(said));
