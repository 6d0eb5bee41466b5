// Reckons the scores of a session: reads the figures, makes parts and score, stores what is new or other than before.
import { overlayScores } from "../../datasets/overlay-scores.ts";
import type { Calendar } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import { type Figures, FORMULA, PARTS, partsOf, scoreOf, type Weights } from "./formula.ts";
import type { OverlayStore } from "./store.ts";

export type ScoreRow = RowOf<typeof overlayScores>;

interface FigureRow extends Figures {
  readonly symbol: string;
  readonly attention_date: string | null;
  readonly short_volume_date: string | null;
}

/** Sums of many numbers differ in their last digits from run to run. */
const DIGITS = 10;
const settled = (value: number | null): number | null =>
  value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(DIGITS));

const FIGURES = [
  "attention_z",
  "news_z",
  "short_volume_z",
  "insider_bought_usd",
  "relative_volume",
  "return_5d_percent",
] as const satisfies readonly (keyof Figures)[];

/** A row of the lake without its moment; null where no part is known. */
export function scoreRow(
  date: string,
  figures: FigureRow,
  weights: Weights,
): Omit<ScoreRow, "known_at"> | null {
  const kept = Object.fromEntries(
    FIGURES.map((name) => [name, settled(figures[name])]),
  ) as unknown as Figures;
  const parts = partsOf(kept);
  const score = scoreOf(parts, weights);
  if (!score) return null;
  const { symbol, attention_date, short_volume_date } = figures;
  return {
    date,
    symbol,
    score: Number(score.score.toPrecision(DIGITS)),
    ...(Object.fromEntries(PARTS.map((part) => [part, settled(parts[part])])) as typeof parts),
    ...kept,
    attention_date: parts.attention === null ? null : attention_date,
    short_volume_date: parts.short_volume === null ? null : short_volume_date,
    missing: score.missing.length === 0 ? null : score.missing.join(","),
    weight_present: Number(score.weight_present.toPrecision(DIGITS)),
    weights: JSON.stringify(weights),
    formula: FORMULA,
  };
}

/** Less than this apart is the same number in another order of summing. */
const SAME_RATIO = 1e-8;
const isSame = (a: unknown, b: unknown): boolean =>
  typeof a === "number" && typeof b === "number"
    ? Math.abs(a - b) <= SAME_RATIO * Math.max(1, Math.abs(a), Math.abs(b))
    : a === b;

const COMPARED = [
  "score",
  ...PARTS,
  ...FIGURES,
  "attention_date",
  "short_volume_date",
  "weights",
  "formula",
] as const;

export interface ScoreDeps {
  readonly lake: Lake;
  readonly store: OverlayStore;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly weights: Weights;
}

/** So many sessions before `date`. */
function sessionBefore(calendar: Calendar, date: string, sessions: number): string {
  let day = date;
  for (let i = 0; i < sessions; i++) day = calendar.previousSession(day);
  return day;
}

export function scoreCalculator({ lake, store, calendar, clock, weights }: ScoreDeps) {
  return {
    /** Scores of a session, `date`; the same figures again add nothing. Gives the tickers and the rows that came in. */
    async computeScore(date: string, signal: AbortSignal): Promise<{ tickers: number; rows: number }> {
      const figures = await lake.query<FigureRow>(
        "SELECT * FROM overlay_inputs($session, $priced, $priced_5, $priced_20) ORDER BY symbol",
        {
          session: date,
          // A bar is stored once the next session opened: in the evening of `date`, that of the session before is the newest.
          priced: sessionBefore(calendar, date, 1),
          priced_5: sessionBefore(calendar, date, 6),
          priced_20: sessionBefore(calendar, date, 21),
        },
        { signal },
      );
      const stored = new Map((await store.ofDay(date, null, signal)).map((row) => [row.symbol, row]));
      const known_at = instantText(clock.nowMs());
      const made = figures.flatMap((row) => scoreRow(date, row, weights) ?? []);
      const fresh = made.filter((row) => {
        const before = stored.get(row.symbol);
        return !before || COMPARED.some((name) => !isSame(row[name], before[name]));
      });
      if (fresh.length > 0)
        await lake.append([
          batchOf(
            overlayScores,
            fresh.map((row) => ({ ...row, known_at })),
          ),
        ]);
      store.noteRun({ date, run_at: known_at, tickers: made.length, rows: fresh.length });
      return { tickers: made.length, rows: fresh.length };
    },
  };
}
