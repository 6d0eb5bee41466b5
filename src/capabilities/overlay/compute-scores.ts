// Computes the scores of a session: reads the figures, derives parts and score, stores rows that are new or
// changed.
import { overlayScores } from "../../datasets/overlay-scores.ts";
import type { Calendar } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import { batchOf } from "../../platform/lake/lake.ts";
import { refuseDamage } from "../../platform/reading.ts";
import { type Figures, FORMULA, PARTS, partsOf, scoreOf, type Weights } from "./formula.ts";
import type { OverlayStore, ScoreRow } from "./store.ts";

interface FigureRow extends Figures {
  readonly symbol: string;
  readonly attention_date: string | null;
  readonly short_volume_date: string | null;
}

/** Floating-point sums over many rows differ in their last digits from run to run, so figures are rounded. */
const DIGITS = 10;
const rounded = (value: number | null): number | null =>
  value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(DIGITS));

const FIGURES = [
  "attention_z",
  "news_z",
  "short_volume_z",
  "insider_bought_usd",
  "relative_volume",
  "return_5d_percent",
] as const satisfies readonly (keyof Figures)[];

/** A score row without its `known_at`; null when no part is known. */
export function scoreRow(
  date: string,
  figures: FigureRow,
  weights: Weights,
): Omit<ScoreRow, "known_at"> | null {
  const roundedFigures = Object.fromEntries(
    FIGURES.map((name) => [name, rounded(figures[name])]),
  ) as unknown as Figures;
  const parts = partsOf(roundedFigures);
  const score = scoreOf(parts, weights);
  if (!score) return null;
  const { symbol, attention_date, short_volume_date } = figures;
  return {
    date,
    symbol,
    score: Number(score.score.toPrecision(DIGITS)),
    ...(Object.fromEntries(PARTS.map((part) => [part, rounded(parts[part])])) as typeof parts),
    ...roundedFigures,
    attention_date: parts.attention === null ? null : attention_date,
    short_volume_date: parts.short_volume === null ? null : short_volume_date,
    missing: score.missing.length === 0 ? null : score.missing.join(","),
    weight_present: Number(score.weight_present.toPrecision(DIGITS)),
    weights: JSON.stringify(weights),
    formula: FORMULA,
  };
}

/** Numbers closer than this are the same sum, added in a different order. */
// Scores of 71 and 71.0000005 are one score; 71 and 71.000001 are a later version.
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

export interface ScoreDeps extends Pick<Services, "lake" | "calendar" | "clock"> {
  readonly store: OverlayStore;
  readonly weights: Weights;
}

/** The session that lies `sessions` sessions before `date`. */
function sessionBefore(calendar: Calendar, date: string, sessions: number): string {
  let day = date;
  for (let i = 0; i < sessions; i++) day = calendar.previousSession(day);
  return day;
}

export function scoreCalculator({ lake, store, calendar, clock, weights }: ScoreDeps) {
  return {
    /**
     * Computes and stores the scores of the session `date`. Unchanged scores add no rows. Returns how many
     * tickers have a score and how many rows were added.
     */
    async computeScore(date: string, signal: AbortSignal): Promise<{ tickers: number; rows: number }> {
      refuseDamage();
      const figures = await lake.query<FigureRow>(
        "SELECT * FROM overlay_inputs($session, $priced, $priced_5, $priced_20) ORDER BY symbol",
        {
          session: date,
          // A bar is stored only after the next session opens: on the evening of `date`, the newest is of the
          // session before.
          priced: sessionBefore(calendar, date, 1),
          priced_5: sessionBefore(calendar, date, 6),
          priced_20: sessionBefore(calendar, date, 21),
        },
        { signal },
      );
      const stored = new Map((await store.ofDay(date, null, signal)).map((row) => [row.symbol, row]));
      const known_at = instantText(clock.nowMs());
      const scores = figures.flatMap((row) => scoreRow(date, row, weights) ?? []);
      const changed = scores.filter((row) => {
        const before = stored.get(row.symbol);
        return !before || COMPARED.some((name) => !isSame(row[name], before[name]));
      });
      if (changed.length > 0)
        await lake.append([
          batchOf(
            overlayScores,
            changed.map((row) => ({ ...row, known_at })),
          ),
        ]);
      store.noteRun({ date, run_at: known_at, tickers: scores.length, rows: changed.length });
      return { tickers: scores.length, rows: changed.length };
    },
  };
}
