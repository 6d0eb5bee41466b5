// Rows of the panel that were read for one page and belong to the next ones: a day is joined once, not once
// per page.
import { LRUCache } from "lru-cache";
import type { PanelPlace, PanelRequest } from "./cursor.ts";

/** The rows after a place. */
export interface ReadAheadEntry<Row> {
  readonly rows: readonly Row[];
  /** Whether the day of the last row has no further rows. */
  readonly isDayOver: boolean;
}

/** Rows to read beyond a page: about one day of the whole market. */
export const READ_AHEAD_ROWS = 12_000;
/** Rows cached for all clients together. */
const CACHED_ROWS_MAX = 100_000;
/** A client that pages through the panel asks for the next page sooner. */
const CACHED_MS = 60_000;

export function readAhead<Row>() {
  const cache = new LRUCache<string, ReadAheadEntry<Row>>({
    ttl: CACHED_MS,
    maxSize: CACHED_ROWS_MAX,
    sizeCalculation: ({ rows }) => rows.length,
  });
  const key = ({ end, symbols, minTotalVolume, asOf }: PanelRequest, after: PanelPlace, version: string) =>
    JSON.stringify([version, end, symbols, minTotalVolume, asOf, after.date, after.symbol]);
  return {
    /** The cached rows after a place, read from this version of the lake. */
    get: (request: PanelRequest, after: PanelPlace, version: string) =>
      cache.get(key(request, after, version)),
    set: (request: PanelRequest, after: PanelPlace, version: string, rest: ReadAheadEntry<Row>) =>
      void cache.set(key(request, after, version), rest),
  };
}
