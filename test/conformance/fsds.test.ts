// A quarter of the SEC's Financial Statement Data Sets: what is served against what the filers present. Its
// companies were not chosen by anyone. The bounds below state how far the answers are from complete; lower
// them, never raise them.
import { beforeAll, describe, expect, test } from "bun:test";
import { type PresentedFiling, readQuarter, recordedQuarters, type StatementCode } from "./fsds.ts";
import {
  fieldOf,
  isSaidReversed,
  LABELS,
  labelledFigure,
  type PresentedStatement,
  presentedStatements,
  type ServedRow,
  type ServedStatements,
  servedRow,
  servedStatements,
} from "./fsds-compare.ts";
import { isUnderSibling, keyFilings, keyOf, namedBy } from "./fsds-key.ts";
import { apartReason } from "./fsds-places.ts";
import { differenceReason } from "./fsds-reasons.ts";
import { notRendered, type Renderings, rendered } from "./fsds-rendered.ts";

if (recordedQuarters.length === 0) test("skipped: no data sets", () => {});

const CODES: readonly StatementCode[] = ["BS", "IS", "CF"];

/** Largest shares of labelled lines that are served with another number, and that are null. */
const LABEL_DIFFERENT_MAX = 0.005;
const LABEL_NULL_MAX = 0.05;
/** Largest share of figures of the key's filings whose own line has the words of another item. */
const NEIGHBOUR_MAX = 0.01;

/** Largest share of rows with another fiscal quarter than their report says it is about. */
const OTHER_LABEL_MAX = 0.01;

const UNEXPLAINED = "unexplained";

/** Counts with the cases behind them. */
class Tally {
  readonly cases = new Map<string, string[]>();
  add(name: string, what: string): void {
    this.cases.getOrInsertComputed(name, () => []).push(what);
  }
  count(name: string): number {
    return this.cases.get(name)?.length ?? 0;
  }
  /** All cases whose name begins so. */
  under(prefix: string): string[] {
    return [...this.cases].flatMap(([name, cases]) => (name.startsWith(prefix) ? cases : []));
  }
}

/**
 * Why a presented statement has no row of its own: the sum to date stands beside its quarter, or a quarterly
 * report shows the last twelve months. Null when there is no such reason.
 */
function absenceReason(
  { code, column, filing }: PresentedStatement,
  served: ServedStatements,
): string | null {
  if (column.quarters === 4 && filing.form.startsWith("10-Q")) return "trailing twelve months";
  const isSum = code === "IS" && (column.quarters === 2 || column.quarters === 3);
  const hasQuarter = served.IS.some(
    (row) => row.period_months === 3 && row.period_end_date.startsWith(column.month),
  );
  return isSum && hasQuarter ? "year to date beside its quarter" : null;
}

interface Compared extends Omit<Parameters<typeof differenceReason>[0], "value"> {
  readonly value: unknown;
}

/** How a served value compares with the one that a label names, with the reason of a difference. */
function kindOf({ value, ...rest }: Compared): string {
  if (typeof value !== "number") return "null";
  if (value === rest.wanted.value) return "equal";
  return `different: ${differenceReason({ ...rest, value }) ?? UNEXPLAINED}`;
}

function comparePresence(statement: PresentedStatement, served: ServedStatements, tally: Tally): void {
  const { filing, column, code } = statement;
  const what = `${filing.name} ${filing.accession} ${code} to ${column.month}, ${column.quarters} quarters`;
  const row = servedRow(statement, served);
  if (!row) {
    const reason = absenceReason(statement, served);
    tally.add(reason ? `absent: ${reason}` : "missing", what);
    return;
  }
  tally.add("statement served", what);
  if (row.accession_number !== filing.accession) return;
  for (const item of Object.keys(LABELS[code])) {
    const wanted = labelledFigure(statement, item);
    if (!wanted) continue;
    const value = fieldOf(row, item);
    const isReversed = value === -wanted.value && isSaidReversed(served, row, item);
    const kind = isReversed ? "equal" : kindOf({ statement, row, item, value, wanted });
    tally.add(`label ${kind}`, `${what}: ${item} ${value} for ${wanted.tag} ${wanted.value}`);
  }
}

/**
 * Judges a statement of a key filing: each item that a label names, and the label of each figure's own line.
 */
