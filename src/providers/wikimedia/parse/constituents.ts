// Reads the members of an index from an article's table, whose columns are found by name.
import { isDate } from "../../../market/date.ts";
import { fromAlpaca } from "../../../market/spelling.ts";
import { canonical, isTicker } from "../../../market/ticker.ts";
import { type UpstreamFailed, UpstreamMisread } from "../../../platform/errors.ts";
import { type PageTable, readTables } from "./tables.ts";

/** A member of an index; null where the page has no value. */
export interface Constituent {
  /** Canonical; the page writes share classes with a dot. */
  readonly symbol: string;
  readonly company_name: string;
  readonly sector: string | null;
  readonly sub_industry: string | null;
  readonly headquarters: string | null;
  /** YYYY-MM-DD. */
  readonly date_added: string | null;
  /** Ten digits. */
  readonly cik: string | null;
  /** As written: a year, or a year followed by others. */
  readonly founded: string | null;
}

export interface ConstituentTable {
  /** The classification of the sectors, from the column headings; null when they name none. */
  readonly classification: "GICS" | "ICB" | null;
  readonly constituents: readonly Constituent[];
}

/** Known column headings, without footnote marks, in lower case, with spaces instead of hyphens. */
const COLUMNS = {
  symbol: /^(?:ticker|symbol|ticker symbol)$/,
  company_name: /^(?:security|company|company name|name)$/,
  sector: /^(?:(?:gics )?sector|icb industry)$/,
  sub_industry: /^(?:(?:gics )?sub ?industry|(?:icb )?sub ?sector)$/,
  headquarters: /^(?:headquarters(?: location)?|address of headquarters|location)$/,
  date_added: /^date (?:first )?added$/,
  cik: /^cik$/,
  founded: /^founded$/,
} as const;

type Column = keyof typeof COLUMNS;
const NEEDED: readonly Column[] = ["symbol", "company_name", "sector", "sub_industry"];

const headOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[-‐-―\s]+/g, " ")
    .trim();

/** The index of each column, by the last header row. */
function placesIn(table: PageTable): ReadonlyMap<Column, number> {
  const heads = (table.rows[table.headerRows - 1] ?? []).map(headOf);
  const found = (Object.keys(COLUMNS) as Column[]).map(
    (column) => [column, heads.findIndex((head) => COLUMNS[column].test(head))] as const,
  );
  return new Map(found.filter(([, place]) => place >= 0));
}

function classificationOf(table: PageTable): ConstituentTable["classification"] {
  const heads = (table.rows[table.headerRows - 1] ?? []).map(headOf).join(" ");
  if (heads.includes("gics")) return "GICS";
  return heads.includes("icb") ? "ICB" : null;
}

const orNull = (text: string): string | null => (/^(?:|-|–|—|n\/a)$/i.test(text) ? null : text);

function cikOf(text: string): string | null {
  return /^\d{1,10}$/.test(text) && Number(text) > 0 ? text.padStart(10, "0") : null;
}

/** A date, also when a remark follows it; null for any other text. */
function dateOf(text: string): string | null {
  const date = /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(text)?.[0] ?? "";
  return isDate(date) ? date : null;
}

const changed = (what: string): UpstreamFailed =>
  new UpstreamMisread("wikimedia", `wikipedia changed the shape of its list of constituents: ${what}`);

function readRow(cells: readonly string[], places: ReadonlyMap<Column, number>): Constituent {
  const cell = (column: Column) => cells[places.get(column) ?? -1] ?? "";
  // An exchange may precede the symbol: "NYSE: MMM".
  const ticker = cell("symbol").replace(/^[A-Za-z ]+:\s*/, "");
  if (!isTicker(ticker)) throw changed(`a row has the symbol "${ticker.slice(0, 20)}"`);
  if (cell("company_name") === "") throw changed(`${ticker} has no name`);
  return {
    // A dot never means an exchange here: the list has only US listings.
    symbol: fromAlpaca(ticker) ?? canonical(ticker),
    company_name: cell("company_name"),
    sector: orNull(cell("sector")),
    sub_industry: orNull(cell("sub_industry")),
    headquarters: orNull(cell("headquarters")),
    date_added: dateOf(cell("date_added")),
    cik: cikOf(cell("cik")),
    founded: orNull(cell("founded")),
  };
}

/**
 * The members in the page's table, each once, in the page's order. Uses the table with the id "constituents",
 * else the first one with the required columns. Throws UpstreamFailed when there is none, or a row is not a
 * member.
 */
export function readConstituents(html: string): ConstituentTable {
  const tables = readTables(html).map((table) => ({ table, places: placesIn(table) }));
  const named = tables.find(({ table }) => table.id === "constituents");
  const found = named ?? tables.find(({ places }) => NEEDED.every((column) => places.has(column)));
  if (!found) throw changed("there is no such table");
  const missing = NEEDED.filter((column) => !found.places.has(column));
  if (missing.length > 0) throw changed(`its table has no column for ${missing.join(", ")}`);
  const { table, places } = found;
  const heads = table.rows[table.headerRows - 1] ?? [];
  const bySymbol = new Map<string, Constituent>();
  for (const cells of table.rows.slice(table.headerRows)) {
    // A long table may repeat its headings.
    if (cells.every((text, i) => text === "" || text === heads[i])) continue;
    const constituent = readRow(cells, places);
    if (!bySymbol.has(constituent.symbol)) bySymbol.set(constituent.symbol, constituent);
  }
  return { classification: classificationOf(table), constituents: [...bySymbol.values()] };
}
