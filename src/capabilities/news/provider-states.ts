// How the latest polls of each news provider ended, in the operational database.
import { eq } from "drizzle-orm";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { ProviderName } from "./sources.ts";
import { news_providers } from "./tables.ts";

export type ProviderState = typeof news_providers.$inferSelect;

const emptyState = (provider: string): ProviderState => ({
  provider,
  last_poll_at: null,
  last_success_at: null,
  last_error: null,
  backfilled_until: null,
});

export function providerStates({ sqlite, clock }: Pick<Services, "sqlite" | "clock">) {
  const change = (provider: ProviderName, set: Partial<ProviderState>) =>
    sqlite.use((db) =>
      db
        .insert(news_providers)
        .values({ ...emptyState(provider), ...set })
        .onConflictDoUpdate({ target: news_providers.provider, set })
        .run(),
    );

  return {
    state(provider: ProviderName): ProviderState {
      const row = sqlite.use((db) =>
        db.select().from(news_providers).where(eq(news_providers.provider, provider)).get(),
      );
      return row ?? emptyState(provider);
    },

    /** Records the end of a poll; `error` is null when it succeeded. */
    notePoll(provider: ProviderName, error: string | null): void {
      const at = instantText(clock.nowMs());
      change(provider, {
        last_poll_at: at,
        last_error: error,
        ...(error === null ? { last_success_at: at } : {}),
      });
    },

    /** Records up to when the history of a provider has been read. */
    noteBackfill: (provider: ProviderName, until: Temporal.Instant) =>
      change(provider, { backfilled_until: instantText(until.epochMilliseconds) }),
  };
}

export type ProviderStates = ReturnType<typeof providerStates>;
