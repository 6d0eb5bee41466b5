// The tagged figures of one report: its own periods and those it compares them with.
import { dateOf, dayOf } from "../sessions.ts";
import { type Concept, conceptsOf, type Figure } from "./concepts.ts";
import type { Filer } from "./filers.ts";
import type { Filing } from "./filing.ts";
import { entriesAsKnown, kindOf, type LedgerEntry, shareholdersOf } from "./ledger.ts";
import { dividendsOf, sharesOn, weightedShares, worthOn } from "./share-count.ts";
import { proxyFacts, typo } from "./typing-errors.ts";

/** Reports for periods that end before this day were filed without tags. */
const TAGGED_FROM = "2010-06-15";
/** Annual reports for years that end before this day tell their quarters in a note. */
const QUARTERS_UNTIL = "2021-01-01";
/** Inline, that is in the report itself, from here on. */
const INLINE_FROM = "2019-06-30";
const UNTAGGED = new Set(["MURQ", "ZGLDF"]);
const REPORTS = new Set(["10-Q", "10-K", "10-K/A", "10-KT", "20-F"]);
const ANNUAL = (form: string) => form !== "10-Q";
/** Dollars to one euro in the convenience translation. */
const TRANSLATION = 1.1;
const COVER_DAYS = 6;

/** Returns how a filing's figures are tagged. */
export function taggingOf({ filer, form, period }: Filing): "none" | "apart" | "inline" {
  if (!REPORTS.has(form) || UNTAGGED.has(filer.symbol) || period < TAGGED_FROM) return "none";
  return period < INLINE_FROM ? "apart" : "inline";
}

/** Some quarters in a row, by the index of the last and how many. */
interface Stretch {
  readonly last: number;
  readonly count: number;
}

/** The whole fiscal years (and transition periods) that end with entry `last`, newest first. */
function yearsBack(entries: readonly LedgerEntry[], last: number, years: number): Stretch[] {
  const found: Stretch[] = [];
  for (let at = last; found.length < years; ) {
    const count = entries[at]?.quarter.number;
    if (count === undefined || at - count < -1) break;
    found.push({ last: at, count });
    at -= count;
  }
  return found;
}

/** Periods of a report: of the income statement, of the cash flow statement, of the note on quarters. */
function stretchesOf(entries: readonly LedgerEntry[], last: number, filing: Filing) {
  const count = entries[last]?.quarter.number ?? 1;
  const compared = (of: number): Stretch[] => [
    { last, count: of },
    { last: last - 4, count: of },
  ];
  if (!ANNUAL(filing.form)) {
    const toDate = compared(count);
    return { income: count > 1 ? [...compared(1), ...toDate] : toDate, cash: toDate, noted: [] };
  }
  const years = yearsBack(entries, last, 3);
  if (filing.form === "10-KT") years.push({ last: last - 4, count });
  const noted =
    filing.form !== "20-F" && filing.period < QUARTERS_UNTIL
      ? Array.from({ length: 8 }, (_, i): Stretch => ({ last: last - i, count: 1 }))
      : [];
  return { income: years, cash: years, noted };
}

const NOTED = new Set(["revenue", "gross", "netIncome"]);

function sum(entries: readonly LedgerEntry[], { last, count }: Stretch, line: string): number {
  return entries
    .slice(last - count + 1, last + 1)
    .reduce((total, { flows }) => total + (flows[line] ?? 0), 0);
}

/** The material from which one report is written. */
interface Desk {
  readonly filing: Filing;
  readonly filer: Filer;
  readonly entries: readonly LedgerEntry[];
  readonly taxonomy: "us-gaap" | "ifrs-full";
  readonly money: "USD" | "EUR";
  /** The day as of which shares are counted. */
  readonly basis: number;
}

const within = (entries: readonly LedgerEntry[], { last, count }: Stretch) =>
  last - count + 1 >= 0 && last < entries.length;

