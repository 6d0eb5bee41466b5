// Decides which figure of one filing is off by a power of a thousand when income, earnings per share and the
// share counts disagree. It reads the filing alone; `fitsHistory` adds what earlier filings say.
import type { Chosen, Column, Report } from "./column.ts";
import { COVER_SHARES, type ComparedLine } from "./line.ts";
import { powerOf } from "./powers.ts";

export interface Verdicts {
  /** Figures that are off by a power of a thousand. */
  readonly doubted: Set<Chosen>;
  /** Figures that another figure of the filing confirms. */
  readonly confirmed: Set<Chosen>;
}

/** Tolerance in powers of ten: a count of one day against the average of a period, or a small share class. */
const COUNT_SLACK = 0.5;
/** Tolerance in powers of ten for income / earnings per share against a share count. */
const IDENTITY_SLACK = 0.3;
/** Counts of shares farther apart in time than this are not compared. */
const COUNT_DAYS_MAX = 400;
/** Earnings per share outside this range may be the figure that is off. */
const [PER_SHARE_MIN, PER_SHARE_MAX] = [0.005, 1000];
/** Counts by which a share earns more than this are more likely given in thousands than right. */
const PER_SHARE_USUAL_MAX = 100;
/**
 * A filing whose income implies fewer shares than this, with assets below a million, is given in millions.
 */
const IMPLIED_SHARES_MIN = 2000;
const ASSETS_MIN = 1e6;
/** An amount votes when the two readings of income differ by more than this, in powers of ten. */
const VOTE_MARGIN = 1;
/** Money rounded to this unit or more is not given in thousands. */
const WHOLE_UNITS_MIN = 1000;
/** The usual size of net income beside other amounts, in powers of ten. */
const USUAL: readonly (readonly [ComparedLine, number])[] = [
  ["income_before_tax", -0.15],
  ["net_income_with_noncontrolling", 0],
  ["operating_income", -0.2],
  ["operating_cash_flow", -0.2],
  ["gross_profit", -0.6],
  ["revenue", -1.2],
];

/** The power of a thousand between two numbers; 0 when there is none. */
const powerBetween = (a: number, b: number, slack: number): number => powerOf(Math.abs(a / b), slack);
const agree = (a: number, b: number): boolean => Math.abs(Math.log10(Math.abs(a / b))) <= COUNT_SLACK;

/** True for a period with a figure that concerns shares. */
const isConcerned = ({ period, figures }: Column): boolean =>
  period.startDay !== null &&
  (figures.net_income ?? figures.weighted_average_shares_basic ?? figures.weighted_average_shares_diluted) !==
    undefined;

const isOfCover = ({ cell }: Chosen): boolean => cell.tag.id === COVER_SHARES;

const NONE: readonly Chosen[] = [];

type Vote = "in place" | "off" | "unknown";

/** The figures of one period that concern shares, and the counts of shares near its end. */
class Witnesses {
  readonly income: Chosen | undefined;
  readonly weighted: readonly Chosen[];
  /** Counts of shares of a day near its end. */
  readonly counts: readonly Chosen[];

  constructor(
    readonly column: Column,
    counts: readonly Chosen[],
    readonly fitsHistory: (figure: Chosen) => boolean | null,
  ) {
    this.income = this.of("net_income");
    const { weighted_average_shares_basic: basic, weighted_average_shares_diluted: diluted } = column.figures;
    const weighted: Chosen[] = [];
    if (basic && basic.value > 0) weighted.push(basic);
    if (diluted && diluted.value > 0) weighted.push(diluted);
    this.weighted = weighted;
    const end = column.period.endDay;
    this.counts = counts.filter((f) => f.value > 0 && Math.abs(f.period.endDay - end) <= COUNT_DAYS_MAX);
  }

  /** Counts of the cover. */
  get cover(): readonly Chosen[] {
    return this.counts.filter(isOfCover);
  }

  /** Counts of the balance sheet. */
  get balance(): readonly Chosen[] {
    return this.counts.filter((figure) => !isOfCover(figure));
  }

  of(line: ComparedLine): Chosen | undefined {
    const figure = this.column.figures[line];
    return figure?.value === 0 ? undefined : figure;
  }

  perShare(line: string): Chosen | undefined {
    const [basic, diluted] = [this.of("eps_basic"), this.of("eps_diluted")];
    return line === "weighted_average_shares_diluted" ? (diluted ?? basic) : (basic ?? diluted);
  }

  /** The number of shares that income and earnings per share imply; null when either is missing. */
  implied(line: string): number | null {
    const perShare = this.perShare(line);
    return this.income && perShare ? Math.abs(this.income.value / perShare.value) : null;
  }

