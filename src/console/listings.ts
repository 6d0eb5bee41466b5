// Listings by ticker or name, from the service's own list.
import type { RegistryRow } from "../capabilities/universe/schema.ts";
import { fetchJson, type List, pathOf } from "./api.ts";

export type Listing = RegistryRow;

const SHOWN_MAX = 8;

/** Finds listings as of the shown date. */
export async function findListings(text: string): Promise<List<Listing>> {
  const asOf = new URLSearchParams(location.search).get("as_of");
  return await fetchJson<List<Listing>>(
    pathOf("/universe/registry", { q: text, limit: SHOWN_MAX, as_of: asOf }),
  );
}
