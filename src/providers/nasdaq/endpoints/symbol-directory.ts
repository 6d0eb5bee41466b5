// Reads nasdaqlisted.txt and otherlisted.txt: every security currently listed on a US exchange.

import { fromFinra } from "../../../market/spelling.ts";
import { UpstreamMisread } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { DIRECTORY_HOST } from "../listings-policy.ts";
import { type SecurityType, securityTypeOf } from "../parse/security-type.ts";

export type DirectoryFile = "nasdaqlisted" | "otherlisted";

/** One listed security. */
export interface DirectoryRow {
  /** Canonical symbol. */
  readonly symbol: string;
  readonly name: string;
  readonly exchange: string;
  readonly security_type: SecurityType;
  readonly is_etf: boolean;
}

export interface Directory {
  readonly rows: readonly DirectoryRow[];
  /** Number of test securities, which are left out. */
  readonly tests: number;
  /** Lines that cannot be read: a symbol of no known convention, or an unknown format. */
  readonly unread: readonly string[];
  /** When Nasdaq created the file, as written there (New York time, MMDDYYYYhh:mm). */
  readonly created: string;
  readonly received_at: string;
}

/** Column names of the two files. */
const COLUMNS = {
  nasdaqlisted: { symbol: "Symbol", exchange: null, etf: "ETF", nextShares: "NextShares" },
  otherlisted: { symbol: "CQS Symbol", exchange: "Exchange", etf: "ETF", nextShares: null },
} as const;

const EXCHANGES: Readonly<Record<string, string>> = {
  N: "NYSE",
  A: "NYSE American",
  P: "NYSE Arca",
  Z: "Cboe BZX",
  V: "IEX",
};
const NASDAQ = "Nasdaq";
/** The last line; a file without it is truncated. */
const TRAILER = /^File Creation Time:\s*([^|]*)/;
/** With more unreadable lines than this, the file's format has changed. */
// Five lines more are allowed: a file of 5,000 lines is used with 105 unreadable ones and refused with 106.
const UNREAD_SHARE_MAX = 0.02;

const wrong = (file: DirectoryFile, what: string) =>
  new UpstreamMisread("nasdaq-listings", `Nasdaq's ${file}.txt ${what}; nothing of it is used`);

const headOf = (name: string): string => name.replace(/\s/g, "").toLowerCase();

/** Indices of the columns by name, ignoring case and white space; -1 for a missing optional one. */
function placesOf(file: DirectoryFile, header: string): (name: string, isNeeded?: boolean) => number {
  const names = header.split("|").map(headOf);
  return (name, isNeeded = true) => {
    const place = names.indexOf(headOf(name));
    if (place < 0 && isNeeded) throw wrong(file, `has no column "${name}"`);
    return place;
  };
}

/**
 * Reads a complete file. Throws UpstreamFailed when it is truncated, of another shape, or without securities.
 */
export function readDirectory(file: DirectoryFile, text: string): Omit<Directory, "received_at"> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const created = TRAILER.exec(lines.at(-1) ?? "")?.[1]?.trim();
  if (created === undefined) throw wrong(file, "does not end with its creation time: it was cut off");
  const header = lines[0] ?? "";
  const place = placesOf(file, header);
  const columns = COLUMNS[file];
  const at = {
    symbol: place(columns.symbol),
    name: place("Security Name"),
    test: place("Test Issue"),
    etf: place(columns.etf),
    exchange: columns.exchange === null ? null : place(columns.exchange),
    // Older lists do not have this column.
    nextShares: columns.nextShares === null ? null : place(columns.nextShares, false),
  };
  const width = header.split("|").length;
  const rows = new Map<string, DirectoryRow>();
  const unread: string[] = [];
  let tests = 0;
  for (const line of lines.slice(1, -1)) {
    const cells = line.split("|").map((cell) => cell.trim());
    const cell = (index: number) => cells[index] ?? "";
    if (cells.length === width && cell(at.test) === "Y") {
      tests += 1;
      continue;
    }
    // The tape's spelling with dots instead of slashes: BRK.B, ABRpD, AAC.WS, AAC.U.
    const symbol = cells.length === width ? fromFinra(cell(at.symbol).replaceAll(".", "/")) : null;
    if (symbol === null) {
      unread.push(line);
      continue;
    }
    const name = cell(at.name);
    const isEtf = cell(at.etf) === "Y";
    const isFund = at.nextShares !== null && cell(at.nextShares) === "Y";
    const code = at.exchange === null ? NASDAQ : cell(at.exchange);
    rows.set(symbol, {
      symbol,
      name,
      exchange: at.exchange === null ? NASDAQ : (EXCHANGES[code] ?? code),
      security_type: isFund && !isEtf ? "fund" : securityTypeOf(symbol, name, isEtf),
      is_etf: isEtf,
    });
  }
  if (rows.size === 0) throw wrong(file, "has no security in it");
  if (unread.length > UNREAD_SHARE_MAX * lines.length + 5)
    throw wrong(file, `has ${unread.length} lines that cannot be read`);
  return { rows: [...rows.values()], tests, unread, created };
}

export async function askDirectory(
  upstream: Upstream,
  file: DirectoryFile,
  signal?: AbortSignal,
): Promise<Directory> {
  const url = `https://${DIRECTORY_HOST}/dynamic/SymDir/${file}.txt`;
  return fetchDecoded(upstream, { url, signal }, ({ bytes, receivedAt }) => {
    const directory = readDirectory(file, new TextDecoder().decode(bytes));
    return { ...directory, received_at: receivedAt.toString({ fractionalSecondDigits: 3 }) };
  });
}
