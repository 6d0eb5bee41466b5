// Attention around a day: a company's page views against the days before, and its archived news. Never asks
// the archive.
import type { Static } from "@sinclair/typebox";
import {
  ATTENTION_COMPLETE_CACHE_S,
  ATTENTION_EVENT_SLOTS,
  ATTENTION_EVENT_WAIT_S,
  ATTENTION_EVENT_WAITERS_MAX,
  ATTENTION_PENDING_CACHE_S,
} from "../../limits.ts";
import { addDays, laterDay } from "../../market/date.ts";
import { asOfInstant } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import { Answer, type AnswerFacts } from "../../platform/answer.ts";
import { createCache } from "../../platform/cache/cache.ts";
import { Busy, isOutage } from "../../platform/errors.ts";
import { refuseInReplay } from "../../platform/reading.ts";
import { createSemaphore, SemaphoreTimeout } from "../../platform/upstream/semaphore.ts";
import type { Entities, FoundEntity } from "./entities.ts";
import { isMapped, type MappedEntity } from "./entity-store.ts";
import { type AttentionFeatures, featuresOf } from "./features.ts";
import type { NewsCoverage } from "./news-coverage.ts";
import type { NewsStore } from "./news-store.ts";
import type { EventAnswer, EventQuery } from "./schema.ts";
import { mappingOf } from "./shown-entity.ts";
import type { Days } from "./sources.ts";
import type { NewsVersions } from "./version-state.ts";
import type { ArticleViews, ShownDay } from "./views.ts";
import type { ViewsStore } from "./views-store.ts";

export interface EventDeps extends Pick<Services, "clock" | "cacheDeps"> {
  readonly entities: Entities;
  readonly views: ArticleViews;
  readonly viewsStore: Pick<ViewsStore, "lastFetchMs">;
  readonly news: NewsStore;
  readonly newsCoverage: NewsCoverage;
  readonly newsVersions: NewsVersions;
  /** First day of the news archive. */
  readonly archiveFrom: string;
  articleUrl(title: string): string;
}

/** Days of page views and of news volume before the event. */
const VIEW_DAYS = 30;
/** Days of articles before the event. */
const NEWS_DAYS = 7;
const CACHE_ENTRIES_MAX = 2_000;

interface Views {
  readonly days: readonly ShownDay[];
  readonly features: AttentionFeatures;
  readonly warnings: readonly string[];
}

const knownViews = (days: readonly ShownDay[]): ReadonlyMap<string, number> =>
  new Map(days.flatMap(({ date, views }) => (views === null ? [] : [[date, views] as const])));

function viewsOf({ views, viewsStore, cacheDeps }: EventDeps) {
  const cache = createCache<Views>(
    {
      name: "attention_views",
      ttlS: ({ features, warnings }) =>
        features.status === "complete" && warnings.length === 0
          ? ATTENTION_COMPLETE_CACHE_S
          : ATTENTION_PENDING_CACHE_S,
      entriesMax: CACHE_ENTRIES_MAX,
    },
    cacheDeps,
  );
  const read = async (title: string, date: string, asOf: string | null, warnings: readonly string[]) => {
    const span = { start: addDays(date, -VIEW_DAYS), end: date };
    const days = await views.days(title, span, asOf);
    return { days, features: featuresOf(knownViews(days), date), warnings };
  };
  const collectAndRead = async (title: string, date: string, force: boolean, signal: AbortSignal) => {
    const warnings: string[] = [];
    let outage: unknown = null;
    try {
      await views.ensure(title, { start: addDays(date, -VIEW_DAYS), end: date }, force, signal);
    } catch (error) {
      if (!isOutage(error)) throw error;
      outage = error;
      warnings.push(`Page views are as stored: ${error.message}`);
    }
    const found = await read(title, date, null, warnings);
    // Without any stored views the outage is the answer: the article's views are unknown, not absent.
    if (outage !== null && found.days.every((day) => day.views === null)) throw outage;
    return found;
  };

  return {
    known: (title: string, date: string, asOf: string) => read(title, date, asOf, []),
    async now(title: string, date: string, force: boolean, signal: AbortSignal) {
      const key = JSON.stringify([title, date]);
      const load = (s: AbortSignal) => collectAndRead(title, date, force, s);
      const found = await cache.get(key, load, { force, signal });
      const collectedMs = viewsStore.lastFetchMs(title);
      // A cached answer must not hide views that were collected since, by the daily run or for another date:
      // they are in the store. The provider is asked again only when the cached answer has expired.
      const isOlder = found.state !== "MISS" && collectedMs !== null && collectedMs > found.storedAtMs;
      return isOlder ? { ...found, value: await read(title, date, null, []) } : found;
    },
  };
}

