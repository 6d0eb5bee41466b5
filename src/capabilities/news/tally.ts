// Counts the articles of one provider during an ingest.
import type { Headlines } from "../../market/headline.ts";
import type { ProviderName } from "./sources.ts";

/** The outcome of one provider. Every fetched article was inserted, updated or a duplicate. */
export interface ProviderResult {
  readonly provider: ProviderName;
  readonly fetched: number;
  readonly inserted: number;
  readonly updated: number;
  readonly duplicates: number;
  /** Items that could not be read as an article. */
  readonly unread: number;
  readonly error: string | null;
}

export class Tally {
  fetched = 0;
  inserted = 0;
  updated = 0;
  unread = 0;

  add({ articles, unread }: Headlines, saved: { inserted: number; updated: number }) {
    this.fetched += articles.length;
    this.unread += unread;
    this.inserted += saved.inserted;
    this.updated += saved.updated;
  }

  result(provider: ProviderName, error: string | null): ProviderResult {
    const { fetched, inserted, updated, unread } = this;
    return { provider, fetched, inserted, updated, duplicates: fetched - inserted - updated, unread, error };
  }
}