  /**
   * Weighs income, and income divided by 10^power, against the other amounts of the period and against its
   * history.
   */
  voteOnIncome(power: number): Vote {
    if (!this.income) return "unknown";
    let votes = 0;
    for (const [line, usual] of USUAL) {
      const other = this.of(line);
      if (!other) continue;
      const size = Math.log10(Math.abs(this.income.value / other.value)) - usual;
      const gain = Math.abs(size - power) - Math.abs(size);
      if (Math.abs(gain) > VOTE_MARGIN) votes += Math.sign(gain);
    }
    const history = this.fitsHistory(this.income);
    if (history !== null) votes += history ? 1 : -1;
    return votes > 0 ? "in place" : votes < 0 ? "off" : "unknown";
  }
}

const isOddPerShare = (figure: Chosen | undefined): boolean =>
  figure !== undefined && (Math.abs(figure.value) < PER_SHARE_MIN || Math.abs(figure.value) > PER_SHARE_MAX);

/**
 * Decides between a weighted count that the cover repeats and earnings per share: the counts of a whole
 * report may be given in thousands. Where earnings per share are usual and those by the count are not, the
 * count is off; where both are usual, either is.
 */
function decideCovered(w: Witnesses, income: Chosen, shares: Chosen, perShare: Chosen): readonly Chosen[] {
  if (isOddPerShare(perShare) || w.fitsHistory(shares) === true) return [perShare];
  const byCount = Math.abs(income.value / shares.value);
  return byCount < PER_SHARE_MIN || byCount > PER_SHARE_USUAL_MAX ? [shares] : [shares, perShare];
}

/** Decides about a weighted count that income / earnings per share misses by 10^power. */
function decide(w: Witnesses, shares: Chosen, implied: number, power: number): readonly Chosen[] {
  const { income } = w;
  const perShare = w.perShare(shares.spec.line);
  if (!income || !perShare) return [];
  const money = w.voteOnIncome(power);
  if (w.cover.some(({ value }) => agree(value, implied))) return [shares];
  if (w.fitsHistory(income) === false && w.fitsHistory(shares) !== false) return [income];
  const isCovered = w.cover.some(({ value }) => agree(value, shares.value));
  if (money === "off") return [income];
  if (money === "unknown") {
    if (w.balance.some(({ value }) => agree(value, implied))) return [shares];
    const isSecond = isCovered || w.balance.some(({ value }) => agree(value, shares.value));
    return isSecond || w.fitsHistory(shares) === true ? [income, perShare] : [shares, income, perShare];
  }
  const isWholeMoney =
    power > 0 || income.filing.rounding >= WHOLE_UNITS_MIN || w.fitsHistory(income) === true;
  if (isCovered && (isWholeMoney || isOddPerShare(perShare)))
    return decideCovered(w, income, shares, perShare);
  if (isCovered) return [income, perShare];
  if (isOddPerShare(perShare)) return [shares, perShare];
  return isWholeMoney ? [shares] : [shares, income];
}

/**
 * Whether a count and earnings per share stand in each other's place, as another count shows. Made up: 4.79
 * shares at 102 million a share, beside 100 million basic shares.
 */
const isExchanged = (shares: Chosen, perShare: Chosen, { weighted, counts }: Witnesses): boolean =>
  perShare.value > shares.value &&
  [...weighted, ...counts].some((other) => other !== shares && agree(other.value, perShare.value));

/**
 * Judges the figures of one period. Counts of a day that repeat a doubted weighted count are doubted with it.
 */
function judgePeriod(w: Witnesses, { doubted, confirmed }: Verdicts): void {
  for (const shares of w.weighted) {
    const implied = w.implied(shares.spec.line);
    if (implied === null) continue;
    const ratio = implied / shares.value;
    const perShare = w.perShare(shares.spec.line);
    if (perShare && isExchanged(shares, perShare, w)) {
      doubted.add(shares).add(perShare);
      continue;
    }
    if (ratio > 0.5 && ratio < 2) {
      confirmed.add(shares);
      continue;
    }
    const power = powerBetween(implied, shares.value, IDENTITY_SLACK);
    if (power === 0) continue;
    const off = decide(w, shares, implied, power);
    for (const figure of off) doubted.add(figure);
    if (!off.includes(shares)) continue;
    for (const count of w.counts)
      if (powerBetween(implied, count.value, COUNT_SLACK) === power) doubted.add(count);
  }
}

/** A count this many times off every other sign of the number of shares is no count of them. */
// 1000 beside 150 million weighted shares and 6 million of income at 0.04 a share. Made up: 20 million after
// an offering, beside 4 million weighted, are 5 times off.
const FAR_OFF_MIN = 10;
/**
 * Whether a count is far off both the weighted count and the one that income implies in each period that has
 * both, and no other count of the filing repeats it.
 */
