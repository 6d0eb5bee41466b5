// Admin use cases: searching or setting a company's article, collecting page views and archived news.
import type { Static } from "@sinclair/typebox";
import { NEWS_ARCHIVE_SPAN_DAYS_MAX, PAGE_VIEW_DAYS } from "../../limits.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { Busy, InvalidRequest, NotFound } from "../../platform/errors.ts";
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

export interface AdminDeps extends Pick<Services, "clock" | "runNow"> {
  readonly entities: Entities;
  readonly views: ArticleViews;
  readonly news: NewsCollector;
  articleUrl(title: string): string;
}

/** Days of articles and of volume that are collected before an event. */
const NEWS_DAYS = 7;
const VOLUME_DAYS = 30;

interface DateFields {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/**
 * The dates of a body; null when it has none. Throws InvalidRequest. `other` is the field that excludes
 * dates.
 */
function datesOf(
  { start_date: start, end_date: end }: DateFields,
  other: [name: string, isGiven: boolean],
): Days | null {
  if (start === undefined && end === undefined) return null;
  if (other[1])
    throw new InvalidRequest(
      "conflicting_time_selection",
      `Give ${other[0]} or start_date with end_date, not both.`,
    );
  if (start === undefined || end === undefined)
    throw new InvalidRequest("invalid_date_range", "Give start_date and end_date together.");
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

  /** Runs `work` under the lock of the daily news job, and throws the error it ends with. */
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
        `News is already being collected (run ${run.runId}); only one collection runs at a time.`,
        { hint: "GET /api/v1/scheduler/jobs shows what runs." },
      );
    await run.done;
    if (report) return report;
    throw failed ?? new Error("the news collection ended without a report");
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
      const lastDays = { start: addDays(today, -(body.days ?? PAGE_VIEW_DAYS)), end: addDays(today, -1) };
      const span = datesOf(body, ["days", body.days !== undefined]) ?? lastDays;
      const { encyc_title } = await mapped(ticker, signal);
      const collected = await views.collect(encyc_title, span, true, signal);
      const days = collected ? await views.days(encyc_title, collected.span, null, signal) : [];
      const known = days.filter((day) => day.views !== null);
      return {
        ticker: ticker.trim(),
        encyc_title,
        days_collected: known.length,
        rows_stored: collected?.rows ?? 0,
        first_date: known[0]?.date ?? null,
        last_date: known.at(-1)?.date ?? null,
      };
    },

    /**
     * Throws Busy `upstream_rate_limited` while the archive must not be asked, `already_running` during the
     * daily run.
     */
    async collectNews(
      ticker: string,
      body: Static<typeof CollectNewsRequest>,
      signal: AbortSignal,
    ): Promise<Static<typeof CollectNewsAnswer>> {
      const dates = datesOf(body, ["event_date", body.event_date !== undefined]);
      if (dates && addDays(dates.start, NEWS_ARCHIVE_SPAN_DAYS_MAX) <= dates.end)
        throw new InvalidRequest(
          "invalid_date_range",
          `A request may span at most ${NEWS_ARCHIVE_SPAN_DAYS_MAX} days.`,
        );
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
