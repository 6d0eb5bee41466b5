// Short interest of a symbol, newest settlement date first.
import { asOfInstant } from "../../market/known-at.ts";
import { toFinraShortInterest } from "../../market/spelling.ts";
import { canonical } from "../../market/ticker.ts";
import { NotFound, NotRead } from "../../platform/errors.ts";
import type { ShortVolumeStore } from "./store.ts";

const LIMIT_DEFAULT = 24;

export function shortInterestAnswers({ store }: { store: ShortVolumeStore }) {
  return {
    /** The newest positions of a symbol. Throws NotFound if none is stored. */
    async of(
      ticker: string,
      request: { limit?: number | undefined; as_of?: string | undefined },
      signal: AbortSignal,
    ) {
      // The files drop separators from symbols, so the search uses the symbol as a file would write it. It
      // cannot be mapped back.
      const spelled = toFinraShortInterest(canonical(ticker));
      const asOf = asOfInstant(request.as_of);
      const rows =
        spelled === null ? [] : await store.interest(spelled, request.limit ?? LIMIT_DEFAULT, asOf, signal);
      if (rows.length === 0) {
        const sentence = `No short interest is stored for ${ticker}.`;
        const facts = { ticker, hint: "Run: bun run cli ingest shortinterest." };
        throw (await store.hasInterest(asOf, signal))
          ? new NotFound("no_data", sentence, facts)
          : new NotRead(sentence, facts);
      }
      const data = rows.map((row) => ({
        settlement_date: row.settlement_date,
        short_interest: row.short_interest,
        previous_short_interest: row.previous_short_interest,
        change: row.change,
        change_percent: row.change_percent,
        avg_daily_volume: row.avg_daily_volume,
        days_to_cover: row.days_to_cover,
        revised: row.revised,
        reported_symbol: row.finra_symbol,
        issue_name: row.issue_name,
        market_class: row.market_class,
        known_at: row.known_at,
      }));
      return { symbol: ticker, count: data.length, total: rows[0]?.total ?? 0, data };
    },
  };
}

export type ShortInterestAnswers = ReturnType<typeof shortInterestAnswers>;
