// A quarter of the SEC's Financial Statement Data Sets, as company facts and as the statements the filers
// present.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openZip } from "../../src/platform/zip.ts";

const ROOT = process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real");
const FOLDER = join(ROOT, "fsds");
const TABLE_BYTES_MAX = 256_000_000;

/** Every quarter that lies there, by file name. */
export const recordedQuarters: readonly string[] = existsSync(FOLDER)
  ? readdirSync(FOLDER)
      .filter((name) => name.endsWith(".zip"))
      .sort()
  : [];

export type StatementCode = "BS" | "IS" | "CF";

/** A line of a presented statement, in the order of the statement. */
export interface PresentedLine {
  readonly tag: string;
  /** The tag with its taxonomy, `own` for the filer's: us-gaap_ProfitLoss. */
  readonly element: string;
  readonly label: string;
  /** The file that EDGAR renders of the statement. */
  readonly file: string;
  /** Bracketed beside the statement itself, as the par value in the name of a stock is. */
  readonly isParenthetical: boolean;
  /** Of the statement of comprehensive income. */
  readonly isComprehensive: boolean;
}

/**
 * A column of a presented statement: its last month, its length in quarters (0: a day), and its numbers by
 * tag.
 */
export interface Column {
  readonly month: string;
  readonly quarters: number;
  readonly values: ReadonlyMap<string, number>;
}

export interface PresentedFiling {
  readonly accession: string;
  readonly cik: string;
  readonly name: string;
  readonly form: string;
  /** Month of the balance sheet. */
  readonly month: string;
  /** The part of the fiscal year that the report says it is about; some err. */
  readonly fiscalPeriod: string;
  readonly statements: ReadonlyMap<StatementCode, readonly PresentedLine[]>;
  /** The other statements that present a tag: EQ, of equity; UN, one that the data set does not classify. */
  readonly otherStatements: ReadonlyMap<string, ReadonlySet<string>>;
  /** Every number of the filing that is not about a segment or a co-registrant. */
  readonly columns: readonly Column[];
  /** Tags of no public taxonomy, which the regulator's files of figures do not have. */
  readonly ownTags: ReadonlySet<string>;
}

/** Companyfacts JSON as the regulator's interface serves it. */
interface WireFacts {
  readonly cik: number;
  readonly entityName: string;
  readonly facts: Record<string, Record<string, { readonly units: Record<string, unknown[]> }>>;
}

export interface Quarter {
  readonly companies: readonly WireFacts[];
  readonly filings: readonly PresentedFiling[];
}

type Row = Readonly<Record<string, string>>;

function* rowsOf(text: string): Generator<Row> {
  const lines = text.trimEnd().split("\n");
  const names = lines[0]?.split("\t") ?? [];
  for (const line of lines.slice(1)) {
    const cells = line.split("\t");
    yield Object.fromEntries(names.map((name, nth) => [name, cells[nth] ?? ""]));
  }
}

