// The order of tags and rows in a file must not decide any figure: every company of a quarter is read in both
// orders.
import { expect, setDefaultTimeout, test } from "bun:test";
import { normalisedOf } from "./financials-recordings.ts";
import { type Quarter, readQuarter, recordedQuarters } from "./fsds.ts";

setDefaultTimeout(1_200_000);

if (recordedQuarters.length === 0) test("skipped: no data sets", () => {});

type Company = Quarter["companies"][number];

const reversedEntries = <T>(fields: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(fields).toReversed();

/** Turns round the order of a file's taxonomies, tags, units and rows. */
const reversed = (company: Company): Company => ({
  cik: company.cik,
  entityName: company.entityName,
  facts: Object.fromEntries(
    reversedEntries(company.facts).map(([taxonomy, tags]) => [
      taxonomy,
      Object.fromEntries(
        reversedEntries(tags).map(([tag, { units }]) => [
          tag,
          {
            units: Object.fromEntries(
              reversedEntries(units).map(([unit, rows]) => [unit, rows.toReversed()]),
            ),
          },
        ]),
      ),
    ]),
  ),
});

/** Every figure with its line, period, tag and flags, in an order of its own. */
const figuresOf = (company: Company): string[] =>
  normalisedOf(company)
    .facts.map(({ line, period_start, period_end, accession_number, tag, value, flags, fiscal_period }) =>
      [line, period_start, period_end, accession_number, tag, value, fiscal_period, ...flags].join(" "),
    )
    .sort();

test.each([...recordedQuarters])("%s: no figure depends on the order of tags or rows", async (quarter) => {
  const { companies } = await readQuarter(quarter);
  let figures = 0;
  const different: string[] = [];
  for (const company of companies) {
    const given = figuresOf(company);
    figures += given.length;
    if (figuresOf(reversed(company)).join("\n") !== given.join("\n")) different.push(company.entityName);
  }
  console.info(`${quarter}: ${figures} figures of ${companies.length} companies in both orders`);
  expect(different).toEqual([]);
  expect(figures).toBeGreaterThan(10_000);
});
