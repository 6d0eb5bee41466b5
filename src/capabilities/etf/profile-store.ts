// Funds by ticker: stored profiles in the operational database, and what the exchanges list, in the lake.
import { eq } from "drizzle-orm";
import type { Services } from "../../market/services.ts";
import type { SourceFund } from "./sources.ts";
import { etf_profiles } from "./tables.ts";

export class ProfileStore {
  readonly #sqlite: Services["sqlite"];
  readonly #lake: Services["lake"];

  constructor({ sqlite, lake }: Pick<Services, "sqlite" | "lake">) {
    this.#sqlite = sqlite;
    this.#lake = lake;
  }

  save(symbol: string, fund: SourceFund): void {
    const row = { issuer: fund.issuer, body: JSON.stringify(fund), read_at: fund.received_at };
    this.#sqlite.write((tx) =>
      tx
        .insert(etf_profiles)
        .values({ symbol, ...row })
        .onConflictDoUpdate({ target: etf_profiles.symbol, set: row })
        .run(),
    );
  }

  /** The stored profile of a fund; null without one. */
  stored(symbol: string): SourceFund | null {
    const row = this.#sqlite.use((db) =>
      db.select({ body: etf_profiles.body }).from(etf_profiles).where(eq(etf_profiles.symbol, symbol)).get(),
    );
    return row ? JSON.parse(row.body) : null;
  }

  /** Issuers by symbol, of the funds whose profile is stored. */
  issuers(): ReadonlyMap<string, string> {
    const rows = this.#sqlite.use((db) =>
      db.select({ symbol: etf_profiles.symbol, issuer: etf_profiles.issuer }).from(etf_profiles).all(),
    );
    return new Map(
      rows.flatMap(({ symbol, issuer }) => (issuer === null ? [] : [[symbol, issuer] as const])),
    );
  }

  /** Returns how the exchanges list a symbol now; null if they do not list it. */
  async listed(symbol: string, signal: AbortSignal): Promise<{ is_etf: boolean; exchange: string } | null> {
    const [row] = await this.#lake.query<{ is_etf: boolean; exchange: string }>(
      "SELECT is_etf, exchange FROM listings_at() WHERE symbol = $symbol AND is_active LIMIT 1",
      { symbol },
      { signal },
    );
    return row ?? null;
  }
}
