// Large holders of the sample's companies: what they report fits the shares there are, and moves slowly.
import { expect, setDefaultTimeout, test } from "bun:test";
import { dayOf } from "../sessions.ts";
import { allNamed } from "./filers.ts";
import { filingFactsOf } from "./ownership-facts.ts";
import type { ScheduleFiling } from "./ownership-filings.ts";
import { schedulesOf } from "./passive-holdings.ts";
import { commonOf, sharesOn, worthOn } from "./share-count.ts";

setDefaultTimeout(1_200_000);

const YEARS = [2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025, 2026];
const companies = allNamed().filter((filer) => commonOf(filer).length > 0);
const schedule = (content: { readonly kind: string }) => content as ScheduleFiling;

test("shares are the percentage of those counted on the day, and no company has more holders than shares", () => {
  let read = 0;
  for (const company of companies)
    for (const year of YEARS) {
      const filed = schedulesOf(1, company, year).map(({ content }) => schedule(content));
      const percents = filed.flatMap(({ persons, eventDate }) =>
        persons.map(({ shares, percent }) => {
          // A holding at the turn of the year, before or after a split of no company.
          const counted = sharesOn(company, dayOf(eventDate), dayOf(eventDate));
          expect([company.symbol, year, (100 * shares) / counted]).toEqual([
            company.symbol,
            year,
            expect.closeTo(Number(percent), 0),
          ]);
          read += 1;
          return Number(percent);
        }),
      );
      expect(percents.reduce((a, b) => a + b, 0)).toBeLessThan(50);
    }
  expect(read).toBeGreaterThan(500);
});

test("the percentage of a holder moves by less than two points from report to report", () => {
  for (const company of companies) {
    const last = new Map<string, number>();
    for (const year of YEARS)
      for (const { content } of schedulesOf(1, company, year)) {
        const { holder, persons, fell } = schedule(content);
        const percent = Number(persons[0]?.percent);
        const before = last.get(holder.name);
        // One that sells new shares year after year takes from all holders.
        const isDiluted = commonOf(company).some(({ split }) => split && split.numerator < split.denominator);
        // A purchase of 300,000 dollars is a percent of the smallest.
        const isTiny = worthOn(company, dayOf(`${year}-01-01`)) < 1e8;
        if (before !== undefined && !isDiluted && !isTiny) expect(Math.abs(percent - before)).toBeLessThan(2);
        expect([company.symbol, fell ?? false]).toEqual([company.symbol, percent < 5]);
        last.set(holder.name, percent);
      }
  }
});

test("a large company has both index funds and its family; the suggested one a Schedule 13D", () => {
  const zorp = companies.find(({ symbol }) => symbol === "ZORP");
  if (!zorp) throw new Error("no ZORP");
  const filed = YEARS.flatMap((year) => schedulesOf(1, zorp, year));
  expect(filed.filter(({ form }) => form.includes("13D")).length).toBe(4);
  const funds = filed.filter(({ form }) => form.includes("13G"));
  expect(new Set(funds.map(({ content }) => schedule(content).holder.name))).toEqual(
    new Set(["Placid Lake Index Trust", "Quiet Corner Asset Management"]),
  );
  expect(funds.length).toBe(2 * YEARS.length);
});

test("what is set by hand names shares that there are", () => {
  let read = 0;
  for (const company of companies)
    for (const { content, sequence } of filingFactsOf(company)) {
      const made = content(company);
      if (made.kind !== "schedule") continue;
      const counted = sharesOn(company, dayOf(made.eventDate), dayOf(made.eventDate));
      for (const { shares, percent } of made.persons) {
        // One percentage is a typing error on purpose: 121 for 12.1.
        const meant = Number(percent) > 100 ? Number(percent) / 10 : Number(percent);
        expect([company.symbol, sequence, (100 * shares) / counted]).toEqual([
          company.symbol,
          sequence,
          expect.closeTo(meant, 1),
        ]);
        read += 1;
      }
    }
  expect(read).toBe(13);
});
