// What an admin may ask for: looking for an article, setting one, collecting page views and archived news.
import type { Static } from "@sinclair/typebox";
import { NEWS_ARCHIVE_SPAN_DAYS_MAX, PAGE_VIEW_DAYS } from "../../limits.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Clock } from "../../platform/clock.ts";
import { Busy, InvalidRequest, NotFound } from "../../platform/errors.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Entities } from "./entities.ts";
import { isMapped, type MappedEntity } from "./entity-store.ts";
import { NEWS_JOB } from "./jobs.ts";
import type { NewsCollector, NewsReport } from "./news-collect.ts";
import type {
  CollectNewsAnswer,
  CollectNewsRequest,
  CollectViewsAnswer,
  CollectViewsRequest,
  EntityAnswer,
  OverrideRequest,
} from "./schema.ts";
import { entityAnswer } from "./shown-entity.ts";
import type { Days } from "./sources.ts";
import type { ArticleViews } from "./views.ts";

export interface AdminDeps {
  readonly entities: Entities;
  readonly views: ArticleViews;
  readonly news: NewsCollector;
  readonly clock: Clock;
  runNow: Jobs["runNow"];
  articleUrl(title: string): string;
}

/** Days of articles before an event, and of volume. */
const NEWS_DAYS = 7;
const VOLUME_DAYS = 30;

interface Asked {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/** The two dates of a body; null when it has none. Throws InvalidRequest. */
function datesOf(
  { start_date: start, end_date: end }: Asked,
  other: [name: string, isGiven: boolean],
): Days | null {
  if (start === undefined && end === undefined) return null;
  if (other[1])
    throw new InvalidRequest(
      "conflicting_time_selection",
      `Give ${other[0]} or start_date with end_date, not both.`,
    );
  if (start === undefined || end === undefined)
    throw new InvalidRequest("invalid_date_range", "start_date and end_date are used together.");
  if (end < start)
    throw new InvalidRequest("invalid_date_range", `end_date ${end} is earlier than start_date ${start}.`);
  return { start, end };
}

export function adminAnswers({ entities, views, news, clock, runNow, articleUrl }: AdminDeps) {
  const shown = (ticker: string, record: Parameters<typeof entityAnswer>[1]): Static<typeof EntityAnswer> =>
    entityAnswer(ticker.trim(), record, articleUrl);

  const mapped = async (ticker: string, signal: AbortSignal): Promise<MappedEntity> => {
    const record = await entities.ensure(ticker, signal);
    if (isMapped(record)) return record;
    throw new NotFound("no_data", `No Wikipedia article was found for ${ticker.trim()}.`, {
      ticker: ticker.trim(),
      hint: "Set one with POST /api/v1/attention/admin/entity/{ticker}/override.",
    });
  };

  /** Runs it as the daily run does, under its lock; the fault it ends with is thrown. */
  const underLock = async (work: (signal: AbortSignal) => Promise<NewsReport>): Promise<NewsReport> => {
    let report: NewsReport | undefined;
    let failed: unknown;
    const run = runNow(NEWS_JOB, async ({ signal }) => {
      try {
        report = await work(signal);
        return { rows: report.articles_new + report.volume_days };
      } catch (error) {
        failed = error;
        throw error;
      }
    });
    if (!run.started)
      throw new Busy(
        "already_running",
        `News are being collected already (run ${run.runId}); one at a time.`,
        {
          hint: "GET /api/v1/scheduler/jobs shows what runs.",
        },
      );
    await run.done;
    if (report) return report;
    throw failed ?? new Error("the collection ended without a word");
  };

  return {
    async resolve(ticker: string, force: boolean, signal: AbortSignal) {
      return shown(ticker, await entities.resolve(ticker, force, signal));
    },

    async override(ticker: string, body: Static<typeof OverrideRequest>, signal: AbortSignal) {
      const given = { title: body.encyc_title, note: body.note ?? null };
      return shown(ticker, await entities.override(ticker, given, signal));
    },

    async collectViews(
      ticker: string,
      body: Static<typeof CollectViewsRequest>,
      signal: AbortSignal,
    ): Promise<Static<typeof CollectViewsAnswer>> {
      const today = clock.now().toString().slice(0, 10);
      const back = { start: addDays(today, -(body.days ?? PAGE_VIEW_DAYS)), end: addDays(today, -1) };
      const asked = datesOf(body, ["days", body.days !== undefined]) ?? back;
      const { encyc_title } = await mapped(ticker, signal);
      const done = await views.collect(encyc_title, asked, true, signal);
      const days = done ? await views.days(encyc_title, done.span, null, signal) : [];
      const known = days.filter((day) => day.views !== null);
      return {
        ticker: ticker.trim(),
        encyc_title,
        days_collected: known.length,
        rows_stored: done?.rows ?? 0,
        first_date: known[0]?.date ?? null,
        last_date: known.at(-1)?.date ?? null,
      };
    },

    /** Throws Busy `upstream_rate_limited` while the archive is left alone, `already_running` during the daily run. */
    async collectNews(
      ticker: string,
      body: Static<typeof CollectNewsRequest>,
      signal: AbortSignal,
    ): Promise<Static<typeof CollectNewsAnswer>> {
      const dates = datesOf(body, ["event_date", body.event_date !== undefined]);
      if (dates && addDays(dates.start, NEWS_ARCHIVE_SPAN_DAYS_MAX) <= dates.end)
        throw new InvalidRequest("invalid_date_range", `At most ${NEWS_ARCHIVE_SPAN_DAYS_MAX} days at once.`);
      const end = body.event_date ?? newYorkDate(clock.now());
      const span = news.within(dates ?? { start: addDays(end, -NEWS_DAYS), end });
      const volumeSpan = dates ? span : news.within({ start: addDays(end, -VOLUME_DAYS), end });
      const closedMs = news.closedMs();
      if (closedMs > 0) throw news.closed(closedMs);
      const entity = await mapped(ticker, signal);
      const report = await underLock((running) => news.collect(entity, span, volumeSpan, running));
      return {
        ticker: ticker.trim(),
        query: report.query,
        start_date: report.span.start,
        end_date: report.span.end,
        articles_collected: report.articles_found,
        articles_new: report.articles_new,
        volume_days: report.volume_days,
        truncated: report.truncated,
        status: report.status,
        retry_after: report.retry_after,
      };
    },
  };
}

export type AdminAnswers = ReturnType<typeof adminAnswers>;
