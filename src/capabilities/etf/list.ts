// GET /etf/list: the exchange-traded funds of the exchanges' lists.
import { parseAsOf } from "../../market/known-at.ts";
import { canonical } from "../../market/ticker.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { FundList, FundListAsk } from "./schema.ts";
import type { EtfStore, ListedFund } from "./store.ts";

const LIMIT = 100;

/** A symbol is escaped for nothing: values are bound. */
const CONDITION = `is_etf AND is_active
  AND ($q IS NULL OR contains(lower(symbol), $q) OR contains(lower(name), $q) OR symbol = $symbol)
  AND ($issuer IS NULL OR contains(lower(name), $issuer) OR symbol = ANY($known))`;

export function fundList({ lake, store }: { readonly lake: Lake; readonly store: EtfStore }) {
  const isRead = async (asOf: string | null, signal: AbortSignal) => {
    const [row] = await lake.query<{ n: number }>(
      "SELECT count(*) AS n FROM universe_registry WHERE known_at <= known_by(CAST($as_of AS TIMESTAMPTZ))",
      { as_of: asOf },
      { signal },
    );
    return (row?.n ?? 0) > 0;
  };

  return async (ask: FundListAsk, signal: AbortSignal): Promise<FundList> => {
    const { limit = LIMIT, offset = 0 } = ask;
    const parsed = ask.as_of === undefined ? null : parseAsOf(ask.as_of);
    const asOf = parsed?.ok ? parsed.at.toString() : null;
    if (!(await isRead(asOf, signal)))
      throw new NotFound("no_data", "The lists of the exchanges were not read yet, or not by then.", {
        hint: "the morning's job reads them; POST /api/v1/universe/admin/discover does so now",
      });
    const issuers = store.issuers();
    const issuer = ask.issuer?.trim().toLowerCase() ?? null;
    const known = [...issuers].flatMap(([symbol, name]) =>
      issuer !== null && name.toLowerCase().includes(issuer) ? [symbol] : [],
    );
    const q = ask.q?.trim() ?? null;
    const rows = await lake.query<ListedFund & { total: number }>(
      `SELECT symbol, name, exchange, cik, first_seen, count(*) OVER () AS total
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
    const total = rows.length;
    return { count: data.length, total, limit, offset, has_more: offset + data.length < total, data };
  };
}

export type ListFunds = ReturnType<typeof fundList>;