type News = Static<typeof EventAnswer>["news"];

async function newsOf(
  { news, newsCoverage, newsVersions, archiveFrom }: EventDeps,
  entity: MappedEntity | null,
  date: string,
  asOf: string | null,
  signal: AbortSignal,
): Promise<News> {
  const nothing = { count: null, first_seen_at: null, truncated: false, articles: [], volume_series: [] };
  if (!entity || date < archiveFrom) return { newsarchive_status: "not_available", ...nothing };
  const { symbol } = entity;
  const from = (days: number): Days => ({ start: laterDay(addDays(date, -days), archiveFrom), end: date });
  const span = from(NEWS_DAYS);
  const articles = await news.articles(symbol, span, asOf, signal);
  const volume_series = await news.volume(symbol, from(VIEW_DAYS), asOf, signal);
  const { isComplete, truncated } = await newsVersions.read(symbol, () => ({
    isComplete: newsCoverage.firstMissing(symbol, span) === null,
    truncated: newsCoverage.isTruncated(symbol, span),
  }));
  return {
    newsarchive_status: isComplete ? "collected" : "not_collected",
    count: isComplete ? articles.length : null,
    first_seen_at: isComplete ? (articles[0]?.seen_at ?? null) : null,
    truncated,
    articles: [...articles],
    volume_series,
  };
}

const NO_VIEWS: Views = { days: [], features: featuresOf(new Map(), "2015-07-01"), warnings: [] };

/** Creates the function that answers one event. */
function eventAnswers(deps: EventDeps) {
  const { entities, articleUrl } = deps;
  const views = viewsOf(deps);

  const entityOf = async (
    ticker: string,
    at: Temporal.Instant | null,
    signal: AbortSignal,
  ): Promise<FoundEntity> =>
    at === null
      ? { record: await entities.ensure(ticker, signal), warnings: [] }
      : entities.find(ticker, at, signal);

  return async function answerEvent(ticker: string, query: Static<typeof EventQuery>, signal: AbortSignal) {
    const date = query.event_date;
    const at = asOfInstant(query.as_of);
    if (at === null) refuseInReplay("the page views of now", "Give as_of, or leave out data_version.");
    const asOf = at?.toString() ?? null;
    const { record, warnings } = await entityOf(ticker, at, signal);
    const entity = isMapped(record) ? record : null;
    let facts: AnswerFacts = {};
    let found = NO_VIEWS;
    if (entity && asOf !== null) found = await views.known(entity.encyc_title, date, asOf);
    else if (entity) {
      const { value, ...cache } = await views.now(
        entity.encyc_title,
        date,
        query.force_refresh ?? false,
        signal,
      );
      found = value;
      facts = { cache };
    }
    const news = await newsOf(deps, entity, date, asOf, signal);
    const body: Static<typeof EventAnswer> = {
      ticker,
      event_date: date,
      as_of: asOf,
      entity: entity && mappingOf(entity, articleUrl),
      attention: {
        date_used: date,
        day_start_at: `${date}T00:00:00Z`,
        day_end_at: `${addDays(date, 1)}T00:00:00Z`,
        ...found.features,
      },
      pageviews: found.days.map((day) => ({ ...day })),
      news,
      cached: facts.cache !== undefined && facts.cache.state !== "MISS",
      warnings: [...warnings, ...found.warnings],
    };
    return new Answer(() => body, facts);
  };
}

/** Limits how many events are answered at once. Throws Busy `slot_busy` when no slot is free in time. */
export function attentionEvents(deps: EventDeps) {
  const answer = eventAnswers(deps);
  const slots = createSemaphore(
    {
      slots: ATTENTION_EVENT_SLOTS,
      waitMsMax: ATTENTION_EVENT_WAIT_S * 1000,
      waitersMax: ATTENTION_EVENT_WAITERS_MAX,
    },
    deps.clock,
  );

  return async function answerInSlot(ticker: string, query: Static<typeof EventQuery>, signal: AbortSignal) {
    try {
      return await slots.run(signal, () => answer(ticker.trim(), query, signal));
    } catch (error) {
      if (!(error instanceof SemaphoreTimeout)) throw error;
      throw new Busy(
        "slot_busy",
        `${ATTENTION_EVENT_SLOTS} requests for attention events are being answered, and none finished within ${ATTENTION_EVENT_WAIT_S} s, or too many requests are waiting already.`,
        { retryAfterS: ATTENTION_EVENT_WAIT_S },
      );
    }
  };
}