function compareWithKey(statement: PresentedStatement, served: ServedStatements, tally: Tally): void {
  const row = servedRow(statement, served);
  const { filing } = statement;
  if (row?.accession_number !== filing.accession) return;
  const what = `${filing.name} ${filing.accession} to ${statement.column.month}`;
  for (const [item, wanted] of keyOf(statement)) {
    const value = fieldOf(row, item);
    const isReversed = value === -wanted.value && isSaidReversed(served, row, item);
    const isEqual = isReversed || isUnderSibling(row, item, wanted.value);
    const kind = isEqual ? "equal" : kindOf({ statement, row, item, value, wanted });
    tally.add(`key ${kind}`, `${what}: ${item} ${value} for ${wanted.tag} ${wanted.value}`);
  }
  for (const [item, { tag }] of Object.entries(row.sources ?? {}))
    tally.add(`key line ${namedBy(statement, item, tag)}`, `${what}: ${item} of ${tag}`);
}

/** Compares each figure of a row with the numbers and lines of the filing it says it is from. */
function compareFigures(
  code: StatementCode,
  row: ServedRow,
  served: ServedStatements,
  filings: ReadonlyMap<string, PresentedFiling>,
  tally: Tally,
): void {
  for (const [item, { tag, accession_number }] of Object.entries(row.sources ?? {})) {
    const filing = filings.get(accession_number);
    const what = `${filing?.name} ${accession_number} ${item} to ${row.period_end_date}: ${fieldOf(row, item)} ${tag}`;
    const isLine = filing?.statements.get(code)?.some((line) => line.tag === tag);
    const quarters = (row.period_months ?? 0) / 3;
    const column = filing?.columns.find(
      (one) => row.period_end_date.startsWith(one.month) && one.quarters === quarters,
    );
    const isCover = item === "shares_outstanding" && tag === "EntityCommonStockSharesOutstanding";
    const [filed, value] = [column?.values.get(tag), fieldOf(row, item)];
    const isReversed = filed !== undefined && filed < 0 && value === -filed;
    if (isCover) tally.add("cover", what);
    else if (isReversed && isSaidReversed(served, row, item))
      tally.add("sign reversed, with a warning", what);
    else if (filed !== value) tally.add("wrong number", what);
    else if (isLine || !filing || !column) tally.add("figure equal", what);
    else {
      const reason = apartReason({ filing, code, item, tag, value: filed ?? 0, column });
      tally.add(`figure apart: ${reason ?? UNEXPLAINED}: ${item}`, what);
    }
  }
}

/**
 * Compares a row's fiscal label with what its report says of itself, where the row is about the report's own
 * period.
 */
function compareLabel(row: ServedRow, filing: PresentedFiling | undefined, tally: Tally): void {
  const what = `${filing?.name} ${row.accession_number} to ${row.period_end_date}: ${row.fiscal_year} ${row.fiscal_period}`;
  if (row.fiscal_year === null) tally.add("fiscal label null", what);
  else if (filing && row.period_end_date.startsWith(filing.month))
    tally.add(
      `fiscal label ${row.fiscal_period === filing.fiscalPeriod ? "equal" : "not the report's own"}`,
      what,
    );
}

/**
 * Counts what becomes of depreciation that may be a line of the income statement alone, by what its statement
 * shows.
 */
function compareWithheld(
  served: ServedStatements,
  filings: ReadonlyMap<string, PresentedFiling>,
  tally: Tally,
): void {
  for (const { code, line, detail, accession_number, period_end } of served.warnings) {
    if (line !== "depreciation_amortization" || !/^(?:line_|presentation_)/.test(code)) continue;
    const filing = filings.get(accession_number ?? "");
    const columns = filing?.columns.filter(({ month }) => period_end?.startsWith(month)) ?? [];
    const value = Number(/ is (-?\d+) /.exec(detail)?.[1]);
    // A line under a tag of the filer's own may have the same amount: the files of figures do not have it.
    const isNamed = (tag: string) =>
      /depreciation|amortization|depletion/i.test(tag) && !filing?.ownTags.has(tag);
    const lines = filing?.statements.get("CF")?.filter(({ tag }) => isNamed(tag)) ?? [];
    const isLine = lines.some(({ tag }) => columns.some(({ values }) => values.get(tag) === value));
    tally.add(`withheld ${code}: ${isLine ? "a line of the statement" : "no line of it"}`, detail);
  }
}

