// Reads the short-interest files, which separate fields with `|` despite the extension `.csv`. Pure.
import { isDate } from "../../../market/date.ts";
import type { ShortInterestLine } from "../records.ts";
import { type BarTable, placeOf, readFigure, readShares, readTable, unreadable } from "./file-text.ts";
import { isTestSymbol } from "./test-symbols.ts";

/** The file's days to cover when nothing traded. */
const NO_VOLUME_DAYS = 999.99;

const COLUMNS = {
  symbol: "symbolcode",
  name: "issuename",
  market: "marketclasscode",
  current: "currentshortpositionquantity",
  previous: "previousshortpositionquantity",
  split: "stocksplitflag",
  volume: "averagedailyvolumequantity",
  cover: "daystocoverquantity",
  revision: "revisionflag",
  percent: "changepercent",
  change: "changepreviousnumber",
  settled: "settlementdate",
} as const;
type Name = keyof typeof COLUMNS;

function placesOf(table: BarTable): Readonly<Record<Name, number>> {
  const names = Object.keys(COLUMNS) as Name[];
  return Object.fromEntries(names.map((name) => [name, placeOf(table, [COLUMNS[name]])])) as Record<
    Name,
    number
  >;
}

/** 2021-07-15 or 20210715. */
function readDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  return year && isDate(date) ? date : null;
}

/** Days to cover; null when nothing traded, for which the file writes 999.99. */
const coverOf = (days: number | null, volume: number | null) =>
  volume === 0 || days === NO_VOLUME_DAYS ? null : days;

/** Reads all lines. Throws UpstreamFailed naming the first invalid line. */
export function readShortInterest(text: string, file: string): ShortInterestLine[] {
  const table = readTable(text, file);
  const at = placesOf(table);
  return table.lines.flatMap((line, row): ShortInterestLine[] => {
    const fields = line.split("|");
    const field = (name: Name) => fields[at[name]]?.trim() ?? "";
    const wrong = () => unreadable(file, `line ${row + 2} is not a valid record`);
    const figure = (name: Name): number | null => {
      const read = readFigure(field(name));
      if (read === undefined) throw wrong();
      return read;
    };
    const settlement_date = readDay(field("settled"));
    const short_interest = readShares(field("current"));
    const finra_symbol = field("symbol");
    if (fields.length !== table.width || !settlement_date || short_interest === null || finra_symbol === "")
      throw wrong();
    if (isTestSymbol(finra_symbol)) return [];
    const avg_daily_volume = figure("volume");
    return [
      {
        settlement_date,
        finra_symbol,
        issue_name: field("name") || null,
        market_class: field("market") || null,
        short_interest,
        previous_short_interest: figure("previous"),
        change: figure("change"),
        change_percent: figure("percent"),
        avg_daily_volume,
        days_to_cover: coverOf(figure("cover"), avg_daily_volume),
        stock_split: field("split") !== "",
        revised: field("revision") !== "",
      },
    ];
  });
}

/**
 * Reads the file of one settlement date. It has no record count, so every line must be complete and of that
 * date.
 */
export function readShortInterestFile(text: string, date: string, file: string): ShortInterestLine[] {
  if (!/\r?\n$/.test(text)) throw unreadable(file, "it is truncated within its last line");
  const lines = readShortInterest(text, file);
  if (lines.length === 0) throw unreadable(file, "it has no lines");
  const other = lines.find((line) => line.settlement_date !== date);
  if (other) throw unreadable(file, `it contains lines of ${other.settlement_date}`);
  return lines;
}
