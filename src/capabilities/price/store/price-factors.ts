// The factors that bring stored bars to the basis of a moment: rows of the macro `adjustments`, and the
// actions that a provider listed late. What is hard about them is in SQL alone.
import { actionCoverage } from "../../../datasets/action-coverage.ts";
import { adjustmentsNow, adjustmentsOf, hasLaterActions } from "../../../datasets/adjustments.ts";
import { barsDaily } from "../../../datasets/bars-daily.ts";
import { corporateActions } from "../../../datasets/corporate-actions.ts";
import { hasLate } from "../../../datasets/late-actions.ts";
import type { Clock } from "../../../platform/clock.ts";
import { literal } from "../../../platform/lake/dataset.ts";
import type { Lake } from "../../../platform/lake/lake.ts";
import { currentReading, isReplaying, Reading, refuseDamage, unnoted } from "../../../platform/reading.ts";
import { among, BARS_AND_ACTIONS, readBy } from "./stored-span.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Days since 1970 of a day as the lake gives it. */
export const dayOf = (day: string): number =>
  day.endsWith("infinity") ? (day === "infinity" ? Infinity : -Infinity) : Date.parse(day) / DAY_MS;
/** Microseconds since 1970. */
const microsOf = (at: string): number =>
  at.endsWith("infinity") ? (at === "infinity" ? Infinity : -Infinity) : Date.parse(at) * 1000;

/** A factor for bars with a basis in [since, exDate) that were fetched in [from, before). NaN is unknown. */
export interface Factor {
  readonly since: number;
  readonly exDate: number;
  readonly split: number;
  readonly total: number;
  readonly from: number;
  readonly before: number;
}

/** An action that bars up to a basis lack. */
export interface Late {
  readonly exDate: number;
  readonly through: number;
  readonly kind: string;
  readonly factor: number;
}

export interface PriceFactors {
  /** Whether any of the symbols may have an action. */
  readonly haveActions: boolean;
  of(symbol: string): readonly Factor[];
  late(symbol: string): readonly Late[];
}

type Row = Record<string, unknown> & { readonly symbol: string };
interface FactorRow extends Row {
  readonly since: string;
  readonly ex_date: string;
  readonly split_factor: number | null;
  readonly total_factor: number | null;
  readonly recorded_from?: string;
  readonly recorded_before?: string;
}

const factorOf = (row: FactorRow): Factor => ({
  since: dayOf(row.since),
  exDate: dayOf(row.ex_date),
  split: row.split_factor ?? Number.NaN,
  total: row.total_factor ?? Number.NaN,
  from: microsOf(row.recorded_from ?? "-infinity"),
  before: microsOf(row.recorded_before ?? "infinity"),
});

const bySymbol = <T extends Row, R>(rows: readonly T[], of: (row: T) => R) =>
  new Map([...Map.groupBy(rows, ({ symbol }) => symbol)].map(([symbol, own]) => [symbol, own.map(of)]));

const NONE: readonly never[] = [];

/** The factors and actions of every symbol, in one version of the stored actions. */
interface Known {
  readonly version: string;
  /** The factors to the basis of today; undefined while they are read, and where that failed. */
  factors?: ReadonlyMap<string, readonly Factor[]>;
  /** The symbols with any action. */
  acting?: ReadonlySet<string>;
}

/** More rows are asked for by symbol: they would take some 100 bytes each. */
const KNOWN_MAX = 100_000;

/** The generation that the request reads; null for the newest. */
const readGeneration = () => currentReading()?.replay?.version ?? currentReading()?.pinned ?? null;
const ofNewest = <T>(work: () => T): T => (readGeneration() === null ? work() : unnoted(work));

const FACTORS = "symbol, since, ex_date, split_factor, total_factor";

/** Reads the factors to the basis of today. */
async function readNow(lake: Lake, where: string, symbols: readonly string[]) {
  const from = await lake.ofMetadata((metadata) =>
    hasLaterActions(metadata, barsDaily) ? adjustmentsNow(metadata, barsDaily) : null,
  );
  const by = symbols.length > 0 ? readBy(symbols) : {};
  const rows =
    from === null ? [] : await lake.query<FactorRow>(`SELECT ${FACTORS} FROM ${from} a${where}`, {}, by);
  return bySymbol(rows, factorOf);
}

