// What runs by itself: the page views of the day before, and slowly the news of a few companies a day.
import { NEWS_ARCHIVE_COMPANIES_A_DAY } from "../../limits.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays, earlierDay, laterDay } from "../../market/date.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, Busy, isOutage, UpstreamRefused } from "../../platform/errors.ts";
import type { Job, JobContext } from "../../platform/jobs/job.ts";
import type { EntityStore, MappedEntity } from "./entity-store.ts";
import type { NewsCollector } from "./news-collect.ts";
import type { NewsStore } from "./news-store.ts";
import type { AttentionLog } from "./sources.ts";
import type { ArticleViews } from "./views.ts";

/** Also the name under which news are collected on demand, so that it is one at a time. */
export const NEWS_JOB = "news-archive";
export const VIEWS_JOB = "page-views";

/** Days the daily run asks for again: late counts, corrections, and what an event of yesterday looks back on. */
const VIEWS_DAYS = 45;
/** Outages one after another after which the run is given up. */
const OUTAGES_MAX = 5;
/** Days of a company's news that are made good at most, and of its first collection. */
const NEWS_DAYS_MAX = 30;
const NEWS_DAYS_FIRST = 7;
/** Shorter spans of volume are asked for as long as this: a day may be corrected. */
const VOLUME_DAYS = 10;

export interface AttentionJobNeeds {
  readonly entities: EntityStore;
  readonly views: ArticleViews;
  readonly news: NewsCollector;
  readonly newsStore: NewsStore;
  readonly clock: Clock;
  readonly log: AttentionLog;
}

async function collectViews(needs: AttentionJobNeeds, { signal }: JobContext) {
  const { entities, views, clock, log } = needs;
  const today = clock.now().toString().slice(0, 10);
  const span = { start: addDays(today, -VIEWS_DAYS), end: addDays(today, -1) };
  let rows = 0;
  let outages = 0;
  for (const title of new Set((await entities.mapped()).map((entity) => entity.encyc_title))) {
    signal.throwIfAborted();
    try {
      rows += (await views.collect(title, span, false, signal))?.rows ?? 0;
      outages = 0;
    } catch (error) {
      if (!(error instanceof AsofError)) throw error;
      log.warn("page views could not be collected", { article: title, error: error });
      if (isOutage(error) && ++outages >= OUTAGES_MAX) throw error;
    }
  }
  return { rows };
}

/** Companies with an article, whose news were collected longest ago first; a run takes the first of them. */
async function turnOf({ entities, newsStore }: AttentionJobNeeds) {
  const last = newsStore.lastCollected();
  const all = (await entities.mapped()).map((entity) => ({ entity, last: last.get(entity.symbol) ?? null }));
  return all
    .sort((a, b) => ((a.last?.at ?? "") < (b.last?.at ?? "") ? -1 : 1))
    .slice(0, NEWS_ARCHIVE_COMPANIES_A_DAY);
}

async function collectNewsOf(
  { news }: AttentionJobNeeds,
  entity: MappedEntity,
  lastEnd: string | null,
  yesterday: string,
  signal: AbortSignal,
): Promise<number> {
  const owed = lastEnd === null ? addDays(yesterday, 1 - NEWS_DAYS_FIRST) : addDays(lastEnd, 1);
  const start = laterDay(owed, addDays(yesterday, 1 - NEWS_DAYS_MAX));
  if (start > yesterday) return 0;
  const volumeStart = addDays(yesterday, 1 - VOLUME_DAYS);
  const volume = { start: earlierDay(start, volumeStart), end: yesterday };
  const report = await news.collect(entity, { start, end: yesterday }, volume, signal);
  // Closed on the way: the next question would only be refused.
  if (report.status === "partial") throw news.closed(news.closedMs());
  return report.articles_new + report.volume_days;
}

async function collectNews(needs: AttentionJobNeeds, { signal }: JobContext) {
  const { news, clock, log } = needs;
  const yesterday = addDays(newYorkDate(clock.now()), -1);
  let rows = 0;
  for (const { entity, last } of await turnOf(needs)) {
    signal.throwIfAborted();
    const closedMs = news.closedMs();
    try {
      if (closedMs > 0) throw news.closed(closedMs);
      rows += await collectNewsOf(needs, entity, last?.end ?? null, yesterday, signal);
    } catch (error) {
      if (!(error instanceof AsofError)) throw error;
      log.warn("news could not be collected", { symbol: entity.symbol, error: error });
      // The archive is left alone; those who had no turn are first tomorrow.
      if (error instanceof Busy || (isOutage(error) && !(error instanceof UpstreamRefused))) {
        if (rows === 0) throw error;
        return { rows };
      }
    }
  }
  return { rows };
}

export function attentionJobs(needs: AttentionJobNeeds): Job[] {
  return [
    {
      name: VIEWS_JOB,
      description:
        "Collects the page views of every company whose article is known, late counts of the last weeks included.",
      // Yesterday's counts are out by noon as a rule.
      schedule: "30 12 * * *",
      zone: "UTC",
      deadlineMs: 4 * 3_600_000,
      catchUp: "once",
      run: (context) => collectViews(needs, context),
    },
    {
      name: NEWS_JOB,
      description: `Collects archived news of the ${NEWS_ARCHIVE_COMPANIES_A_DAY} companies whose turn is longest ago, a question in ten seconds; stops for the day when the archive refuses.`,
      schedule: "30 7 * * *",
      zone: "America/New_York",
      deadlineMs: 3 * 3_600_000,
      catchUp: "once",
      run: (context) => collectNews(needs, context),
    },
  ];
}
