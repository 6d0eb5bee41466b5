// The regulator's file of all tagged figures of an entity: every figure of every report that can be read by
// now.
//
// Reports for periods from 2010-06-15 on are tagged, those of MURQ, ZGLDF and the funds never. Books go back
// three years before a filer's first filing, so that its first report has something to compare with. Income
// is reported for quarter and year to date, cash flow year to date alone, fourth quarters only in annual
// reports up to 2020. Yearly reports tell three years, the balance sheets of two. Revenue is Revenues, or of
// half the filers SalesRevenueNet until RevenueFromContractWithCustomerExcludingAssessedTax takes over with
// periods from 2018-03-31 on.
//
// What is odd under every seed; the figures are those of the default seed, 1:
//
//   ZORP 9079327 4:1 on 2026-06-09; Q2 2025: EPS diluted 4.52, then (10-Q of 2026-07-27) 1.13; diluted shares
//                 3,622,738,000, then 14,490,952,000; net income 16,363 M both times. 2025: revenue 271,206
// M, net income
//                 69,221 M, assets 170,195 M = 31,627 M + 138,568 M; operating cash 19,067 / 36,155 / 53,696
// / 76,048 M.
//                 All with splits do the same (KRONK, TRELB, WUZZL, QUAFF, SNARV, FROBZ, NURBL; DREK, BLIMQ
// in reverse)
//   NURBL 9009552 2024 restated: 10-K/A 0009309552-25-900004 of 2025-12-04; revenue 50,481 -> 49,693 M, net
// income 17,116
//                 -> 16,486 M, equity 55,305 -> 54,675 M. Who files before 2025-11-05 21:00Z (the 4.02) has
// the old figures
//   GIBBL 9047789 bank: 2025 RevenuesNetOfInterestExpense 72,835 M; provision released in Q2 2025 (-68 M)
//   MUMBQ 9029625 insurer, year to September: 2025 PremiumsEarnedNet 64,164 M, Revenues 75,411 M; EX-27
// article 7
//   RUMBQ 9032987 IFRS, 20-F and 6-K, euros: 2025 Revenue 66,580 M EUR, ProfitLoss 14,110 M EUR; Revenue,
// ProfitLoss and
//                 Assets of the latest year once more in USD (Revenue 73,238 M); no labels
//   LOOFQ 9089545 years to June until 2022-06-30 (net income 5,485 M), 10-KT 2022-07-01 to 2022-12-31 (2,967
// M), then to
//                 December; 8-K 5.03 0009089545-22-900001 of 2022-09-15
//   ZUBB  9087270 Revenues until 2018-06-30 (that year 88,326 M), then the contract tag, comparatives and all
//   NIXOQ 9048308 PaymentsToAcquirePropertyPlantAndEquipment until 2020-03-31, then
// PaymentsToAcquireProductiveAssets
//   CRUMQ 9020196 Revenues 4,048 M beside the contract tag's 4,007 M, year to 2025-09-30
//   SQUEQ 9072884 RegulatedAndUnregulatedOperatingRevenue alone: 14,223 M, year to 2025-09-30;
// DepreciationAndAmortization in the income
//                 statement and the cash flows, where the 10-K of 2024 has a tag of its own instead
// (rendered-statements.ts)
//   VROOQ 9089659 late: 10-K of 2024 (net loss 1,523,585,000) 0009389659-25-900002 on 2025-05-15 17:25, 10-Q
// of 2025-03-31
//                 0009389659-25-900003 on 2025-06-20 16:45, both New York
//   JUMBL 9081728 all dollars of the 10-Q for 2024-03-31 a thousandth: assets at 2023-12-31 54,857,000,
// elsewhere 54,857 M
//   OBBLQ 9032585 all share counts of the 10-K for 2023-06-30 a thousandth: diluted 572,000, later
// 572,000,000
//   KLUNQ 9054019 proxies since 2023 tell net income, without fy and fp; that of 2025 a thousandth: year to
// 2024-09-30
//                 2,333,000, elsewhere 2,333 M
//   XYLOQ 9033292 10-Q for 2025-06-30 reports the half year to 2024-06-30 as 217,936,000, its second quarter;
// right: 471,380,000
//   HOOZ 9023328 Saturday nearest to January 31, 53 weeks to 2024-02-03, fy one less than the year in which
// it ends
//   PUDGQ 9052043 last Sunday of December, quarters of 16, 12, 12, 12 weeks
//   QUIB  9011488 two classes: no EntityCommonStockSharesOutstanding
//   TRELB 9077687 and its predecessor 9200001 have the same books: net income of 2020 6,960 M under both
//   ZIGZQ 9031040 since 1997-01-06, year to December: EX-27 article 5 in the reports up to 2000 (1996-12-31
// to 2000-09-30),
//                 tags from 2010-06-30 on, nothing between. 9 months to 1997-09-30: revenue 32,069 M, net
// income 3,285 M,
//                 EPS-PRIMARY 3.36; 10-Q for 1998-06-30 without multiplier (22,111); 10-K for 1998 with a
// second, restated
//                 schedule of 1997 (revenue 43,779 -> 44,655 M, net income 4,412 M both). MUMBQ likewise
// since 1998-10-05
import { LRUCache } from "lru-cache";
import { dateOf, dayOf } from "../sessions.ts";
import type { Reply } from "../wire.ts";
import type { Figure } from "./concepts.ts";
import { wordsOf } from "./concepts.ts";
import { nameOn } from "./filers.ts";
import type { Filing } from "./filing.ts";
import { quartersBetween } from "./fiscal.ts";
import type { Register } from "./register.ts";
import { figuresIn } from "./report-facts.ts";