function bounds(entries: readonly LedgerEntry[], { last, count }: Stretch) {
  const start = entries[last - count + 1]?.quarter.start ?? 0;
  const end = entries[last]?.quarter.end ?? 0;
  return { start, end, dates: { start: dateOf(start), end: dateOf(end) } };
}

function flowFigures(
  { entries, taxonomy, money }: Desk,
  concepts: readonly Concept[],
  at: Stretch,
): Figure[] {
  const { dates } = bounds(entries, at);
  // A line that never changes in this kind of ledger is not reported.
  const reported = concepts.filter(({ line }) => line in (entries[at.last]?.flows ?? {}));
  const spent = reported.filter(({ line }) => line !== "research" || sum(entries, at, line) !== 0);
  return spent.map(({ line, tag }) => ({
    taxonomy,
    tag,
    unit: money,
    ...dates,
    val: sum(entries, at, line),
  }));
}

/** Earnings and dividends a share, and the shares they are counted with. */
function shareFigures({ filing, filer, entries, taxonomy, money, basis }: Desk, at: Stretch): Figure[] {
  const { start, end, dates } = bounds(entries, at);
  const ifrs = taxonomy === "ifrs-full";
  const shares = weightedShares(filer, start, end, basis);
  const profit = sum(entries, at, "netIncome");
  // Who loses money has no dilution.
  const diluted = profit < 0 ? shares.basic : shares.diluted;
  const each = (count: number) => Math.round((profit / count) * 100) / 100 || 0;
  const perShare = (tag: string, val: number): Figure => ({
    taxonomy,
    tag,
    unit: `${money}/shares`,
    ...dates,
    val,
  });
  const counted = (tag: string, val: number): Figure => ({ taxonomy, tag, unit: "shares", ...dates, val });
  const paid = dividendsOf(filer, filing.seed, start, end, basis).perShare;
  return [
    perShare(ifrs ? "BasicEarningsLossPerShare" : "EarningsPerShareBasic", each(shares.basic)),
    perShare(ifrs ? "DilutedEarningsLossPerShare" : "EarningsPerShareDiluted", each(diluted)),
    ...(paid > 0 && !ifrs ? [perShare("CommonStockDividendsPerShareDeclared", paid)] : []),
    counted(ifrs ? "WeightedAverageShares" : "WeightedAverageNumberOfSharesOutstandingBasic", shares.basic),
    counted(
      ifrs ? "AdjustedWeightedAverageShares" : "WeightedAverageNumberOfDilutedSharesOutstanding",
      diluted,
    ),
  ];
}

function balanceFigures(desk: Desk, concepts: readonly Concept[], last: number): Figure[] {
  const { filer, entries, taxonomy, money, basis } = desk;
  const entry = entries[last];
  if (!entry) return [];
  const end = dateOf(entry.quarter.end);
  const outstanding = sharesOn(filer, entry.quarter.end, basis);
  const shareTags =
    taxonomy === "us-gaap"
      ? ["CommonStockSharesOutstanding", "CommonStockSharesIssued"]
      : ["NumberOfSharesOutstanding"];
  return [
    ...concepts.map(
      ({ line, tag }): Figure => ({ taxonomy, tag, unit: money, end, val: entry.balance[line] ?? 0 }),
    ),
    ...shareTags.map((tag): Figure => ({ taxonomy, tag, unit: "shares", end, val: outstanding })),
  ];
}

/** Cash before and after the periods of the cash flow statement, and equity at the ends of the years. */
function rolledFigures({ entries, taxonomy, money }: Desk, stretches: readonly Stretch[]): Figure[] {
  const ends = [...new Set(stretches.flatMap(({ last, count }) => [last, last - count]))];
  const [cash, equity] =
    taxonomy === "us-gaap"
      ? ["CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents", "StockholdersEquity"]
      : ["CashAndCashEquivalents", "Equity"];
  return ends.flatMap((last) => {
    const entry = entries[last];
    if (!entry) return [];
    const at = { taxonomy, unit: money, end: dateOf(entry.quarter.end) };
    return [
      { ...at, tag: cash, val: entry.balance.cash ?? 0 },
      { ...at, tag: equity, val: entry.balance.equity ?? 0 },
    ];
  });
}