const isoDate = (text = ""): string => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`;
export const monthOf = (date: string): string => date.slice(0, 7);

/** The first day of the period that ends with a month and is so many quarters long. */
function startOf(end: string, quarters: number): string {
  const next = Temporal.PlainDate.from(end).add({ days: 1 });
  return next.subtract({ months: 3 * quarters }).toString();
}

const PERIODIC = /^10-[KQ]/;
const STATEMENTS: readonly string[] = ["BS", "IS", "CF"];
/** Comprehensive income continues the income statement in the same report, or is the income statement. */
const codeOf = (stmt = ""): string => (stmt === "CI" ? "IS" : stmt);

interface Draft {
  readonly row: Row;
  readonly statements: Map<StatementCode, PresentedLine[]>;
  readonly otherStatements: Map<string, Set<string>>;
  readonly columns: Map<string, { month: string; quarters: number; values: Map<string, number> }>;
  readonly ownTags: Set<string>;
}

function addPresented(drafts: ReadonlyMap<string, Draft>, pre: string): void {
  for (const row of rowsOf(pre)) {
    const draft = drafts.get(row.adsh ?? "");
    const code = codeOf(row.stmt);
    if (draft && (code === "EQ" || code === "UN"))
      draft.otherStatements.getOrInsertComputed(row.tag ?? "", () => new Set()).add(code);
    if (!draft || !STATEMENTS.includes(code)) continue;
    const lines = draft.statements.getOrInsertComputed(code as StatementCode, () => []);
    lines.push({
      tag: row.tag ?? "",
      element: `${row.version?.includes("/") ? row.version.split("/")[0] : "own"}_${row.tag}`,
      label: row.plabel ?? "",
      file: `R${row.report}.${row.rfile === "X" ? "xml" : "htm"}`,
      isParenthetical: row.inpth === "1",
      isComprehensive: row.stmt === "CI",
    });
  }
}

/** Tags of amounts per share, with their version. The data sets give them the unit of the currency alone. */
function perShareTags(tag: string): ReadonlySet<string> {
  const rows = [...rowsOf(tag)].filter(({ datatype }) => datatype === "perShare");
  return new Set(rows.map(({ tag: name, version }) => `${name} ${version}`));
}

function addNumbers(
  drafts: ReadonlyMap<string, Draft>,
  num: string,
  perShare: ReadonlySet<string>,
): Map<string, WireFacts> {
  const companies = new Map<string, WireFacts>();
  for (const row of rowsOf(num)) {
    const draft = drafts.get(row.adsh ?? "");
    if (!draft || row.coreg || row.segments || !row.value) continue;
    const [tag = "", quarters] = [row.tag, Number(row.qtrs)];
    const unit = `${row.uom}${perShare.has(`${tag} ${row.version}`) ? "/shares" : ""}`;
    const [end, value] = [isoDate(row.ddate), Number(row.value)];
    const month = monthOf(end);
    const columns = draft.columns;
    columns
      .getOrInsertComputed(`${month} ${quarters}`, () => ({ month, quarters, values: new Map() }))
      .values.set(tag, value);
    const [taxonomy = ""] = (row.version ?? "").split("/");
    if (taxonomy !== "us-gaap" && taxonomy !== "dei") {
      draft.ownTags.add(tag);
      continue;
    }
    const { cik = "", name = "", form, filed } = draft.row;
    const company = companies.getOrInsertComputed(cik, () => ({
      cik: Number(cik),
      entityName: name,
      facts: {},
    }));
    company.facts[taxonomy] ??= {};
    company.facts[taxonomy][tag] ??= { units: {} };
    const { units } = company.facts[taxonomy][tag];
    units[unit] ??= [];
    units[unit].push({
      ...(quarters > 0 ? { start: startOf(end, quarters) } : {}),
      end,
      val: value,
      accn: row.adsh,
      form,
      filed: isoDate(filed),
      fy: null,
      fp: null,
    });
  }
  return companies;
}

/** Reads a quarter: the reports on forms 10-K and 10-Q and what is theirs in the other tables. */
const read = new Map<string, Promise<Quarter>>();
/** A quarter's data set, read once. */
export const readQuarter = (file: string): Promise<Quarter> =>
  read.getOrInsertComputed(file, () => quarterOf(file));

async function quarterOf(file: string): Promise<Quarter> {
  const archive = await openZip(new Uint8Array(readFileSync(join(FOLDER, file))));
  const textOf = async (name: string): Promise<string> => {
    const entry = archive.entries.find((one) => one.name === name);
    if (!entry) throw new Error(`${file} has no ${name}`);
    return new TextDecoder().decode(await archive.read(entry, TABLE_BYTES_MAX));
  };
  const [sub, pre] = [await textOf("sub.txt"), await textOf("pre.txt")];
  const [num, tag] = [await textOf("num.txt"), await textOf("tag.txt")];
  archive.close();
  const drafts = new Map<string, Draft>();
  for (const row of rowsOf(sub))
    if (PERIODIC.test(row.form ?? ""))
      drafts.set(row.adsh ?? "", {
        row,
        statements: new Map(),
        otherStatements: new Map(),
        columns: new Map(),
        ownTags: new Set(),
      });
  addPresented(drafts, pre);
  const companies = addNumbers(drafts, num, perShareTags(tag));
  const filings = [...drafts].map(([accession, { row, columns, ...draft }]) => ({
    accession,
    cik: row.cik ?? "",
    name: row.name ?? "",
    form: row.form ?? "",
    month: monthOf(isoDate(row.period)),
    fiscalPeriod: row.fp ?? "",
    ...draft,
    columns: [...columns.values()],
  }));
  return { companies: [...companies.values()], filings };
}
