// Collects archived news of one company: slowly, patiently after a refusal, and not at all while the archive is closed.
import { NEWS_ARCHIVE_BACKOFF_S } from "../../limits.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays, earlierDay, laterDay } from "../../market/date.ts";
import type { Clock } from "../../platform/clock.ts";
import { Busy, InvalidRequest, UpstreamRateLimited } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import type { MappedEntity } from "./entity-store.ts";
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
  /** Seconds until the archive may be asked again, where it closed on the way. */
  readonly retry_after: number | null;
}

export interface NewsDeps {
  readonly archive: NewsArchive;
  readonly store: NewsStore;
  readonly clock: Clock;
}

/** Answers of 250 articles that are read of one span. */
const PAGES_MAX = 4;
/** Longest of the waits after a refusal: what lasts longer is a rest, which nobody waits for. */
const PATIENCE_MS = Math.max(...NEWS_ARCHIVE_BACKOFF_S) * 1000;

export function newsCollector({ archive, store, clock }: NewsDeps) {
  const closedMs = (): number => {
    const until = archive.closedUntil();
    return until === null ? 0 : Math.max(0, instantMs(until) - clock.nowMs());
  };
  const closed = (ms: number): Busy => {
    const retryAfterS = Math.max(1, Math.ceil(ms / 1000));
    return new Busy(
      "upstream_rate_limited",
      `The news archive refused us for asking too often and is left alone for another ${retryAfterS} s.`,
      { upstream: "newsarchive", retryAfterS },
    );
  };

  /** Asks, waiting out the back-off after each refusal. Throws Busy when the archive is left alone for longer. */
  const patiently = async <T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof UpstreamRateLimited)) throw error;
        const waitMs = closedMs();
        if (waitMs > PATIENCE_MS) throw closed(waitMs);
        await clock.sleep(Math.max(1, waitMs), signal);
      }
    }
  };

  /** All articles of a span, as far as they are read: each page goes on where the former ended. */
  const allArticles = async (query: string, days: Days, signal: AbortSignal) => {
    const { to } = spanOf(days);
    let { from } = spanOf(days);
    const found = new Map<string, SourceNews>();
    let receivedMs = clock.nowMs();
    for (let page = 1; ; page++) {
      const answer = await patiently(() => archive.articles(query, { from, to }, signal), signal);
      receivedMs = answer.received_at.epochMilliseconds;
      const before = found.size;
      for (const article of answer.articles) found.set(`${article.url} ${article.seen_at}`, article);
      const last = answer.articles.at(-1)?.seen_at;
      // A page without anything new would be asked for again for ever.
      const isStuck = found.size === before || !last;
      if (!answer.is_full || isStuck || page === PAGES_MAX)
        return { found: [...found.values()], truncated: answer.is_full, receivedMs };
      from = last;
    }
  };

  return {
    closedMs,
    closed,

    /** The part of a span the archive has: not before its first day, nor after today. Throws InvalidRequest when there is none. */
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
     * Collects articles of `span` (days of New York) and the volume of `volumeSpan` (days of UTC). Days that are not
     * over are stored as far as they are known and count as not collected. Throws Busy `upstream_rate_limited` when
     * nothing could be had, InvalidRequest for a name the archive cannot be asked for, Upstream*.
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
          "The company's name is too short to ask the news archive for.",
        );
      const { symbol } = entity;
      const { found, truncated, receivedMs } = await allArticles(query, span, signal);
      const articles_new = await store.saveArticles(symbol, query, found, receivedMs);
      const over = isOver(span.end, Temporal.Instant.fromEpochMilliseconds(receivedMs));
      const end = over
        ? span.end
        : addDays(newYorkDate(Temporal.Instant.fromEpochMilliseconds(receivedMs)), -1);
      const report = { query, span, articles_found: found.length, articles_new, truncated };
      try {
        const volume = await patiently(() => archive.volume(query, volumeSpan, signal), signal);
        const volumeMs = volume.received_at.epochMilliseconds;
        const volume_days = await store.saveVolume(symbol, query, volume.days, volumeMs);
        const fetched_at = instantText(receivedMs);
        const facts = { symbol, query, articles: found.length, truncated, fetched_at };
        if (end >= span.start) store.markCollected({ ...facts, start_date: span.start, end_date: end });
        return { ...report, volume_days, status: "collected", retry_after: null };
      } catch (error) {
        if (!(error instanceof Busy)) throw error;
        return { ...report, volume_days: 0, status: "partial", retry_after: error.facts.retryAfterS ?? null };
      }
    },
  };
}

export type NewsCollector = ReturnType<typeof newsCollector>;