/**
 * The cover: shares some days before the filing, and once a year the float. A filer with two classes reports
 * them separately.
 */
function coverFigures({ filing, filer, entries, basis }: Desk, last: number): Figure[] {
  const cover = dayOf(filing.filingDate) - COVER_DAYS;
  const classes = filer.listings.filter(({ symbol }) => /-[AB]$/.test(symbol)).length;
  const shares: Figure = {
    taxonomy: "dei",
    tag: "EntityCommonStockSharesOutstanding",
    unit: "shares",
    end: dateOf(cover),
    val: sharesOn(filer, Math.min(cover, basis), basis),
  };
  const half = entries[last - 2];
  const float: Figure[] =
    half && filing.form.startsWith("10-K")
      ? [
          {
            taxonomy: "dei",
            tag: "EntityPublicFloat",
            unit: "USD",
            end: dateOf(half.quarter.end),
            val: Math.round((worthOn(filer, half.quarter.end) * 0.93) / 1e6) * 1e6,
          },
        ]
      : [];
  return [...(classes === 0 ? [shares] : []), ...float];
}

/** The latest year once more in dollars, for readers' convenience. */
const translated = (figures: readonly Figure[], end: string): Figure[] =>
  figures
    .filter((one) => ["Revenue", "ProfitLoss", "Assets"].includes(one.tag) && one.end === end)
    .map((one) => ({ ...one, unit: "USD", val: Math.round(one.val * TRANSLATION) }));

const keyOfFigure = ({ taxonomy, tag, unit, start, end }: Figure) =>
  [taxonomy, tag, unit, start, end].join(" ");

/**
 * The tagged figures of a report, each period once; of any other filing none, but for the proxies of one
 * filer.
 */
export function figuresIn(filing: Filing): Figure[] {
  if (filing.form === "DEF 14A") return proxyFacts(filing);
  if (taggingOf(filing) === "none") return [];
  const kind = kindOf(filing.filer);
  const end = dayOf(filing.period);
  const entries = entriesAsKnown(filing.filer, filing.seed, end, filing.acceptedAt);
  const last = entries.length - 1;
  if (entries[last]?.quarter.end !== end) return [];
  const desk: Desk = {
    filing,
    filer: shareholdersOf(filing.filer),
    entries,
    taxonomy: kind === "ifrs" ? "ifrs-full" : "us-gaap",
    money: kind === "ifrs" ? "EUR" : "USD",
    basis: dayOf(filing.filingDate),
  };
  const concepts = conceptsOf(filing.filer, kind, filing.period);
  const of = (statement: Concept["statement"]) => concepts.filter((one) => one.statement === statement);
  const { income, cash, noted } = stretchesOf(entries, last, filing);
  const reported = (stretches: readonly Stretch[]) => stretches.filter((one) => within(entries, one));
  const quarters = of("income").filter(({ line }) => NOTED.has(line));
  const opening = last - (entries[last]?.quarter.number ?? 1);
  const figures = [
    ...reported(income).flatMap((at) => [...flowFigures(desk, of("income"), at), ...shareFigures(desk, at)]),
    ...reported(cash).flatMap((at) => flowFigures(desk, of("cash"), at)),
    ...reported(noted).flatMap((at) => [
      ...flowFigures(desk, quarters, at),
      ...shareFigures(desk, at).filter(({ tag }) => tag.startsWith("EarningsPerShare")),
    ]),
    ...[last, opening].flatMap((at) => balanceFigures(desk, of("balance"), at)),
    ...rolledFigures(desk, reported(cash)),
    ...coverFigures(desk, last),
  ];
  if (kind === "ifrs") figures.push(...translated(figures, filing.period));
  const once = new Map(figures.map((figure) => [keyOfFigure(figure), figure]));
  return typo(filing, [...once.values()]);
}
