// Storage of the overlay: scores in the lake, topics and runs in the database.
import { desc, eq } from "drizzle-orm";
import type { overlayScores } from "../../datasets/overlay-scores.ts";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { overlay_runs, overlay_topics } from "./tables.ts";

export type ScoreRow = RowOf<typeof overlayScores>;

export interface Topic {
  readonly topic_id: string;
  readonly name: string;
  readonly keywords: readonly string[];
  readonly encyc_titles: readonly string[];
  /** Canonical symbols. */
  readonly tickers: readonly string[];
}

/** The newest stored day of a dataset that scores are computed from. */
export interface InputState {
  readonly input: string;
  readonly last_date: string | null;
}

export interface MoverRow extends ScoreRow {
  readonly previous_score: number | null;
  readonly score_change: number | null;
  readonly name: string | null;
  readonly market_cap: number | null;
  /** The number of all rows that match. */
  readonly total: number;
}

const INPUTS = `SELECT 'attention' AS input, max(date) AS last_date FROM page_views
  UNION ALL SELECT 'news', max(filed_on) FROM news_headlines
  UNION ALL SELECT 'short_volume', max(date) FROM finra_files WHERE facility = 'CNMS'
  UNION ALL SELECT 'insider', max(filing_date) FROM insider_transactions
  UNION ALL SELECT 'bars', max(date) FROM bars_daily`;

/**
 * Today's names, and the market capitalization as known by the end of the day: from the newest universe
 * snapshot, else from the company's record.
 */
const NAMED = `SELECT symbol, any_value(name) AS name, max(cap) AS market_cap FROM (
    SELECT c.symbol, c.name, coalesce(u.market_cap, CASE WHEN p.market_cap_currency = 'USD' THEN p.market_cap END) AS cap
    FROM companies_at() c LEFT JOIN snapshot u ON u.symbol = c.symbol LEFT JOIN companies_at($date) p ON p.symbol = c.symbol
    UNION ALL SELECT l.symbol, l.name, u.market_cap FROM listings_at() l LEFT JOIN snapshot u ON u.symbol = l.symbol
      WHERE l.is_active AND l.symbol NOT IN (SELECT symbol FROM companies_at()))
  GROUP BY symbol`;

const DIRECTIONS = {
  up: "score_change > 0",
  down: "score_change < 0",
  both: "true",
} as const;
const ORDERS = {
  up: "score_change DESC",
  down: "score_change ASC",
  both: "abs(score_change) DESC NULLS LAST, score DESC",
} as const;
export type Direction = keyof typeof DIRECTIONS;

interface MoversQuery {
  readonly date: string;
  /** The day to compare with; null when there is none. */
  readonly before: string | null;
  readonly direction: Direction;
  readonly limit: number;
  /** US dollars; null: no minimum. */
  readonly minMarketCap: number | null;
}

