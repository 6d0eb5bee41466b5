// 500 symbols over all stored years in row formats: beside DuckDB's COPY of the same rows, and with the
// memory they take.
import type { Lake } from "../../src/platform/lake/lake.ts";
import {
  forEachSequential,
  type Measurement,
  median,
  ms,
  type Result,
  type StoredMarket,
  sample,
  steadyRandom,
} from "./measure.ts";
import type { ServiceProcess } from "./service-process.ts";
import { withBoth } from "./stored-reads.ts";

const FORMATS = ["parquet", "csv", "ndjson"] as const;
type RowFormat = (typeof FORMATS)[number];
/** JSON has no COPY beside it. */
const SENT = [...FORMATS, "json"] as const;
type Sent = (typeof SENT)[number];
const SYMBOLS = 500;
const ROUNDS = 3;
const FIRST_BYTE_MS = 1_000;
const ABOVE_IDLE_MB = 300;
const LOOK_EVERY_MS = 20;
const MEGABYTE = 1024 * 1024;

const BARS = "symbol, date, open, high, low, close, volume, adj_close AS adjusted_close";
/**
 * The columns of an answer. Those that no bar has are null or the same in all rows: a COPY cannot do with
 * less.
 */
const SAME_COLUMNS = `${BARS}, NULL::DOUBLE AS dividend, NULL::DOUBLE AS split_ratio, false AS provisional, backfilled,
  current_date AS adjusted_through`;
const BESIDE = [
  [BARS, "the bars"],
  [SAME_COLUMNS, "the bars in the same thirteen columns"],
] as const;

interface Ask {
  readonly symbols: readonly string[];
  readonly start: string;
  readonly end: string;
}

function askOf({ symbols, years }: StoredMarket, seed = 5): Ask {
  const chosen = sample(symbols, SYMBOLS, steadyRandom(seed));
  return { symbols: chosen, start: `${years[0]}-01-01`, end: `${years.at(-1)}-12-31` };
}

/** Reads an answer to its end and throws the bytes away: milliseconds to the first byte and to the last. */
async function read({ url }: ServiceProcess, { symbols, start, end }: Ask, format: Sent) {
  const started = performance.now();
  const path = `/api/v1/price/data?tickers=${symbols.join(",")}&start_date=${start}&end_date=${end}&format=${format}`;
  const response = await fetch(url + path, { headers: { "accept-encoding": "identity" } });
  if (response.status !== 200 || !response.body) throw new Error(`${response.status} as ${format}`);
  let first = 0;
  let bytes = 0;
  for await (const piece of response.body) {
    first ||= performance.now() - started;
    bytes += piece.byteLength;
  }
  return { first, last: performance.now() - started, bytes };
}

/** COPY of the bars alone, without actions, provisional bars and warnings. */
async function copy(
  lake: Lake,
  { symbols, start, end }: Ask,
  format: RowFormat,
  columns: string,
): Promise<number> {
  const started = performance.now();
  const file = await lake.copyOut(
    `SELECT ${columns} FROM bars(NULL) WHERE symbol = ANY($symbols) AND date BETWEEN $start::DATE AND $end::DATE
     ORDER BY symbol, date`,
    { symbols, start, end },
    format,
  );
  const took = performance.now() - started;
  await file.discard();
  return took;
}

/**
 * An answer that was not asked for before, and the same again: the service has cached which of its days are
 * stored.
 */
async function besideCopy(
  service: ServiceProcess,
  lake: Lake,
  asks: readonly Ask[],
  format: RowFormat,
  columns: string,
) {
  let bytes = 0;
  const last = async (ask: Ask) => {
    const found = await read(service, ask, format);
    bytes = found.bytes;
    return found.last;
  };
  const [first, copied] = await forEachSequential(asks, 1, last, (ask) => copy(lake, ask, format, columns));
  const times: number[] = [];
  for (const ask of asks.slice(1)) times.push(await last(ask));
  return { first, again: median(times), copied, megabytes: Math.round(bytes / 1e6) };
}

export const largeRows: Measurement = {
  name: "large-rows",
  description: `${SYMBOLS} symbols × all years in a row format, GET /price/data`,
  goal: { kind: "at most", ratio: 1.5 },
  run: (setting) =>
    withBoth(setting, async (service, lake) => {
      const market = await setting.market();
      const results: Result[] = [];
      let seed = 0;
      for (const format of FORMATS)
        for (const [columns, described] of BESIDE) {
          const asks = Array.from({ length: ROUNDS + 1 }, () => askOf(market, seed++));
          const { copied, megabytes, ...took } = await besideCopy(service, lake, asks, format, columns);
          for (const time of ["first", "again"] as const)
            results.push({
              what: `${ms(took[time])} for ${megabytes} MB as ${format}, asked ${time}`,
              against: `${ms(copied)} for COPY of ${described}`,
              ratio: took[time] / copied,
            });
        }
      return results;
    }),
};

/** An answer with the most memory the service had above what it had before. */
async function watched(service: ServiceProcess, ask: Ask, format: Sent) {
  const idle = service.residentBytes();
  let peak = idle;
  const looking = setInterval(() => {
    peak = Math.max(peak, service.residentBytes());
  }, LOOK_EVERY_MS);
  try {
    return { ...(await read(service, ask, format)), aboveMb: (peak - idle) / MEGABYTE };
  } finally {
    clearInterval(looking);
  }
}

/** Each format in a process of its own, the first answer of which is the measured one. */
const limitOf = (
  name: string,
  description: string,
  resultOf: (found: Awaited<ReturnType<typeof watched>>, format: Sent) => Result,
): Measurement => ({
  name,
  description,
  goal: { kind: "at most", ratio: 1 },
  async run(setting) {
    const ask = askOf(await setting.market());
    const results: Result[] = [];
    for (const format of SENT)
      results.push(
        await withBoth(setting, async (service) => resultOf(await watched(service, ask, format), format)),
      );
    return results;
  },
});

export const largeRowsFirst = limitOf(
  "large-first",
  `the first byte of ${SYMBOLS} symbols × all years`,
  ({ first }, format) => ({
    what: `${ms(first)} as ${format}`,
    against: ms(FIRST_BYTE_MS),
    ratio: first / FIRST_BYTE_MS,
  }),
);

export const largeRowsMemory = limitOf(
  "large-memory",
  `resident memory above idle while ${SYMBOLS} symbols × all years are sent`,
  ({ aboveMb, bytes }, format) => ({
    what: `${Math.round(aboveMb)} MB for ${Math.round(bytes / 1e6)} MB as ${format}`,
    against: `${ABOVE_IDLE_MB} MB`,
    ratio: aboveMb / ABOVE_IDLE_MB,
  }),
);
