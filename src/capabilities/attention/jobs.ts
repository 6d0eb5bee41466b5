// Scheduled work: yesterday's page views, and slowly the archived news of a few companies a day.
import { NEWS_ARCHIVE_COMPANIES_A_DAY } from "../../limits.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays, earlierDay, laterDay } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { AsofError, Busy, isOutage, UpstreamRefused } from "../../platform/errors.ts";
import type { Job, JobContext } from "../../platform/jobs/job.ts";
import type { Log } from "../../platform/log.ts";
import type { EntityStore, MappedEntity } from "./entity-store.ts";
import type { NewsCollector } from "./news-collect.ts";
import type { NewsCoverage } from "./news-coverage.ts";
import type { ArticleViews } from "./views.ts";

/** News on demand is collected under the same name, so only one collection runs at a time. */
export const NEWS_JOB = "news-archive";
export const VIEWS_JOB = "page-views";

/**
 * Days that the daily run reads again: late counts, corrections, and the days that an event of yesterday
 * compares with.
 */
// A count corrected 45 days later is read again, one corrected later stays as it was.
const VIEWS_DAYS = 45;
/** The run ends after this many outages in a row. */
// Four outages, a success and four outages let the run go on to its end.
const OUTAGES_MAX = 5;
/** Most days of a company's news that one run catches up on, and the days of its first collection. */
// After 40 days without a run it reads the newest 30 days; the ten before them stay missing.
const NEWS_DAYS_MAX = 30;
const NEWS_DAYS_FIRST = 7;
/** Volume is always read for at least this many days, since the archive corrects days later. */
// Collected up to yesterday, the last ten days are read once more.
const VOLUME_DAYS = 10;

export interface AttentionJobDeps extends Pick<Services, "clock"> {
  readonly entities: EntityStore;
  readonly views: ArticleViews;
  readonly news: NewsCollector;
  readonly newsCoverage: NewsCoverage;
  readonly log: Pick<Log, "warn">;
}

async function collectViews(deps: AttentionJobDeps, { signal }: JobContext) {
  const { entities, views, clock, log } = deps;
  const today = clock.now().toString().slice(0, 10);
  const span = { start: addDays(today, -VIEWS_DAYS), end: addDays(today, -1) };
  let rows = 0;
  let outages = 0;
  let read = 0;
  let lastError: AsofError | null = null;
  for (const title of new Set((await entities.mapped()).map((entity) => entity.encyc_title))) {
    signal.throwIfAborted();
    try {
      rows += (await views.collect(title, span, false, signal))?.rows ?? 0;
      outages = 0;
      read += 1;
    } catch (error) {
      if (!(error instanceof AsofError)) throw error;
      lastError = error;
      log.warn("page views could not be collected", { article: title, error });
      if (isOutage(error) && ++outages >= OUTAGES_MAX) throw error;
    }
  }
  if (read === 0 && lastError) throw lastError;
  return { rows };
}

/** The companies with an article whose news was collected longest ago, as many as one run collects. */
async function nextCompanies({ entities, newsCoverage }: AttentionJobDeps) {
  const last = newsCoverage.lastCollected();
  const all = (await entities.mapped()).map((entity) => ({ entity, last: last.get(entity.symbol) ?? null }));
  return all
    .sort((a, b) => ((a.last?.at ?? "") < (b.last?.at ?? "") ? -1 : 1))
    .slice(0, NEWS_ARCHIVE_COMPANIES_A_DAY);
}

async function collectNewsOf(
  { news }: AttentionJobDeps,
  entity: MappedEntity,
  lastEnd: string | null,
  yesterday: string,
  signal: AbortSignal,
): Promise<number> {
  const firstMissing = lastEnd === null ? addDays(yesterday, 1 - NEWS_DAYS_FIRST) : addDays(lastEnd, 1);
  const start = laterDay(firstMissing, addDays(yesterday, 1 - NEWS_DAYS_MAX));
  if (start > yesterday) return 0;
  const volumeStart = addDays(yesterday, 1 - VOLUME_DAYS);
  const volume = { start: earlierDay(start, volumeStart), end: yesterday };
  const report = await news.collect(entity, { start, end: yesterday }, volume, signal);
  // The archive closed during the collection; the next request would only be refused.
  if (report.status === "partial") throw news.closed(news.closedMs());
  return report.articles_new + report.volume_days;
}

async function collectNews(deps: AttentionJobDeps, { signal }: JobContext) {
  const { news, clock, log } = deps;
  const yesterday = addDays(newYorkDate(clock.now()), -1);
  let rows = 0;
  for (const { entity, last } of await nextCompanies(deps)) {
    signal.throwIfAborted();
    const closedMs = news.closedMs();
    try {
      if (closedMs > 0) throw news.closed(closedMs);
      rows += await collectNewsOf(deps, entity, last?.end ?? null, yesterday, signal);
    } catch (error) {
      if (!(error instanceof AsofError)) throw error;
      log.warn("news could not be collected", { symbol: entity.symbol, error });
      // The archive must not be asked now; the remaining companies come first tomorrow.
      if (error instanceof Busy || (isOutage(error) && !(error instanceof UpstreamRefused))) {
        if (rows === 0) throw error;
        return { rows };
      }
    }
  }
  return { rows };
}

export function attentionJobs(deps: AttentionJobDeps): Job[] {
  return [
    {
      name: VIEWS_JOB,
      description:
        "Collects the page views of every company whose article is known, including late counts of the last weeks.",
      // Yesterday's counts are usually published by noon.
      schedule: "30 12 * * *",
      zone: "UTC",
      deadlineMs: 4 * 3_600_000,
      catchUp: "once",
      fills: ["page_views"],
      run: (context) => collectViews(deps, context),
    },
    {
      name: NEWS_JOB,
      description: `Collects archived news of the ${NEWS_ARCHIVE_COMPANIES_A_DAY} companies whose news was collected longest ago, one request every ten seconds; stops for the day when the archive refuses.`,
      schedule: "30 7 * * *",
      zone: "America/New_York",
      deadlineMs: 3 * 3_600_000,
      catchUp: "once",
      fills: ["news_archive_articles", "news_archive_volume"],
      // The archive answers too many requests with refusals that grow longer.
      retry: false,
      run: (context) => collectNews(deps, context),
    },
  ];
}
