// Every served figure of the recorded companies leads back to a recorded fact, and none was known too late.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { FigureSource, Row, Statements } from "../../src/capabilities/financial/statements/records.ts";
import { selectStatements } from "../../src/capabilities/financial/statements/select.ts";
import { endOfDay } from "../../src/market/calendar.ts";
import { normaliseFacts } from "../../src/providers/edgar/index.ts";
import {
  filedUntil,
  hasFinancials,
  type RawCompany,
  rawFacts,
  recordedFiles,
  recording,
  sequence,
} from "./financials-recordings.ts";

setDefaultTimeout(1_200_000);

if (!hasFinancials) test("skipped: no recordings", () => {});

interface Served {
  readonly row: Pick<Row, "period_end_date" | "derived_lines">;
  readonly line: string;
  readonly value: number;
  readonly source: FigureSource;
}
/** Every figure of every row; one without a source fails here. */
function servedOf(statements: Statements): Served[] {
  const rows = [...statements.income_statement, ...statements.balance_sheet, ...statements.cash_flow];
  return rows.flatMap((row) => {
    const sources = row.sources as Readonly<Record<string, FigureSource | undefined>>;
    return Object.entries<number | null>(row.items).flatMap(([line, value]) => {
      if (value === null) return [];
      const source = sources[line];
      if (!source) throw new Error(`${line} to ${row.period_end_date} has no source`);
      return [{ row, line, value, source }];
    });
  });
}

const receipt = (
  tag: string,
  accession: string,
  unit: string,
  start: string | null,
  end: string,
  value: number,
) => [tag, accession, unit, start ?? "", end, value].join(" ");
/** Recorded facts by all that makes one, with and without their start. */
function receiptsOf(raw: RawCompany): Set<string> {
  const receipts = new Set<string>();
  for (const { tag, accn, unit, start, end, val } of rawFacts(raw))
    for (const from of [start ?? null, null]) receipts.add(receipt(tag, accn, unit, from, end, val));
  return receipts;
}

const VIEWS = [{}, { vintage: "first" }, { include_derived: true }] as const;

for (const file of recordedFiles)
  describe(file, () => {
    const { raw, facts } = recording(file);
    const receipts = receiptsOf(raw);

    test("every fact is a recorded one", () => {
      expect(facts.length).toBeGreaterThan(0);
      const astray = facts.filter(
        (f) =>
          !receipts.has(
            receipt(
              `${f.taxonomy}:${f.tag}`,
              f.accession_number,
              f.unit,
              f.period_start,
              f.period_end,
              f.value,
            ),
          ),
      );
      expect(astray).toEqual([]);
    });

    test("every served figure leads back to a recorded one; a derived one to two and their difference", () => {
      for (const view of VIEWS) {
        const served = servedOf(selectStatements(facts, view));
        expect(served.length).toBeGreaterThan(0);
        const astray = served.filter(({ value, source, row, line }) => {
          const { operands, operation } = source;
          if ((operation !== null) !== row.derived_lines.includes(line)) return true;
          if (operation !== null) {
            const [long, short] = operands ?? [];
            if (!long || !short || value !== long.value - short.value) return true;
            return [long, short].some(
              (f) =>
                !receipts.has(
                  receipt(
                    `${f.taxonomy}:${f.tag}`,
                    f.accession_number,
                    f.unit,
                    f.period_start,
                    f.period_end,
                    f.value,
                  ),
                ),
            );
          }
          const tag = `${source.taxonomy}:${source.tag}`;
          return !receipts.has(
            receipt(
              tag,
              source.accession_number,
              source.unit,
              null,
              source.period_end,
              source.filed_value ?? value,
            ),
          );
        });
        expect(astray).toEqual([]);
      }
    });

    test("at 200 random instants: nothing known later, and the newest period then known", () => {
      const filedBy = new Map(
        [...rawFacts(raw)].map(({ accn, filed }) => [accn, endOfDay(filed).epochMilliseconds]),
      );
      const moments = [...filedBy.values()];
      const stated = statedResults(raw);
      const [from, to] = [Math.min(...moments), Math.max(...moments)];
      const random = sequence(20_240_229);
      for (let i = 0; i < 200; i++) {
        const ms = Math.round(from - 1 + random() * (to - from + 2));
        const statements = selectStatements(facts, {
          as_of: Temporal.Instant.fromEpochMilliseconds(ms),
          include_derived: i % 4 === 0,
        });
        const late = servedOf(statements).filter(({ source }) =>
          [source, ...(source.operands ?? [])].some(
            (s) => (filedBy.get(s.accession_number) ?? Infinity) > ms,
          ),
        );
        expect(late).toEqual([]);
        const newest = stated.find(({ accn }) => (filedBy.get(accn) ?? Infinity) <= ms);
        const [shown] = statements.income_statement.filter(({ basis }) => basis === "reported");
        expect([shown?.period_end_date, shown?.accession_number]).toEqual([newest?.end, newest?.accn]);
      }
    });

    test("the file of an earlier day gives what the whole one gives as of that day", () => {
      const days = [...new Set([...rawFacts(raw)].map(({ filed }) => filed))].sort();
      const random = sequence(7);
      for (let i = 0; i < 6; i++) {
        const day = days[Math.floor(random() * days.length)] ?? "";
        const before = normaliseFacts(filedUntil(raw, day));
        expect(before.facts).toEqual(facts.filter(({ filed_date }) => filed_date <= day));
        expect(selectStatements(before.facts)).toEqual(selectStatements(facts, { as_of: endOfDay(day) }));
      }
    });
  });

const RESULTS = /^(?:us-gaap:NetIncomeLoss|ifrs-full:ProfitLossAttributableToOwnersOfParent)$/;
const PER_SHARE = /^(?:us-gaap:EarningsPerShare(?:BasicAnd)?Diluted|ifrs-full:DilutedEarningsLossPerShare)$/;
const DAY_MS = 86_400_000;
const isStatementLength = (start: string, end: string) => {
  const days = (Date.parse(end) - Date.parse(start)) / DAY_MS;
  return (days > 74 && days < 125) || (days > 349 && days < 380);
};

/**
 * By the raw file alone: the quarters and years for which a report states profit and earnings per share, the
 * newest and the newest report of it first.
 */
function statedResults(raw: RawCompany) {
  const perShare = new Set<string>();
  const results: { end: string; accn: string; filed: string; key: string }[] = [];
  for (const { tag, start, end, accn, form, filed } of rawFacts(raw)) {
    if (start === undefined || !/^(10-[KQ]|20-F)/.test(form)) continue;
    if (!isStatementLength(start, end)) continue;
    const key = `${start} ${end} ${accn}`;
    if (PER_SHARE.test(tag)) perShare.add(key);
    if (RESULTS.test(tag)) results.push({ end, accn, filed, key });
  }
  const stated = results.filter(({ key }) => perShare.has(key));
  const rank = (r: (typeof stated)[number]) => `${r.end} ${r.filed} ${r.accn}`;
  return stated.sort((a, b) => (rank(a) < rank(b) ? 1 : -1));
}
