// Reads the news providers and stores what is new. A provider that fails does not affect the others.
import { absenceOf, absent } from "../../market/absence.ts";
import { AsofError, StorageUnavailable } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { type IngestOptions, type SourceReaderDeps, sourceReader } from "./read-source.ts";
import { feedsOf, type NewsSource, type ProviderName } from "./sources.ts";
import { type ProviderResult, Tally } from "./tally.ts";

export interface IngestDeps extends SourceReaderDeps {
  readonly log: Pick<Log, "warn" | "error">;
}

/** Why a provider is not read; null when it is. */
const refusalOf = (source: NewsSource, { history }: IngestOptions): string | null => {
  if (!source.configured)
    return "The provider is not configured: set MARKETFEED_API_KEY and MARKETFEED_SECRET_KEY.";
  if (!source.enabled)
    return "The provider is not enabled: it replaces the brokerage feed only while that has no keys.";
  return history && source.kind !== "archive"
    ? "The provider has no history: its feed holds only its newest articles, which every ingest reads."
    : null;
};

export function newsIngest(deps: IngestDeps) {
  const { sources, providers, log } = deps;
  const reader = sourceReader(deps);

  const ingestOne = async (
    source: NewsSource,
    options: IngestOptions,
    signal: AbortSignal,
  ): Promise<ProviderResult> => {
    const tally = new Tally();
    const refusal = refusalOf(source, options);
    if (refusal !== null) return tally.result(source.name, refusal);
    // Only a poll of all news determines where the next poll may start.
    const isPoll = options.range === null && options.symbols === null;
    try {
      await reader.read(source, options, tally, signal);
      if (isPoll) providers.notePoll(source.name, null);
      return tally.result(source.name, null);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof StorageUnavailable) throw error;
      if (!(error instanceof AsofError))
        log.error("news could not be ingested", { provider: source.name, error });
      const message =
        error instanceof AsofError ? error.message : "An unexpected error occurred; the log has its details.";
      if (isPoll)
        providers.notePoll(
          source.name,
          error instanceof AsofError ? absent(absenceOf(error), message) : message,
        );
      return tally.result(source.name, message);
    }
  };

  return {
    /**
     * Reads the chosen providers at once. Results come in the order of the providers. Throws only storage
     * errors and the signal's reason.
     */
    async ingest(options: IngestOptions, signal: AbortSignal): Promise<ProviderResult[]> {
      const chosen = sources.filter(({ name }) => options.providers.includes(name));
      const settled = await Promise.allSettled(chosen.map((source) => ingestOne(source, options, signal)));
      return settled.map((outcome) => {
        if (outcome.status === "rejected") throw outcome.reason;
        return outcome.value;
      });
    },
    /** Whether one of the providers has history that can be read. */
    hasHistory: (names: readonly ProviderName[]) =>
      sources.some(({ name, kind, enabled }) => kind === "archive" && enabled && names.includes(name)),
    feeds: () => feedsOf(sources),
    enabled: (): ProviderName[] => sources.filter(({ enabled }) => enabled).map(({ name }) => name),
  };
}

export type NewsIngest = ReturnType<typeof newsIngest>;