function isNoCount(count: Chosen, counts: readonly Chosen[], all: readonly Witnesses[]): boolean {
  if (counts.some((other) => isOfCover(other) !== isOfCover(count) && agree(other.value, count.value)))
    return false;
  const signs = all
    .filter((w) => w.counts.includes(count))
    .flatMap((w) =>
      w.weighted.flatMap((shares) => {
        const implied = w.implied(shares.spec.line);
        return implied === null ? [] : [shares.value, implied];
      }),
    );
  const isFar = (sign: number) => Math.max(sign / count.value, count.value / sign) >= FAR_OFF_MIN;
  return signs.length > 0 && signs.every(isFar);
}

/** The weighted counts from which a count of a day differs by a power of a thousand; mostly none. */
function contradictingTo(count: Chosen, sound: readonly Chosen[]): readonly Chosen[] {
  let found = NONE;
  for (const other of sound)
    if (powerBetween(other.value, count.value, COUNT_SLACK) !== 0) found = [...found, other];
  return found;
}

/**
 * Which figures are off where a count of a day and weighted counts contradict each other, by earlier filings.
 */
function offAmong(w: Witnesses, count: Chosen, weighted: readonly Chosen[]): readonly Chosen[] {
  if (weighted.some((figure) => w.fitsHistory(figure) === true)) return [count];
  return w.fitsHistory(count) === true ? weighted : [count, ...weighted];
}

/** Judges counts of a day against sound weighted counts, else against the counts that income implies. */
function judgeCounts(all: readonly Witnesses[], { doubted, confirmed }: Verdicts): void {
  for (const w of all) {
    if (w.counts.length === 0) continue;
    const sound = doubted.size === 0 ? w.weighted : w.weighted.filter((figure) => !doubted.has(figure));
    const isIncomeSound =
      sound.length === 0 && w.income && !doubted.has(w.income) && w.voteOnIncome(3) === "in place";
    const implied = isIncomeSound ? w.implied("weighted_average_shares_diluted") : null;
    for (const count of w.counts) {
      if (implied !== null && powerBetween(implied, count.value, IDENTITY_SLACK) !== 0) doubted.add(count);
      const contradicting = contradictingTo(count, sound);
      if (contradicting.length === 0) continue;
      const isSure = confirmed.size > 0 && sound.some((figure) => confirmed.has(figure));
      for (const figure of isSure ? [count] : offAmong(w, count, contradicting)) doubted.add(figure);
    }
  }
}

/** Doubts weighted counts of other periods that are of the size of doubted ones and that nothing confirms. */
function spread(weighted: readonly Chosen[], { doubted, confirmed }: Verdicts): void {
  if (doubted.size === 0) return;
  const wrong = weighted.filter((figure) => doubted.has(figure));
  const right = weighted.filter((figure) => confirmed.has(figure) && !doubted.has(figure));
  for (const figure of weighted) {
    if (doubted.has(figure) || confirmed.has(figure)) continue;
    if (right.some(({ value }) => agree(value, figure.value))) continue;
    if (wrong.some(({ value }) => agree(value, figure.value))) doubted.add(figure);
  }
}

/**
 * True when the amounts of a filing are in millions: its income implies a handful of shares and its assets
 * are tiny.
 */
function isInMillions(columns: readonly Column[], all: readonly Witnesses[]): boolean {
  let hasAssets = false;
  for (const { figures } of columns) {
    if (figures.total_assets && figures.total_assets.value >= ASSETS_MIN) return false;
    hasAssets ||= figures.total_assets !== undefined;
  }
  if (!hasAssets) return false;
  const implied = all.flatMap((w) => w.implied("weighted_average_shares_diluted") ?? []);
  return implied.length > 0 && implied.every((shares) => shares < IMPLIED_SHARES_MIN);
}

/**
 * Judges one filing. `fitsHistory` returns true when earlier filings predict the figure, false when the
 * figure is off them by a power of a thousand, null when nothing can be compared.
 */
export function weighWitnesses(
  { figures, columns }: Report,
  fitsHistory: (figure: Chosen) => boolean | null,
): Verdicts {
  const verdicts: Verdicts = { doubted: new Set(), confirmed: new Set() };
  const counts = columns.flatMap((column) => column.figures.shares_outstanding ?? []);
  const all = columns.filter(isConcerned).map((column) => new Witnesses(column, counts, fitsHistory));
  if (isInMillions(columns, all)) {
    for (const figure of figures) if (figure.spec.kind !== "per_share") verdicts.doubted.add(figure);
    return verdicts;
  }
  for (const w of all) judgePeriod(w, verdicts);
  spread(
    all.flatMap(({ weighted }) => weighted),
    verdicts,
  );
  judgeCounts(all, verdicts);
  for (const count of counts)
    if (count.value > 0 && isNoCount(count, counts, all)) verdicts.doubted.add(count);
  return verdicts;
}
