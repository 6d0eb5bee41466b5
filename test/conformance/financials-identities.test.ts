// Counts the identities that the statements of the recordings and of the sample market keep. Prints the
// counts.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { allNamed } from "../../sample/edgar/filers.ts";
import { checkIdentities } from "../../src/capabilities/financial/statements/identities.ts";
import { selectStatements } from "../../src/capabilities/financial/statements/select.ts";
import type { FinancialFact } from "../../src/providers/edgar/index.ts";
import { address, fileOf, late } from "../support/sample-facts.ts";
import { hasFinancials, normalisedOf, recordedFiles, recording } from "./financials-recordings.ts";
import { readQuarter, recordedQuarters } from "./fsds.ts";

setDefaultTimeout(1_200_000);

if (!hasFinancials) test("skipped: no recordings", () => {});

/**
 * Largest share of balance sheets that do not close: filers with redeemable equity under a tag of their own.
 */
const BALANCE_BROKEN_MAX = 0.03;

type Counts = Record<string, { checked: number; broken: number }>;

/** Checks one company; every row that breaks an identity must carry a warning with its name. */
function count(facts: readonly FinancialFact[], vintage: "latest" | "first", counts: Counts): string[] {
  const statements = selectStatements(facts, { vintage });
  const silent: string[] = [];
  for (const { identity, row, holds } of checkIdentities(statements)) {
    counts[identity] ??= { checked: 0, broken: 0 };
    const tally = counts[identity];
    tally.checked++;
    if (holds) continue;
    tally.broken++;
    const isSaid = statements.warnings.some(
      ({ detail, accession_number, period_end }) =>
        detail.includes(`"${identity}"`) &&
        accession_number === row.accession_number &&
        period_end === row.period_end_date,
    );
    if (!isSaid) silent.push(`${identity} ${row.period_end_date}`);
  }
  return silent;
}

describe("identities of the served statements", () => {
  for (const vintage of ["latest", "first"] as const) {
    test.if(hasFinancials)(`of the recordings, ${vintage}: what breaks one says so`, () => {
      const counts: Counts = {};
      const silent = recordedFiles.flatMap((file) => count(recording(file).facts, vintage, counts));
      console.info(`identities of the recordings, ${vintage}`, counts);
      expect(silent).toEqual([]);
      for (const { checked, broken } of Object.values(counts)) expect(broken / checked).toBeLessThan(0.1);
      expect(Object.keys(counts)).toHaveLength(10);
    });

    test.if(recordedQuarters.length > 0)(
      `of a quarter's reports of every company, ${vintage}: what breaks one says so`,
      async () => {
        const counts: Counts = {};
        const silent: string[] = [];
        for (const quarter of recordedQuarters)
          for (const company of (await readQuarter(quarter)).companies)
            silent.push(...count(normalisedOf(company).facts, vintage, counts));
        console.info(`identities of ${recordedQuarters.join(", ")}, ${vintage}`, counts);
        expect(silent).toEqual([]);
        for (const { checked, broken } of Object.values(counts)) expect(broken / checked).toBeLessThan(0.1);
        const { checked = 0, broken = 0 } = counts["assets = liabilities + temporary equity + equity"] ?? {};
        expect(checked).toBeGreaterThan(100);
        expect(broken / checked).toBeLessThan(BALANCE_BROKEN_MAX);
      },
    );

    test(`of the sample market, ${vintage}: what breaks one says so`, () => {
      const counts: Counts = {};
      const filers = allNamed().filter(({ cik }) => late.ask(address(cik)).status === 200);
      const silent = filers.flatMap(({ cik }) => {
        const facts = normalisedOf(fileOf(late, cik)).facts;
        return count(facts, vintage, counts);
      });
      console.info(`identities of the sample market, ${vintage}`, counts);
      expect(silent).toEqual([]);
      expect(counts["assets = liabilities + temporary equity + equity"]?.checked).toBeGreaterThan(0);
    });
  }
});
