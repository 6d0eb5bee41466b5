// Listings by ticker or name, from the service's own list.
import { fetchJson, type List, pathOf } from "./api.ts";

export interface Listing {
  readonly ticker: string;
  readonly name: string | null;
  readonly exchange: string | null;
  readonly is_active: boolean | null;
}

const SHOWN_MAX = 8;

/** Finds listings as of the shown date. */
export async function findListings(text: string): Promise<List<Listing>> {
  const asOf = new URLSearchParams(location.search).get("as_of");
  return await fetchJson<List<Listing>>(
    pathOf("/universe/registry", { q: text, limit: SHOWN_MAX, as_of: asOf }),
  );
}
