// Reads filers' figures from the lake. Lines and reports, which many figures share, are transferred once and
// referred to by number: a string costs ten times as much as a number, and every second column of a figure is
// a string.
import { financialFacts } from "../../datasets/financial-facts.ts";
import { StorageUnavailable } from "../../platform/errors.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { FactFlag, FinancialFact, FiscalPeriod } from "../../providers/edgar/index.ts";
import type { FactRow } from "./fact-rows.ts";

const HEAD = ["line", "statement", "tag", "taxonomy", "unit"] as const;
const REPORT = ["cik", "accession_number", "form", "filed_date", "currency", "source"] as const;
type Head = Pick<FactRow, (typeof HEAD)[number]>;
type Report = Pick<FactRow, (typeof REPORT)[number] | "accepted_at"> & { readonly moment: number };

const OF_FILERS = `FROM ${financialFacts.name} WHERE cik = ANY($ciks)`;
/** A list parameter takes no null; -1 is safe because no report dates from 1969. */
const MOMENT = "coalesce(epoch_ms(accepted_at), -1)";
const HEADS = `SELECT DISTINCT ${HEAD.join(", ")} ${OF_FILERS} ORDER BY ALL`;
const REPORTS = `SELECT DISTINCT ${REPORT.join(", ")}, accepted_at, known_at, ${MOMENT} AS moment ${OF_FILERS}
  ORDER BY known_at NULLS FIRST, filed_date, accession_number, cik, moment`;
const unnested = (names: readonly string[]) => names.map((name) => `unnest($${name}) AS ${name}`).join(", ");
/**
 * Each figure with the positions of its line and its report in those lists. Integers as DOUBLE, the fastest
 * type to read.
 */
const FIGURES = `SELECT head, report, period_start, period_end, period_months::DOUBLE, fiscal_year::DOUBLE, fiscal_period,
    value, vintage::DOUBLE, revision, flags, split_basis, filing_fiscal_year::DOUBLE
  FROM (SELECT *, ${MOMENT} AS moment ${OF_FILERS})
  LEFT JOIN (SELECT ${unnested(HEAD)}, unnest(range(len($line)))::DOUBLE AS head) USING (${HEAD.join(", ")})
  LEFT JOIN (SELECT * REPLACE (CAST(filed_date AS DATE) AS filed_date)
    FROM (SELECT ${unnested([...REPORT, "moment"])}, unnest(range(len($cik)))::DOUBLE AS report))
    USING (${REPORT.join(", ")}, moment)`;

/**
 * The rows of each report, in the order of their lines; null when a row's line or report is in neither list
 * because another write happened between the queries.
 */
function byReport(places: readonly unknown[], heads: readonly unknown[], count: number): number[][] | null {
  const rows = Array.from({ length: count }, (): number[] => []);
  for (let row = 0; row < places.length; row++) {
    const place = places[row];
    if (typeof place !== "number" || heads[row] === null) return null;
    rows[place]?.push(row);
  }
  for (const own of rows) own.sort((a, b) => Number(heads[a]) - Number(heads[b]));
  return rows;
}

const NO_FLAGS: readonly FactFlag[] = [];

async function readOnce(lake: Lake, ciks: readonly string[]): Promise<Map<string, FinancialFact[]> | null> {
  const [heads, reports] = await Promise.all([
    lake.query<Head>(HEADS, { ciks }),
    lake.query<Report>(REPORTS, { ciks }),
  ]);
  const facts = new Map<string, FinancialFact[]>();
  if (reports.length === 0) return facts;
  const lists = {
    ...Object.fromEntries(HEAD.map((name) => [name, heads.map((head) => head[name])])),
    ...Object.fromEntries(REPORT.map((name) => [name, reports.map((report) => report[name])])),
    moment: reports.map(({ moment }) => moment),
  };
  const { columns } = await lake.columns(FIGURES, { ciks, ...lists });
  const [head = [], place = [], start = [], end = [], months = [], year = [], quarter = [], ...rest] =
    columns;
  const [value = [], vintage = [], revision = [], flags = [], basis = [], filingYear = []] = rest;
  const reportRows = byReport(place, head, reports.length);
  if (!reportRows) return null;
  for (const [
    nth,
    { cik, accession_number, form, filed_date, currency, source, accepted_at },
  ] of reports.entries()) {
    const own = facts.getOrInsertComputed(cik, () => []);
    for (const row of reportRows[nth] ?? []) {
      const { line, statement, tag, taxonomy, unit } = heads[head[row] as number] as Head;
      own.push({
        cik,
        line: line as FinancialFact["line"],
        statement: statement as FinancialFact["statement"],
        period_start: start[row] as string | null,
        period_end: end[row] as string,
        fiscal_year: year[row] as number | null,
        filing_fiscal_year: filingYear[row] as number | null,
        fiscal_period: quarter[row] as FiscalPeriod | null,
        period_months: months[row] as FinancialFact["period_months"],
        value: value[row] as number,
        unit,
        currency,
        tag,
        taxonomy,
        accession_number,
        form,
        filed_date,
        accepted_at,
        vintage: vintage[row] as number,
        revision: revision[row] as FinancialFact["revision"],
        flags: flags[row] === null ? NO_FLAGS : ((flags[row] as string).split(",") as FactFlag[]),
        split_basis: basis[row] as string | null,
        source: source as FinancialFact["source"],
      });
    }
  }
  return facts;
}

// Read again where a write of the figures came in between; after five such writes in a row it fails.
const TRIES = 5;

/** The stored figures by filer, oldest report first; a filer without figures is absent. */
export async function readFacts(lake: Lake, ciks: readonly string[]): Promise<Map<string, FinancialFact[]>> {
  for (let tries = 0; tries < TRIES; tries++) {
    const facts = await readOnce(lake, ciks);
    if (facts) return facts;
  }
  throw new StorageUnavailable(
    "database_unavailable",
    "The figures are being written; try again in a moment.",
  );
}
