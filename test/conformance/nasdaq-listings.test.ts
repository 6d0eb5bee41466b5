// Nasdaq's lists as recorded: the screener's rows and the symbol directory's files, read by the provider
// module.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toNasdaq } from "../../src/market/spelling.ts";
import {
  type DirectoryFile,
  readDirectory,
  readScreener,
  readScreenerRows,
  SECURITY_TYPES,
  securityTypeOf,
} from "../../src/providers/nasdaq/index.ts";

setDefaultTimeout(1_200_000);

const FOLDER = join(process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"), "nasdaq");
const files = existsSync(FOLDER) ? readdirSync(FOLDER).sort() : [];
const screeners = files.filter((name) => /^screener.*\.json$/.test(name));
const directories = files.filter((name) => /(nasdaqlisted|otherlisted).*\.txt$/.test(name));

interface RawRow {
  readonly symbol: string;
  readonly lastsale: string;
  readonly marketCap: string;
  readonly sector: string;
  readonly industry: string;
  readonly volume: string;
  readonly ipoyear: string;
}

/** The rows of a recording, which may be the whole answer or its rows alone. */
function screenerOf(name: string) {
  const body: unknown = JSON.parse(readFileSync(join(FOLDER, name), "utf8"));
  const raw = (Array.isArray(body) ? body : (body as { data: { rows: unknown } }).data.rows) as RawRow[];
  return { raw, read: Array.isArray(body) ? readScreenerRows(body) : readScreener(body) };
}

const digits = (text: string) => (text === "" ? null : Number(text.replaceAll(/[$,%]/g, "")));
const orNull = (value: number | null) => (value === 0 ? null : value);

/** Rows of the recordings of 2026-08-22, from the manifest. */
const ROWS_OF: Readonly<Record<string, number>> = { nasdaq: 4_179, nyse: 2_711, amex: 292 };

if (screeners.length === 0) test.skip("skipped: no recordings of the screener", () => {});
describe.each(screeners)("%s", (name) => {
  const { raw, read } = screenerOf(name);
  const bySymbol = new Map(read.rows.map((row) => [row.symbol, row]));

  test("every row is read, under a symbol that is spelled back as it came", () => {
    const spellings = new Set(raw.map(({ symbol }) => symbol.trim()));
    expect(read.rows.length + new Set(read.unread).size).toBe(spellings.size);
    expect(read.unread.length).toBeLessThan(raw.length / 100);
    for (const { symbol } of read.rows) expect(spellings).toContain(toNasdaq(symbol) ?? symbol);
  });

  test("figures and texts are those of the row; nothing and 0.00 are null", () => {
    const known = new Map(raw.map((row) => [row.symbol.trim(), row]));
    for (const row of read.rows) {
      const written = known.get(toNasdaq(row.symbol) ?? row.symbol);
      if (!written) throw new Error(`${row.symbol} is in no row`);
      expect([row.market_cap, row.last_price, row.volume, row.ipo_year, row.sector, row.industry]).toEqual([
        orNull(digits(written.marketCap)),
        orNull(digits(written.lastsale)),
        digits(written.volume),
        digits(written.ipoyear),
        written.sector.trim() || null,
        written.industry.trim() || null,
      ]);
    }
    expect(read.rows.filter(({ sector }) => sector === null).length).toBe(
      raw.filter(({ sector }) => sector.trim() === "").length,
    );
  });

  test("each security is of one kind, and most are ordinary shares", () => {
    const types = read.rows.map(({ symbol, name: said }) => securityTypeOf(symbol, said ?? "", false));
    for (const type of types) expect(SECURITY_TYPES).toContain(type);
    expect(types.filter((type) => type === "common").length).toBeGreaterThan(types.length / 2);
    for (const row of read.rows) {
      const said = row.name ?? "";
      const type = securityTypeOf(row.symbol, said, false);
      if (/\bWarrants?\.?\s*$/.test(said)) expect([row.symbol, type]).toEqual([row.symbol, "warrant"]);
      if (/ Rights?\s*$/.test(said)) expect([row.symbol, type]).toEqual([row.symbol, "right"]);
      if (/^(?!.*(?:Warrant|Right|Unit)).*American Depositary Shares?\s*$/.test(said))
        expect([row.symbol, type]).toEqual([row.symbol, "adr"]);
      if (/\bPreferred Stock\s*$/.test(said)) expect([row.symbol, type]).toEqual([row.symbol, "preferred"]);
    }
  });

  const exchange = /^screener-rows-(nasdaq|nyse|amex)-2026-08-22\.json$/.exec(name)?.[1];
  test.if(exchange !== undefined)("the manifest's facts", () => {
    expect(raw.length).toBe(ROWS_OF[exchange ?? ""] ?? 0);
    if (exchange === "nasdaq")
      expect(bySymbol.get("AAPL")).toMatchObject({ last_price: 309.35, market_cap: 4_514_709_583_000 });
    if (exchange !== "nyse") return;
    expect(bySymbol.get("BRK.B")).toMatchObject({ last_price: 495.82 });
    const [a, b] = [bySymbol.get("BRK.A"), bySymbol.get("BRK.B")];
    // The whole company's for either class.
    expect(Math.abs((a?.market_cap ?? 0) / (b?.market_cap ?? 1) - 1)).toBeLessThan(0.02);
    expect(securityTypeOf("ABR.PRD", bySymbol.get("ABR.PRD")?.name ?? "", false)).toBe("preferred");
  });
});

const recorded = Object.keys(ROWS_OF).map((exchange) => `screener-rows-${exchange}-2026-08-22.json`);
test.if(recorded.every((name) => files.includes(name)))(
  "718 rows of the three exchanges have no sector",
  () => {
    const rows = recorded.flatMap((name) => screenerOf(name).read.rows);
    expect(rows.filter(({ sector }) => sector === null).length).toBe(718);
  },
);

if (directories.length === 0) test.skip("skipped: no recordings of the symbol directory", () => {});
describe.each(directories)("%s", (name) => {
  const file: DirectoryFile = name.includes("nasdaqlisted") ? "nasdaqlisted" : "otherlisted";
  const text = readFileSync(join(FOLDER, name), "utf8");

  test("every line is a security, a test issue or a line that is named as unread", () => {
    const { rows, tests, unread, created } = readDirectory(file, text);
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
    expect(rows.length + tests + unread.length).toBe(lines.length - 2);
    expect(unread.length).toBeLessThan(lines.length / 50);
    expect(created).toMatch(/^\d{8}/);
    for (const row of rows) expect(row.is_etf).toBe(row.security_type === "etf");
    expect(new Set(rows.map(({ symbol }) => symbol)).size).toBe(rows.length);
  });
});