export function overlayStore({ lake, sqlite }: Pick<Services, "lake" | "sqlite">) {
  return {
    ofDay: (date: string, asOf: string | null, signal: AbortSignal) =>
      lake.query<ScoreRow>(
        "SELECT * FROM overlay_scores_as_of($as_of) WHERE date = CAST($date AS DATE)",
        { date, as_of: asOf },
        { signal },
      ),

    /** Current scores of a symbol since `from`, newest day first. */
    series: (symbol: string, from: string, signal: AbortSignal) =>
      lake.query<ScoreRow>(
        "SELECT * FROM overlay_scores_as_of() WHERE symbol = $symbol AND date >= CAST($from AS DATE) ORDER BY date DESC",
        { symbol, from },
        { signal },
      ),

    /** Days with scores up to `until` (null: all), newest first. */
    async days(until: string | null, limit: number, signal: AbortSignal): Promise<string[]> {
      const rows = await lake.query<{ date: string }>(
        `SELECT DISTINCT date FROM overlay_scores WHERE $until IS NULL OR date <= CAST($until AS DATE)
         ORDER BY date DESC LIMIT ${limit}`,
        { until },
        { signal },
      );
      return rows.map(({ date }) => date);
    },

    /** Scores of a day, each beside the same symbol's score of an earlier day. */
    movers: (query: MoversQuery, signal: AbortSignal) =>
      lake.query<MoverRow>(
        `WITH snapshot AS (SELECT symbol, market_cap FROM universe_snapshots WHERE market_cap IS NOT NULL AND currency = 'USD'
              AND snapshot_date <= CAST($date AS DATE) AND known_at <= known_by($date)
            QUALIFY row_number() OVER (PARTITION BY symbol ORDER BY snapshot_date DESC, known_at DESC) = 1),
          named AS (${NAMED}),
          moved AS (SELECT n.*, o.score AS previous_score, n.score - o.score AS score_change
            FROM (SELECT * FROM overlay_scores_as_of() WHERE date = CAST($date AS DATE)) n
            LEFT JOIN (SELECT symbol, score FROM overlay_scores_as_of() WHERE date = CAST($before AS DATE)) o USING (symbol))
         SELECT moved.*, named.name, named.market_cap, count(*) OVER () AS total FROM moved LEFT JOIN named USING (symbol)
         WHERE ${DIRECTIONS[query.direction]} AND ($cap IS NULL OR named.market_cap >= $cap)
         ORDER BY ${ORDERS[query.direction]}, symbol LIMIT ${query.limit}`,
        { date: query.date, before: query.before, cap: query.minMarketCap },
        { signal },
      ),

    inputs: (signal: AbortSignal) => lake.query<InputState>(INPUTS, {}, { signal }),

    noteRun(run: typeof overlay_runs.$inferInsert): void {
      sqlite.write((tx) =>
        tx.insert(overlay_runs).values(run).onConflictDoUpdate({ target: overlay_runs.date, set: run }).run(),
      );
    },

    /** The newest run of each scored session, oldest session first. */
    runs: () => sqlite.use((db) => db.select().from(overlay_runs).orderBy(overlay_runs.date).all()),

    /** The latest run; null before the first. */
    lastRun: () =>
      sqlite.use((db) => db.select().from(overlay_runs).orderBy(desc(overlay_runs.run_at)).limit(1).get()) ??
      null,

    topics: (): Topic[] =>
      sqlite
        .use((db) => db.select().from(overlay_topics).orderBy(overlay_topics.topic_id).all())
        .map(({ topic_id, name, keywords, encyc_titles, tickers }) => ({
          topic_id,
          name,
          keywords: JSON.parse(keywords) as string[],
          encyc_titles: JSON.parse(encyc_titles) as string[],
          tickers: JSON.parse(tickers) as string[],
        })),

    /** Stores all topics or none; with `replace`, deletes every other topic. */
    saveTopics(
      topics: readonly Topic[],
      replace: boolean,
      atMs: number,
    ): { created: number; updated: number } {
      let updated = 0;
      sqlite.write((tx) => {
        const known = new Set(
          tx
            .select({ id: overlay_topics.topic_id })
            .from(overlay_topics)
            .all()
            .map(({ id }) => id),
        );
        const given = new Set(topics.map(({ topic_id }) => topic_id));
        if (replace)
          for (const id of known)
            if (!given.has(id)) tx.delete(overlay_topics).where(eq(overlay_topics.topic_id, id)).run();
        for (const { topic_id, name, keywords, encyc_titles, tickers } of topics) {
          if (known.has(topic_id)) updated++;
          const row = {
            name,
            keywords: JSON.stringify(keywords),
            encyc_titles: JSON.stringify(encyc_titles),
            tickers: JSON.stringify(tickers),
            updated_at: instantText(atMs),
          };
          tx.insert(overlay_topics)
            .values({ topic_id, ...row })
            .onConflictDoUpdate({ target: overlay_topics.topic_id, set: row })
            .run();
        }
      });
      return { created: topics.length - updated, updated };
    },
  };
}

export type OverlayStore = ReturnType<typeof overlayStore>;
