// Sixty made-up reports, forms and lists with one typing error each: how many are caught, missed, and how
// many sound figures are doubted. Prints the table.
import { expect, setDefaultTimeout, test } from "bun:test";
import { outcomes } from "./typing-errors/outcomes.ts";

setDefaultTimeout(1_200_000);

/** Errors that leave nothing to show them: the sums are as right with them as without. */
const MISSED = [
  "liabilities and equity in each other's line",
  "operating and financing cash flow in each other's line",
  "two digits of the price exchanged",
  "the holding after the trade in the number's place",
  "a split the other way round",
  "the same dividend on two neighbouring days",
];

test("typing errors are caught, and sound figures beside them are not doubted", async () => {
  const all = await outcomes();
  console.table(
    all.map(({ kind, name, is, wronglyDoubted }) => ({
      kind,
      error: name,
      is,
      doubted: wronglyDoubted.length,
    })),
  );
  const names = (is: string) => all.filter((one) => one.is === is).map(({ name }) => name);
  const counts = ["corrected", "null", "warned", "missed"].map((is) => [is, names(is).length]);
  console.info(Object.fromEntries(counts));
  expect(Object.fromEntries(counts)).toEqual({ corrected: 6, null: 24, warned: 24, missed: 6 });
  expect(names("missed")).toEqual(MISSED);
  expect(all.flatMap(({ wronglyDoubted }) => wronglyDoubted)).toEqual([]);
});