/** A row as it goes over the wire, its keys in this order. */
interface Row {
  readonly start?: string;
  readonly end: string;
  readonly val: number;
  readonly accn: string;
  readonly fy: number | null;
  readonly fp: string | null;
  readonly form: string;
  readonly filed: string;
  readonly frame?: string;
}

/** Year and period the filing says it is about: the same for all its rows, whatever their own periods. */
function focusOf({ filer, form, period }: Filing): Pick<Row, "fy" | "fp"> {
  const end = dayOf(period || "1970-01-01");
  const quarter = quartersBetween(filer, end, end)[0];
  if (!quarter || form === "DEF 14A") return { fy: null, fp: null };
  return { fy: quarter.year, fp: form === "10-Q" ? `Q${quarter.number}` : "FY" };
}

interface Frame {
  readonly name: string;
  /** Days by which the period misses it. */
  readonly off: number;
}

const yearAndMonth = (day: number) => dateOf(day).split("-").map(Number);

/** The calendar period a figure stands for; null for lengths that have none. */
function computeFrame(start: string | undefined, end: string): Frame | null {
  const last = dayOf(end);
  if (start === undefined) {
    const ends = [-1, 0, 1].map((n) => {
      const [year = 0, month = 0] = yearAndMonth(last);
      return Date.UTC(year, 3 * (Math.ceil(month / 3) + n), 1) / 86_400_000 - 1;
    });
    const nearest = ends.reduce((best, day) => (Math.abs(day - last) < Math.abs(best - last) ? day : best));
    const [year = 0, month = 0] = yearAndMonth(nearest);
    return { name: `CY${year}Q${month / 3}I`, off: Math.abs(nearest - last) };
  }
  const first = dayOf(start);
  const days = last - first + 1;
  const [year = 0, month = 0] = yearAndMonth(Math.floor((first + last) / 2));
  if (Math.abs(days - 365) <= 30) return { name: `CY${year}`, off: Math.abs(days - 365) };
  if (Math.abs(days - 91) <= 30)
    return { name: `CY${year}Q${Math.ceil(month / 3)}`, off: Math.abs(days - 91) };
  return null;
}

/** All filers share the same few thousand periods. */
const frames = new LRUCache<string, { frame: Frame | null }>({ max: 20_000 });

function frameOf({ start, end }: Row): Frame | null {
  const name = `${start} ${end}`;
  const known = frames.get(name) ?? { frame: computeFrame(start, end) };
  frames.set(name, known);
  return known.frame;
}

/**
 * Orders the rows of one tag and unit and gives each calendar period to the row filed last that fits it best.
 */
function framed(rows: readonly Row[]): Row[] {
  const sorted = rows.toSorted(
    (a, b) =>
      compare(a.end, b.end) ||
      compare(a.start ?? "", b.start ?? "") ||
      compare(a.filed, b.filed) ||
      compare(a.accn, b.accn),
  );
  const holders = new Map<string, { row: Row; off: number }>();
  for (const row of sorted) {
    const frame = frameOf(row);
    const holder = frame && holders.get(frame.name);
    if (frame && (!holder || frame.off < holder.off || isSamePeriod(row, holder.row)))
      holders.set(frame.name, { row, off: frame.off });
  }
  const names = new Map([...holders].map(([name, { row }]) => [row, name]));
  return sorted.map((row) => {
    const frame = names.get(row);
    return frame === undefined ? row : { ...row, frame };
  });
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const isSamePeriod = (a: Row, b: Row) => a.start === b.start && a.end === b.end;

function rowsOf(filing: Filing): { figure: Figure; row: Row }[] {
  const focus = focusOf(filing);
  return figuresIn(filing).map((figure) => ({
    figure,
    row: {
      ...(figure.start !== undefined && { start: figure.start }),
      end: figure.end,
      val: figure.val,
      accn: filing.accession,
      ...focus,
      form: filing.form,
      filed: filing.filingDate,
    },
  }));
}

const FILE = /^CIK(\d{10})\.json$/;

/** `companyfacts/<name>`; null for who has sent no tagged figure yet. */
export function companyFactsFile(register: Register, name: string): Reply | null {
  const cik = Number(FILE.exec(name)?.[1]);
  const filer = register.filerOf(cik);
  if (!filer || filer.cik !== cik) return null;
  const filings = register.visibleOf(filer).filter((filing) => filing.filer === filer);
  const all = filings.flatMap(rowsOf);
  if (all.length === 0) return null;
  const facts: Record<string, Record<string, unknown>> = {};
  for (const [taxonomy, ofTaxonomy] of sortedGroups(all, ({ figure }) => figure.taxonomy)) {
    const tags: Record<string, unknown> = {};
    for (const [tag, ofTag] of sortedGroups(ofTaxonomy, ({ figure }) => figure.tag)) {
      const units: Record<string, Row[]> = {};
      for (const [unit, ofUnit] of sortedGroups(ofTag, ({ figure }) => figure.unit))
        units[unit] = framed(ofUnit.map(({ row }) => row));
      tags[tag] = { ...wordsOf(taxonomy, tag), units };
    }
    facts[taxonomy] = tags;
  }
  const body = JSON.stringify({ cik, entityName: nameOn(filer, register.today()), facts });
  return { status: 200, headers: { "content-type": "application/json", server: "AmazonS3" }, body };
}

function sortedGroups<T>(list: readonly T[], key: (one: T) => string): [string, T[]][] {
  return [...Map.groupBy(list, key)].sort(([a], [b]) => compare(a, b));
}
