// The routes' answers: each use case with its row form, ready for the server to render.
import type { Static } from "@sinclair/typebox";
import { Answer, type Table } from "../../platform/answer.ts";
import type { Clock } from "../../platform/clock.ts";
import type { NewsLedger } from "./ledger.ts";
import { FOLLOWED_MAX } from "./ledger.ts";
import type { NewsListing, ShownArticle } from "./listing.ts";
import type { IngestAnswered, IngestRequests } from "./requests.ts";
import type { IngestRequest, NewsQuery, TickerNewsQuery } from "./schema.ts";
import type { NewsSource, ProviderName } from "./sources.ts";
import type { NewsStore } from "./store.ts";

const named = (type: "VARCHAR" | "TIMESTAMPTZ" | "BIGINT", ...names: (keyof ShownArticle)[]) =>
  names.map((name) => ({ name, type }));
const COLUMNS = [
  ...named("VARCHAR", "id", "provider", "provider_article_id", "other_providers", "headline", "summary"),
  ...named("VARCHAR", "url", "source", "author", "tickers"),
  ...named("TIMESTAMPTZ", "published_at", "updated_at", "ingested_at", "known_at"),
  ...named("BIGINT", "revision"),
  ...named("VARCHAR", "image_url", "language"),
];

const cell = (value: unknown) => (Array.isArray(value) ? value.join(",") : value);

function tabular<T extends { readonly data: readonly ShownArticle[] }>(name: string, body: T): Answer<T> {
  const table: Table = {
    name,
    columns: COLUMNS,
    *rows() {
      for (const row of body.data) yield COLUMNS.map((column) => cell(row[column.name]));
    },
  };
  return new Answer(() => body, { table });
}

const begunOrEnded = (answered: IngestAnswered) =>
  new Answer(() => answered, { status: answered.status === "started" ? 202 : 200 });

type IngestBody = Static<typeof IngestRequest>;

export interface NewsUses {
  readonly listing: NewsListing;
  readonly ingests: IngestRequests;
  readonly store: NewsStore;
  readonly ledger: NewsLedger;
  readonly sources: readonly NewsSource[];
  readonly clock: Clock;
}

/** Words of a body are checked with the request, and come as they were written. */
const askOf = ({ providers, ...ask }: IngestBody) => ({
  ...ask,
  ...(providers ? { providers: providers.map((word) => word.trim().toLowerCase() as ProviderName) } : {}),
});

export function newsAnswers({ listing, ingests, store, ledger, sources, clock }: NewsUses) {
  return {
    many: async (query: Static<typeof NewsQuery>, signal: AbortSignal) =>
      tabular("news", await listing.many(query, signal)),

    one: async (ticker: string, query: Static<typeof TickerNewsQuery>, signal: AbortSignal) =>
      tabular(`news_${ticker}`, await listing.one(ticker, query, signal)),

    async providers() {
      const counts = await store.countsSince(clock.now().subtract({ hours: 24 }));
      return sources.map(({ name, kind, enabled, configured }) => {
        const { last_poll_at, last_success_at, last_error } = ledger.state(name);
        return {
          ...{ provider: name, enabled, configured, last_poll_at, last_success_at, last_error },
          articles_24h: counts.get(name) ?? 0,
          tickers_read: kind === "by_ticker" ? ledger.due(name, FOLLOWED_MAX).length : null,
        };
      });
    },

    ingest: async (body: IngestBody) => begunOrEnded(await ingests.ingest(askOf(body))),
    backfill: async (body: IngestBody) => begunOrEnded(await ingests.backfill(askOf(body))),
  };
}

export type NewsAnswers = ReturnType<typeof newsAnswers>;
