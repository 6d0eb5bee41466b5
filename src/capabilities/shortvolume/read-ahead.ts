// Rows that were read for a page of the panel and stand on the next ones: a day is joined once, not once a page.
import { LRUCache } from "lru-cache";
import type { PanelAsk, PanelPlace } from "./cursor.ts";

/** What follows a place. */
export interface ReadAheadEntry<Row> {
  readonly rows: readonly Row[];
  /** Whether the day of the last row has no more rows than these. */
  readonly isDayOver: boolean;
}

/** Rows read beyond a page: a day of the whole market. */
export const READ_AHEAD_ROWS = 12_000;
/** Rows kept for all clients together. */
const KEPT_ROWS = 100_000;
/** A client that pages turns them sooner. */
const KEPT_MS = 60_000;

export function readAhead<Row>() {
  const kept = new LRUCache<string, ReadAheadEntry<Row>>({
    ttl: KEPT_MS,
    maxSize: KEPT_ROWS,
    sizeCalculation: ({ rows }) => rows.length,
  });
  const key = ({ end, symbols, minTotalVolume, asOf }: PanelAsk, after: PanelPlace, version: string) =>
    JSON.stringify([version, end, symbols, minTotalVolume, asOf, after.date, after.symbol]);
  return {
    /** What follows `after` while the lake is of this version. */
    of: (ask: PanelAsk, after: PanelPlace, version: string) => kept.get(key(ask, after, version)),
    keep: (ask: PanelAsk, after: PanelPlace, version: string, rest: ReadAheadEntry<Row>) =>
      void kept.set(key(ask, after, version), rest),
  };
}