async function compareQuarter(file: string, renderings: Renderings): Promise<Tally> {
  const { companies, filings } = await readQuarter(file);
  const byCompany = Map.groupBy(filings, ({ cik }) => cik);
  const tally = new Tally();
  const key = keyFilings(filings);
  tally.add(`key filings ${key.size}`, file);
  for (const company of companies) {
    const own = byCompany.get(String(company.cik)) ?? [];
    const byAccession = new Map(own.map((filing) => [filing.accession, filing]));
    const served = await servedStatements(company, byAccession, renderings);
    compareWithheld(served, byAccession, tally);
    for (const code of CODES) {
      for (const filing of own)
        for (const statement of presentedStatements(filing, code)) {
          comparePresence(statement, served, tally);
          if (key.has(filing.accession)) compareWithKey(statement, served, tally);
        }
      for (const row of served[code]) {
        compareFigures(code, row, served, byAccession, tally);
        compareLabel(row, byAccession.get(row.accession_number), tally);
      }
    }
  }
  return tally;
}

describe.each(recordedQuarters)("%s", (file) => {
  let tally: Tally;
  /** The tally where the regulator renders no statement. */
  let unrendered: Tally;
  beforeAll(async () => {
    tally = await compareQuarter(file, rendered);
    unrendered = await compareQuarter(file, notRendered);
    for (const [name, one] of [["rendered", tally] as const, ["not rendered", unrendered] as const]) {
      const counts = [...one.cases].map(([what, cases]) => `${what} ${cases.length}`).sort();
      console.info(`${file}, statements ${name}: ${counts.join(", ")}`);
    }
  }, 1_200_000);

  const shareOf = (part: number, whole: number) => part / Math.max(1, whole);

  test("every presented statement has a row, or a reason why another row holds it", () => {
    expect(tally.count("statement served")).toBeGreaterThan(0);
    expect(tally.under("missing")).toEqual([]);
  });

  test("every served number is the filing's own for that tag and period", () => {
    expect(tally.count("figure equal")).toBeGreaterThan(0);
    expect(tally.under("wrong number")).toEqual([]);
  });

  test("every figure is a line of its own statement, or has a named reason", () => {
    expect(tally.under(`figure apart: ${UNEXPLAINED}`)).toEqual([]);
  });

  test("a figure is withheld where its statement shows another tag, and only there", () => {
    expect(tally.under("withheld presentation_")).toEqual([]);
    expect(tally.under("withheld line_has_other_tag: a line")).toEqual([]);
    expect(tally.under("figure apart: the statement's own line")).toEqual([]);
  });

  test("without rendered statements nothing of another statement is served either", () => {
    expect(unrendered.under(`figure apart: ${UNEXPLAINED}`)).toEqual([]);
    expect(unrendered.under("wrong number")).toEqual([]);
    expect(unrendered.under("missing")).toEqual([]);
    const withheld = unrendered.under("withheld presentation_none").length;
    expect(withheld).toBeGreaterThan(tally.under("withheld").length);
    expect(unrendered.count("figure equal") + withheld).toBeGreaterThanOrEqual(tally.count("figure equal"));
  });

  // Some labels deceive: a bank's "cash and due from banks" is a part of its cash, "property" may be before
  // depreciation. Lines under a tag of the filer's own are null: the regulator's files of figures do not have
  // them.
  test("few lines that a label names are different or null", () => {
    const different = tally.under("label different").length;
    const none = tally.count("label null");
    const all = tally.count("label equal") + different + none;
    expect(shareOf(different, all)).toBeLessThan(LABEL_DIFFERENT_MAX);
    expect(shareOf(none, all)).toBeLessThan(LABEL_NULL_MAX);
  });

  test("every row has a fiscal label, and few another than their report, which may err", () => {
    expect(tally.under("fiscal label null")).toEqual([]);
    const others = tally.count("fiscal label not the report's own");
    expect(shareOf(others, others + tally.count("fiscal label equal"))).toBeLessThan(OTHER_LABEL_MAX);
  });

  test("every different line has a named reason", () => {
    expect(tally.under(`label different: ${UNEXPLAINED}`)).toEqual([]);
  });

  // Some filers give an item's tag to a line with another item's words.
  test("sixty filings keep to a key that knows labels alone, neighbouring lines included", () => {
    expect(tally.count("key equal")).toBeGreaterThan(0);
    expect(tally.under(`key different: ${UNEXPLAINED}`)).toEqual([]);
    const different = tally.under("key different").length;
    expect(shareOf(different, different + tally.count("key equal"))).toBeLessThan(LABEL_DIFFERENT_MAX);
    const neighbours = tally.count("key line neighbour");
    expect(shareOf(neighbours, neighbours + tally.count("key line item"))).toBeLessThan(NEIGHBOUR_MAX);
  });
});
