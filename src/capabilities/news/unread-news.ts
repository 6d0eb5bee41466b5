// Says which news has not been read: of providers whose polls failed or never ran, and of tickers that are
// not followed yet.
import { absent } from "../../market/absence.ts";
import type { TickerRequest } from "../../market/ticker.ts";
import { StorageUnavailable } from "../../platform/errors.ts";
import { isReplaying } from "../../platform/reading.ts";
import type { FollowedTickers } from "./followed-tickers.ts";
import type { ProviderStates } from "./provider-states.ts";
import { feedsOf, type NewsSource } from "./sources.ts";

export interface UnreadNewsDeps {
  readonly followed: FollowedTickers;
  readonly providers: ProviderStates;
  readonly sources: readonly NewsSource[];
}

/**
 * Warns of chosen providers whose news was never read, or whose last poll failed. What is so now says nothing
 * about the past.
 */
const pollWarnings =
  ({ providers, sources }: UnreadNewsDeps) =>
  (chosen: readonly string[] | null, asOf: Temporal.Instant | null): string[] =>
    asOf !== null
      ? []
      : sources.flatMap(({ name, enabled, configured }) => {
          if (chosen !== null && !chosen.includes(name)) return [];
          if (!enabled || !configured)
            return chosen === null
              ? []
              : [
                  absent(
                    "not_read",
                    `${name} is ${enabled ? "not configured" : "switched off"}, so it is not read.`,
                  ),
                ];
          const { last_success_at, last_error } = providers.state(name);
          if (last_error !== null) return [`${last_error} (the last poll of ${name})`];
          if (last_success_at !== null) return [];
          return [
            absent("not_read", `The news of ${name} has not been read yet; the job news-poll reads it.`),
          ];
        });

/**
 * Creates a function that gives the warnings of a request, and follows its tickers. What is so now says
 * nothing about the past.
 */
export function unreadNews(deps: UnreadNewsDeps) {
  const { followed, sources } = deps;
  const warningsOfPolls = pollWarnings(deps);
  /**
   * Follows the tickers of a request, and warns about those whose own feeds have nothing yet: feeds by symbol
   * are read only for followed symbols.
   */
  const followAndWarn = (tickers: readonly TickerRequest[], asOf: Temporal.Instant | null): string[] => {
    if (asOf !== null || tickers.length === 0) return [];
    const symbols = tickers.map(({ symbol }) => symbol);
    const named = (some: ReadonlySet<string>) =>
      tickers.flatMap(({ ticker, symbol }) => (some.has(symbol) ? [ticker] : [])).join(", ");
    const feeds = feedsOf(sources);
    let unknown: ReadonlySet<string> = new Set();
    try {
      unknown = followed.follow(symbols, feeds);
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      const text = `It could not be noted that ${named(new Set(symbols))} was asked for: ${error.message}`;
      return [absent("not_read", text)];
    }
    const read = followed.readAt(feeds, symbols);
    const unread = new Set(symbols.filter((symbol) => !read.has(symbol)));
    const warnings: string[] = [];
    const feedList = `The feeds by symbol (${feeds.join(", ")})`;
    if (unknown.size > 0)
      warnings.push(
        absent(
          "nothing_there",
          `${feedList} do not know ${named(unknown)}; they are asked again after a week.`,
        ),
      );
    if (feeds.length > 0 && unread.size > 0)
      warnings.push(
        absent(
          "not_read",
          `${feedList} have not been read for ${named(unread)} yet; the next polls read them from now on.`,
        ),
      );
    return warnings;
  };

  return (
    chosen: readonly string[] | null,
    tickers: readonly TickerRequest[],
    asOf: Temporal.Instant | null,
  ) => (isReplaying() ? [] : [...warningsOfPolls(chosen, asOf), ...followAndWarn(tickers, asOf)]);
}
