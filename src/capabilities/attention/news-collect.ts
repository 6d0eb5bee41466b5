// Collects archived news of one company: waits after a refusal, and does not ask while the archive is closed.
import { NEWS_ARCHIVE_BACKOFF_S } from "../../limits.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays, earlierDay, laterDay } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { Busy, InvalidRequest, UpstreamRateLimited } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import type { MappedEntity } from "./entity-store.ts";
import type { NewsCoverage } from "./news-coverage.ts";
import { isOver, type NewsStore, spanOf } from "./news-store.ts";
import type { Days, NewsArchive, SourceNews } from "./sources.ts";

export interface NewsReport {
  readonly query: string;
  readonly span: Days;
  readonly articles_found: number;
  readonly articles_new: number;
  readonly volume_days: number;
  readonly truncated: boolean;
  readonly status: "collected" | "partial";
  /** Seconds until the archive may be asked again, when it closed during the collection. */
  readonly retry_after: number | null;
}

export interface NewsDeps extends Pick<Services, "clock"> {
  readonly archive: NewsArchive;
  readonly store: Pick<NewsStore, "saveArticles" | "saveVolume">;
  readonly coverage: Pick<NewsCoverage, "markCollected">;
}

/** Most pages of 250 articles that are read of one span. */
// Of 1,300 articles of a span the oldest 1,000 are stored, and the answer says `truncated`.
const PAGES_MAX = 4;
/** Longest wait after a refusal. A longer closure is not waited for. */
const WAIT_MS_MAX = Math.max(...NEWS_ARCHIVE_BACKOFF_S) * 1000;

export function newsCollector({ archive, store, coverage, clock }: NewsDeps) {
  /** How long the archive must still not be asked; 0 when it may be. */
  const closedMs = (): number => {
    const until = archive.closedUntil();
    return until === null ? 0 : Math.max(0, instantMs(until) - clock.nowMs());
  };
  const closed = (ms: number): Busy => {
    const retryAfterS = Math.max(1, Math.ceil(ms / 1000));
    return new Busy(
      "upstream_rate_limited",
      `The news archive refused requests as too frequent; it is not asked again for ${retryAfterS} s.`,
      { upstream: "newsarchive", retryAfterS },
    );
  };

  /**
   * Repeats a request after each refusal, once its back-off is over. Throws Busy when the archive stays
   * closed longer.
   */
  const withBackoff = async <T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    for (;;) {
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof UpstreamRateLimited)) throw error;
        const waitMs = closedMs();
        if (waitMs > WAIT_MS_MAX) throw closed(waitMs);
        await clock.sleep(Math.max(1, waitMs), signal);
      }
    }
  };

  /** The articles of a span, up to PAGES_MAX pages; each page starts where the one before ended. */
  const allArticles = async (query: string, days: Days, signal: AbortSignal) => {
    const { to } = spanOf(days);
    let { from } = spanOf(days);
    const found = new Map<string, SourceNews>();
    let receivedMs = clock.nowMs();
    for (let page = 1; ; page++) {
      const answer = await withBackoff(() => archive.articles(query, { from, to }, signal), signal);
      receivedMs = answer.received_at.epochMilliseconds;
      const before = found.size;
      for (const article of answer.articles) found.set(`${article.url} ${article.seen_at}`, article);
      const last = answer.articles.at(-1)?.seen_at;
      // Without this check a page with nothing new would be requested forever.
      const isStuck = found.size === before || !last;
      if (!answer.is_full || isStuck || page === PAGES_MAX)
        return { found: [...found.values()], truncated: answer.is_full, receivedMs };
      from = last;
    }
  };

  return {
    closedMs,
    closed,

    /**
     * The part of a span that the archive has, from its first day to today. Throws InvalidRequest when there
     * is none.
     */
    within({ start, end }: Days): Days {
      const today = newYorkDate(clock.now());
      const span = { start: laterDay(start, archive.archiveFrom), end: earlierDay(end, today) };
      if (span.start <= span.end) return span;
      throw new InvalidRequest(
        "invalid_date_range",
        `The news archive has articles from ${archive.archiveFrom} to today.`,
      );
    },

    /**
     * Collects the articles of `span` (New York days) and the volume of `volumeSpan` (UTC days). A day that
     * is not over is stored as far as it is known and counts as not collected. Throws Busy
     * `upstream_rate_limited` when nothing could be collected, InvalidRequest for a name that the archive
     * cannot be searched for, Upstream*.
     */
    async collect(
      entity: MappedEntity,
      span: Days,
      volumeSpan: Days,
      signal: AbortSignal,
    ): Promise<NewsReport> {
      const query = archive.query(entity.encyc_title) ?? archive.query(entity.company_name ?? "");
      if (query === null)
        throw new InvalidRequest(
          "bad_request",
          "The company's name is too short to search the news archive.",
        );
      const { symbol } = entity;
      const { found, truncated, receivedMs } = await allArticles(query, span, signal);
      const articles_new = await store.saveArticles(symbol, query, found, receivedMs);
      const received = Temporal.Instant.fromEpochMilliseconds(receivedMs);
      // Only days that were over when the articles were read count as collected.
      const end = isOver(span.end, received) ? span.end : addDays(newYorkDate(received), -1);
      const report = { query, span, articles_found: found.length, articles_new, truncated };
      try {
        const volume = await withBackoff(() => archive.volume(query, volumeSpan, signal), signal);
        const volumeMs = volume.received_at.epochMilliseconds;
        const volume_days = await store.saveVolume(symbol, query, volume.days, volumeMs);
        if (end >= span.start)
          coverage.markCollected({
            symbol,
            query,
            start_date: span.start,
            end_date: end,
            articles: found.length,
            truncated,
            fetched_at: instantText(receivedMs),
          });
        return { ...report, volume_days, status: "collected", retry_after: null };
      } catch (error) {
        if (!(error instanceof Busy)) throw error;
        return { ...report, volume_days: 0, status: "partial", retry_after: error.facts.retryAfterS ?? null };
      }
    },
  };
}

export type NewsCollector = ReturnType<typeof newsCollector>;
