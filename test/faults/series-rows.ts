// A dataset with arrays, and rows of it.
import { dataset, type RowOf } from "../../src/platform/lake/dataset.ts";

export const closes = dataset({
  name: "closes",
  description: "Made up.",
  columns: {
    symbol: { type: "VARCHAR", description: "Whose it is." },
    day: { type: "DATE", description: "Its day." },
    close: { type: "DOUBLE", nullable: true, description: "A price." },
    known_at: { type: "TIMESTAMPTZ", description: "When it was read." },
  },
  key: ["symbol", "day"],
  partition: { by: "year", column: "day" },
  sort: ["symbol", "day"],
  fill: "first",
  series: { by: "symbol", day: "day" },
});

/** The days of some months of a year, of each of `symbols` symbols. */
export const closesOf = (year: number, symbols: number): RowOf<typeof closes>[] =>
  Array.from({ length: symbols * 252 }, (_, n) => ({
    symbol: `S${String(n % symbols).padStart(4, "0")}`,
    day: `${year}-${String(1 + Math.floor(Math.floor(n / symbols) / 21)).padStart(2, "0")}-${String(1 + (Math.floor(n / symbols) % 21)).padStart(2, "0")}`,
    close: n % 11 === 0 ? null : n / 8,
    known_at: "2026-01-02T12:00:00Z",
  }));
