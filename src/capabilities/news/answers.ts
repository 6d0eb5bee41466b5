// Answers of the news routes: pages of articles, the state of the providers, and ingests on demand.
import type { Static } from "@sinclair/typebox";
import { pageFacts } from "../../market/answer-fields.ts";
import type { Services } from "../../market/services.ts";
import { Answer } from "../../platform/answer.ts";
import { tableOfRows } from "../../platform/cells.ts";
import { FOLLOWED_MAX, type FollowedTickers } from "./followed-tickers.ts";
import type { NewsListing, ShownArticle } from "./listing.ts";
import type { ProviderStates } from "./provider-states.ts";
import type { IngestOutcome, IngestRequests } from "./requests.ts";
import type { IngestRequest, NewsQuery, TickerNewsQuery } from "./schema.ts";
import type { NewsSource, ProviderName } from "./sources.ts";
import type { NewsStore } from "./store.ts";

const columnsOf = (type: "VARCHAR" | "TIMESTAMPTZ" | "BIGINT", ...names: (keyof ShownArticle)[]) =>
  names.map((name) => ({ name, type }));
const COLUMNS = [
  ...columnsOf("VARCHAR", "id", "provider", "provider_article_id", "other_providers", "headline", "summary"),
  ...columnsOf("VARCHAR", "url", "source", "author", "tickers"),
  ...columnsOf("TIMESTAMPTZ", "published_at", "updated_at", "ingested_at", "known_at"),
  ...columnsOf("BIGINT", "revision"),
  ...columnsOf("VARCHAR", "image_url", "language"),
];

const cell = (value: unknown) => (Array.isArray(value) ? value.join(",") : value);

type Page = Parameters<typeof pageFacts>[0];

function answerWithTable<T extends Page & { readonly data: readonly ShownArticle[] }>(
  name: string,
  body: T,
): Answer<T> {
  const table = tableOfRows(name, COLUMNS, () =>
    body.data.map((row) => COLUMNS.map((column) => cell(row[column.name]))),
  );
  return new Answer(() => body, { table, page: pageFacts(body) });
}

const ingestAnswer = (outcome: IngestOutcome) =>
  new Answer(() => outcome, { status: outcome.status === "started" ? 202 : 200 });

type IngestBody = Static<typeof IngestRequest>;

export interface NewsAnswersDeps extends Pick<Services, "clock"> {
  readonly listing: NewsListing;
  readonly ingests: IngestRequests;
  readonly store: NewsStore;
  readonly providers: ProviderStates;
  readonly followed: FollowedTickers;
  readonly sources: readonly NewsSource[];
}

/** The schema has checked the provider names but leaves them as the client wrote them. */
const withProviderNames = ({ providers, ...fields }: IngestBody) => ({
  ...fields,
  ...(providers ? { providers: providers.map((name) => name.trim().toLowerCase() as ProviderName) } : {}),
});

export function newsAnswers(deps: NewsAnswersDeps) {
  const { listing, ingests, store, providers, followed, sources, clock } = deps;
  return {
    many: async (query: Static<typeof NewsQuery>, signal: AbortSignal) =>
      answerWithTable("news", await listing.many(query, signal)),

    one: async (ticker: string, query: Static<typeof TickerNewsQuery>, signal: AbortSignal) =>
      answerWithTable(`news_${ticker}`, await listing.one(ticker, query, signal)),

    async providers() {
      const counts = await store.countsSince(clock.now().subtract({ hours: 24 }));
      return sources.map(({ name, kind, enabled, configured }) => {
        const { last_poll_at, last_success_at, last_error } = providers.state(name);
        return {
          provider: name,
          enabled,
          configured,
          last_poll_at,
          last_success_at,
          last_error,
          articles_24h: counts.get(name) ?? 0,
          tickers_read: kind === "by_ticker" ? followed.due(name, FOLLOWED_MAX).length : null,
        };
      });
    },

    ingest: async (body: IngestBody) => ingestAnswer(await ingests.ingest(withProviderNames(body))),
    backfill: async (body: IngestBody) => ingestAnswer(await ingests.backfill(withProviderNames(body))),
  };
}

export type NewsAnswers = ReturnType<typeof newsAnswers>;
