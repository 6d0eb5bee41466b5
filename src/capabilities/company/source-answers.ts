// Stores the last answer of each source about a company, as JSON in the operational database.
import { and, eq } from "drizzle-orm";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { company_facts } from "./tables.ts";

/** The last answer of a source, and when it was read (RFC 3339 UTC). */
export interface StoredAnswer<T> {
  readonly body: T;
  readonly read_at: string;
}

export function sourceAnswers(store: Store) {
  return {
    /** The last answer of a source about `key`; null when there is none, or when it is not readable JSON. */
    storedAnswer<T>(source: string, key: string): StoredAnswer<T> | null {
      const row = store.use((db) =>
        db
          .select()
          .from(company_facts)
          .where(and(eq(company_facts.source, source), eq(company_facts.key, key)))
          .get(),
      );
      if (!row) return null;
      try {
        return { body: JSON.parse(row.body) as T, read_at: row.read_at };
      } catch {
        return null;
      }
    },

    saveAnswer(source: string, key: string, answer: StoredAnswer<unknown>): void {
      const row = { body: JSON.stringify(answer.body), read_at: answer.read_at };
      store.write((tx) =>
        tx
          .insert(company_facts)
          .values({ source, key, ...row })
          .onConflictDoUpdate({ target: [company_facts.source, company_facts.key], set: row })
          .run(),
      );
    },
  };
}