/** Reads the factors to the basis of a moment. */
async function readAt(lake: Lake, symbols: readonly string[], asOf: Temporal.Instant) {
  const from = await lake.ofMetadata((metadata) =>
    adjustmentsOf(metadata, barsDaily, `TIMESTAMPTZ ${literal(asOf.toString())}`),
  );
  const rows = await lake.query<FactorRow>(
    `SELECT ${FACTORS}, recorded_from, recorded_before FROM ${from} a WHERE ${among(symbols)}`,
    {},
    { ...readBy(symbols), keptOf: BARS_AND_ACTIONS },
  );
  return bySymbol(rows, factorOf);
}

interface LateRow extends Row {
  readonly ex_date: string;
  readonly missing_through: string;
  readonly kind: string;
  readonly price_factor: number | null;
}

/** Reads the reports of actions that say which bars lack them, the first of a symbol first. */
async function readLate(lake: Lake, symbols: readonly string[]) {
  if (!(await lake.ofMetadata(hasLate))) return new Map<string, Late[]>();
  const rows = await lake.query<LateRow>(
    `SELECT symbol, ex_date, kind, price_factor, missing_through FROM corporate_actions
     WHERE missing_through IS NOT NULL AND ${among(symbols)} ORDER BY symbol, known_at`,
    {},
    readBy(symbols),
  );
  return bySymbol(rows, (row) => ({
    exDate: dayOf(row.ex_date),
    through: dayOf(row.missing_through),
    kind: row.kind,
    factor: row.price_factor ?? Number.NaN,
  }));
}

export class FactorReader {
  readonly #lake: Lake;
  readonly #clock: Clock;
  #known: Known | undefined;
  #lastVersion = "";

  constructor({ lake, clock }: { readonly lake: Lake; readonly clock: Clock }) {
    this.#lake = lake;
    this.#clock = clock;
  }

  /**
   * Identifies the newest of what factors depend on: the stored actions, the bases of bars and the hour, with
   * which today's day in New York changes.
   */
  version(symbols: readonly string[]): Promise<string> {
    return ofNewest(async () => {
      const files = await this.#lake.version([corporateActions, actionCoverage], symbols);
      const bases = await this.#lake.ofMetadata((metadata) => metadata.range(barsDaily, "basis_date") ?? []);
      return [files, ...bases, Math.floor(this.#clock.nowMs() / HOUR_MS)].join(" ");
    });
  }

  async read(
    symbols: readonly string[],
    asOf: Temporal.Instant | null,
    version: string,
  ): Promise<PriceFactors> {
    const known = this.#knownOf(version);
    // No stored action is ever replaced: a version has none of a symbol that has none now.
    const haveActions = known?.acting === undefined || symbols.some((symbol) => known.acting?.has(symbol));
    // Rows that are sent are of the version that their answer names, mostly the newest.
    const generation = isReplaying() ? Number.NaN : (readGeneration() ?? (await this.#lake.generation()));
    const isNewest = generation === (await ofNewest(() => this.#lake.generation()));
    const now = () => {
      if (!haveActions) return new Map<string, Factor[]>();
      return (
        (isNewest ? known?.factors : undefined) ?? readNow(this.#lake, ` WHERE ${among(symbols)}`, symbols)
      );
    };
    const [factors, late] = await Promise.all([
      asOf === null ? now() : readAt(this.#lake, symbols, asOf),
      haveActions ? readLate(this.#lake, symbols) : new Map<string, Late[]>(),
    ]);
    return {
      haveActions,
      of: (symbol) => factors.get(symbol) ?? NONE,
      late: (symbol) => late.get(symbol) ?? NONE,
    };
  }

  /** Finds those of a version that was asked for before: while fetches store actions, each is seen once. */
  #knownOf(version: string): Known | undefined {
    if (this.#known?.version === version) return this.#known;
    if (this.#lastVersion === version) new Reading().run(() => this.#load(version)).catch(() => {});
    this.#lastVersion = version;
    return undefined;
  }

  async #load(version: string): Promise<void> {
    const loaded: Known = { version };
    this.#known = loaded;
    // A symbol of a lost file would count as having none; each read then names the loss itself.
    refuseDamage();
    const factors = await readNow(this.#lake, ` LIMIT ${KNOWN_MAX + 1}`, []);
    const symbols = await this.#lake.query<Row>("SELECT DISTINCT symbol FROM corporate_actions");
    if ((await this.version([])) !== version) return;
    loaded.acting = new Set(symbols.map(({ symbol }) => symbol));
    const rows = [...factors.values()].reduce((sum, own) => sum + own.length, 0);
    if (rows <= KNOWN_MAX) loaded.factors = factors;
  }
}
