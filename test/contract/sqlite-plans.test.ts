// No route reads a growing table of the operational database as a whole. Each statement of the walk is
// planned again, and a plan that scans such a table fails.
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { walkedMarket } from "../support/walked-market.ts";

setDefaultTimeout(1_200_000);

/** Tables with a row a filing, event, document, request, run or item: millions on a large box. */
const GROWING = [
  "filings",
  "filing_events",
  "filing_parses",
  "ownership_filings",
  "ownership_parties",
  "vault_objects",
  "request_log",
  "error_log",
  "job_runs",
  "backfill_items",
];

/** Scans that read few rows all the same, or are asked for by name, with the reason. */
const ALLOWED: readonly (readonly [RegExp, string])[] = [
  [
    /^SELECT (?:count\(\*\)|\(SELECT rowid FROM .* LIMIT 1 OFFSET \?\)) AS it/,
    "GET /database/info counts every table, some thousand rows in a turn of the event loop",
  ],
  [/^select count\(\*\) from "(?:job_runs|request_log|error_log)"$/, "the total of a log, from an index"],
  [
    / order by "(?:job_runs|request_log|error_log)"\."id" desc limit \?/,
    "the newest rows by their key, a page",
  ],
  [
    /^SELECT path, status_code, duration_ms, count\(\*\) .* ORDER BY id DESC LIMIT \?/s,
    "the newest rows by their key",
  ],
  [/ where false /, "no row is asked for"],
];

/** The tables that a plan scans; an index of the few rows that the lake lacks is no scan of its table. */
const scanned = (plan: readonly { detail: string }[]) =>
  plan
    .filter(({ detail }) => !/ USING (?:COVERING )?INDEX \w+_unpublished$/.test(detail))
    .flatMap(({ detail }) => /^SCAN (\w+)/.exec(detail)?.[1] ?? [])
    .filter((table) => GROWING.includes(table));

test("no statement of the walk scans a table that grows", async () => {
  const { dataDir, statements } = await walkedMarket();
  const db = new Database(join(dataDir, "ops.sqlite"), { readonly: true });
  const planned = Object.keys(statements).filter((text) => /^\s*(?:select|update|delete|with)\b/i.test(text));
  const scans = planned.flatMap((text) => {
    if (ALLOWED.some(([pattern]) => pattern.test(text))) return [];
    // Statements of other databases than the operational one name tables that it lacks.
    const tables = /no such table/;
    try {
      const found = scanned(db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`).all());
      return found.map((table) => `${table}: ${statements[text]}: ${text}`);
    } catch (error) {
      if (tables.test(String(error))) return [];
      throw error;
    }
  });
  db.close();
  expect(scans).toEqual([]);
  expect(planned.length).toBeGreaterThan(200);
});

test("a statement that scans is found", async () => {
  const { dataDir } = await walkedMarket();
  const db = new Database(join(dataDir, "ops.sqlite"), { readonly: true });
  const plan = (text: string) =>
    scanned(db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`).all());
  expect(plan('select cik from "filings" where published = ? limit ?')).toEqual(["filings"]);
  expect(plan('select cik from "filings" where published = 0 limit ?')).toEqual([]);
  // DISTINCT is served from the primary key.
  expect(plan('select distinct accession_number from "filing_events" where published = 0')).toEqual([
    "filing_events",
  ]);
  expect(plan('select cik from "filings" where cik = ?')).toEqual([]);
  db.close();
});
