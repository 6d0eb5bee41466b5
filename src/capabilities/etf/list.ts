// GET /etf/list: the exchange-traded funds that the exchanges list.
import { ifEmpty } from "../../market/absence.ts";
import { pageOf } from "../../market/answer-fields.ts";
import { asOfInstant } from "../../market/known-at.ts";
import { canonical } from "../../market/ticker.ts";
import { NotRead } from "../../platform/errors.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { ProfileStore } from "./profile-store.ts";
import type { FundList, FundListRequest } from "./schema.ts";
import type { FundVersions } from "./version-state.ts";

const LIMIT = 100;

/** A fund in the exchanges' lists. */
interface ListedFund {
  readonly symbol: string;
  readonly name: string;
  readonly exchange: string;
  readonly cik: string | null;
  readonly first_seen: string;
}

const CONDITION = `is_etf AND is_active
  AND ($q IS NULL OR contains(lower(symbol), $q) OR contains(lower(name), $q) OR symbol = $symbol)
  AND ($issuer IS NULL OR contains(lower(name), $issuer) OR symbol = ANY($known))`;

export interface FundListDeps {
  readonly lake: Lake;
  readonly profiles: Pick<ProfileStore, "issuers">;
  readonly versions: Pick<FundVersions, "readIssuers">;
}

export function fundList({ lake, profiles, versions }: FundListDeps) {
  /** Throws NotFound if the exchanges' lists were not read by then. */
  const requireLists = async (asOf: string | null, signal: AbortSignal): Promise<void> => {
    const [row] = await lake.query<{ n: number }>(
      "SELECT count(*) AS n FROM universe_registry WHERE known_at <= known_by(CAST($as_of AS TIMESTAMPTZ))",
      { as_of: asOf },
      { signal },
    );
    if ((row?.n ?? 0) > 0) return;
    throw new NotRead("The exchanges' lists have not been read yet, or not by that moment.", {
      hint: "The morning job reads them. POST /api/v1/universe/admin/discover does so now.",
    });
  };

  return async (request: FundListRequest, signal: AbortSignal): Promise<FundList> => {
    const { limit = LIMIT, offset = 0 } = request;
    const asOf = asOfInstant(request.as_of)?.toString() ?? null;
    await requireLists(asOf, signal);
    const issuers = await versions.readIssuers(() => profiles.issuers());
    const issuer = request.issuer?.trim().toLowerCase() ?? null;
    const known = [...issuers].flatMap(([symbol, name]) =>
      issuer !== null && name.toLowerCase().includes(issuer) ? [symbol] : [],
    );
    const q = request.q?.trim() ?? null;
    const rows = await lake.query<ListedFund>(
      `SELECT symbol, name, exchange, cik, first_seen
       FROM listings_at(CAST($as_of AS TIMESTAMPTZ)) WHERE ${CONDITION}
       ORDER BY symbol, listing`,
      {
        as_of: asOf,
        q: q?.toLowerCase() ?? null,
        symbol: q === null ? null : canonical(q),
        issuer,
        known: known.length > 0 ? known : [""],
      },
      { signal },
    );
    const data = rows.slice(offset, offset + limit).map(({ symbol, name, exchange, cik, first_seen }) => ({
      ticker: symbol,
      name,
      issuer: issuers.get(symbol) ?? null,
      exchange,
      cik,
      first_seen,
    }));
    const warnings = ifEmpty(
      data,
      "nothing_there",
      "No listed fund known then matches, or none is on this page. An issuer is known once a fund's profile is stored.",
    );
    return { ...pageOf(data.length, rows.length, { limit, offset }), warnings, data };
  };
}

export type ListFunds = ReturnType<typeof fundList>;
