// Which archived news of a company were collected: noted in the lake when an answer uses it, and loaded for
// an earlier version.
import { asc, eq } from "drizzle-orm";
import { operationalStates } from "../../datasets/operational-states.ts";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { readOfOneVersion } from "../../platform/sqlite/one-version.ts";
import { recordedStates, type StateTable } from "../../platform/sqlite/recorded-states.ts";
import { news_archive_fetches } from "./tables.ts";

interface Span {
  readonly symbol: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly truncated: boolean;
}

/** Spans in the order of their first days, with those that overlap or adjoin as one. */
function joined(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const span of spans) {
    const before = found.at(-1);
    if (before === undefined || span.start_date > addDays(before.end_date, 1))
      found.push({ ...span, truncated: false });
    else if (span.end_date > before.end_date)
      found[found.length - 1] = { ...before, end_date: span.end_date };
  }
  return found;
}

/** The collected spans of a symbol, and beside them those that were truncated. */
const COLLECTED: StateTable = {
  table: news_archive_fetches,
  rowsOf(db, symbol) {
    const { start_date, end_date, truncated } = news_archive_fetches;
    const spans = db
      .select({ symbol: news_archive_fetches.symbol, start_date, end_date, truncated })
      .from(news_archive_fetches)
      .where(eq(news_archive_fetches.symbol, symbol))
      .orderBy(asc(start_date), asc(end_date))
      .all();
    return [...joined(spans), ...spans.filter((span) => span.truncated)].map((span) => ({ ...span }));
  },
};

export function newsVersions({ lake, sqlite, clock }: Pick<Services, "lake" | "sqlite" | "clock">) {
  const services = { lake, sqlite, clock, dataset: operationalStates };
  const collected = recordedStates(services, { kind: "archived_news", tables: [COLLECTED] });
  const sources = [collected];
  return {
    /**
     * Reads which news of a symbol were collected, in an earlier version by then. Throws `not_replayable`
     * where it does not know.
     */
    async read<T>(symbol: string, read: () => T): Promise<T> {
      await collected.require(symbol, "which archived news were collected");
      return readOfOneVersion({ lake, sqlite }, sources, [symbol], read);
    },
  };
}

export type NewsVersions = ReturnType<typeof newsVersions>;
