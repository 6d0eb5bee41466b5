// Finds totals of depreciation and amortization that may be lines of the income statement alone: the files of
// figures do not say on which statement a tag stands, and the cash-flow statement may have a tag of the
// filer's own, which they lack.
import { type Chosen, type Column, type Filing, type Report, SUM_SLACK_UNITS } from "./column.ts";
import type { Period } from "./period.ts";
import { DEPRECIATION_PARTS, DEPRECIATION_TOTALS, near } from "./proofs.ts";
import type { StatementLine } from "./records.ts";

const LINE = "depreciation_amortization";
/** By its definition a line of the income statement, which many filers use on both. */
const INCOME_TAG = "DepreciationAndAmortization";
const TOTALS: readonly string[] = [...DEPRECIATION_TOTALS, INCOME_TAG];
/** A quarterly report shows how the filer uses a tag until about the same report of the next year. */
const DAYS_SHOWN = 400;
/** Lines of which a column of the income statement has one. */
const INCOME: readonly StatementLine[] = ["net_income", "income_before_tax", "operating_income", "revenue"];
/** The costs that have a name of their own. */
const COSTS: readonly StatementLine[] = [
  ...(["cost_of_revenue", "research_and_development", "selling_general_administrative"] as const),
  ...(["selling_and_marketing", "general_and_administrative"] as const),
];
const NEEDED: ReadonlySet<StatementLine> = new Set([LINE, ...INCOME, ...COSTS]);

/**
 * Whether a tag is given for the year to date alone, as the cash-flow statement of a quarterly report gives
 * its lines.
 */
interface Shown {
  readonly isToDate: boolean;
  readonly filedDay: number;
}

/** A column with those of its figures that are needed. */
interface Place {
  readonly column: Column;
  readonly figures: Map<StatementLine, Chosen>;
}

function placesOf({ figures }: Report): Place[] {
  const places = new Map<Column, Place>();
  for (const figure of figures) {
    const { column } = figure.cell;
    if (!NEEDED.has(figure.spec.line)) continue;
    const place = places.getOrInsertComputed(column, () => ({ column, figures: new Map() }));
    place.figures.set(figure.spec.line, figure);
  }
  return [...places.values()];
}

/**
 * Returns the costs between revenue and operating income that have no line of their own; NaN where they are
 * not known.
 */
function otherCosts({ figures }: Place): number {
  const numberOf = (line: StatementLine, otherwise: number) => figures.get(line)?.value ?? otherwise;
  const parts = numberOf("selling_and_marketing", 0) + numberOf("general_and_administrative", 0);
  return (
    numberOf("revenue", Number.NaN) -
    numberOf("cost_of_revenue", Number.NaN) -
    numberOf("selling_general_administrative", parts) -
    numberOf("research_and_development", 0) -
    numberOf("operating_income", Number.NaN)
  );
}

/**
 * Another total beside it, or the parts of the cash-flow statement: the larger total, or their sum, is that
 * statement's.
 */
function isDecided({ value, filing, cell: { tag, column } }: Chosen): boolean {
  const { get } = column;
  if (TOTALS.some((other) => other !== tag.id && (get(other) ?? 0) !== 0)) return true;
  const [depreciation = 0, amortization = 0] = DEPRECIATION_PARTS.map(get);
  const isSum = near(depreciation + amortization, value, SUM_SLACK_UNITS * filing.rounding);
  return depreciation !== 0 && amortization !== 0 && isSum;
}

/** How a quarterly report shows the tag; null where it has no quarter beside the year to date. */
function shownIn(places: readonly Place[], tag: string, { filedDay }: Filing): Shown | null {
  const isBeside = ({ column: { period }, figures }: Place, { endDay }: Period) =>
    period.months === 3 && period.endDay === endDay && INCOME.some((line) => figures.has(line));
  const toDate = places.filter(
    ({ column: { period, get } }) => (period.months === 6 || period.months === 9) && get(tag) !== undefined,
  );
  const quarters = toDate.flatMap(({ column }) => places.filter((place) => isBeside(place, column.period)));
  if (quarters.length === 0) return null;
  return { isToDate: quarters.every(({ column }) => column.get(tag) === undefined), filedDay };
}

/** Whether the income statement's costs leave no room for the tag. */
function isExcluded(places: readonly Place[], tag: string, { rounding }: Filing): boolean {
  const missing = places.flatMap((place) => {
    const [value, room] = [place.column.get(tag), otherCosts(place)];
    return value === undefined || Number.isNaN(room) ? [] : [value - room];
  });
  return missing.length > 0 && missing.every((amount) => amount > SUM_SLACK_UNITS * rounding);
}

const NONE: ReadonlySet<Chosen> = new Set();

/** Reads the reports of a company oldest first, so that no figure depends on a later report. */
export class StatementPlaces {
  readonly #shown = new Map<string, Shown>();

  /**
   * Whether the report, or the filer's last quarterly one, shows that the tag is no line of the income
   * statement.
   */
  #isProved(places: readonly Place[], tag: string, filing: Filing): boolean {
    const own = shownIn(places, tag, filing);
    if (own && filing.tier === "periodic") this.#shown.set(tag, own);
    const shown = own ?? this.#shown.get(tag);
    const isShown = shown?.isToDate && filing.filedDay - shown.filedDay <= DAYS_SHOWN;
    return isShown || isExcluded(places, tag, filing);
  }

  /** The figures of a report of which nothing proves that they are lines of its cash-flow statement. */
  unproven(report: Report): ReadonlySet<Chosen> {
    const totals = report.figures.filter(
      ({ spec, cell }) => spec.line === LINE && TOTALS.includes(cell.tag.id),
    );
    if (totals.length === 0) return NONE;
    const places = placesOf(report);
    const hasCosts = places.some(
      ({ column, figures }) => figures.has("operating_income") || column.get("CostsAndExpenses"),
    );
    const proved = new Map<string, boolean>();
    const unproven = totals.filter((figure) => {
      const { id } = figure.cell.tag;
      const isProved = proved.getOrInsertComputed(id, () => this.#isProved(places, id, report.filing));
      const isOwn = id !== INCOME_TAG && !hasCosts;
      return !(isProved || isOwn || isDecided(figure));
    });
    return new Set(unproven);
  }
}
