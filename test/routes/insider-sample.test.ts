import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const NOW = "2026-09-09T21:00:00Z";
const TICKERS = ["JUMBL", "ZORP", "QUIB", "KRONK"];
const HELD = ["VEXOQ", "WOMBQ", "OOZEL"];

interface Trade {
  readonly accession_number: string;
  readonly line: number;
  readonly accepted_at: string | null;
  readonly filing_date: string;
  readonly transaction_code: string | null;
  readonly shares: number | null;
  readonly is_amendment: boolean;
}
interface Body<Row> {
  readonly data: Row[];
  readonly total: number;
  readonly metadata: { auto_fetched: boolean; fetched_count: number; pending_count: number };
}

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ at: NOW, env: { SEC_USER_AGENT: "Asof tests tests@example.com" } });
});
afterAll(() => service.stop());

/** Numbers in [0, 1), the same in every run. */
function steady(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

const trades = async (ticker: string, asOf: string, more = ""): Promise<Trade[]> => {
  const path = `/api/v1/insider/form4/${ticker}?as_of=${encodeURIComponent(asOf)}&limit=1000${more}`;
  const { status, body } = await service.get<Body<Trade>>(path);
  expect([ticker, asOf, status]).toEqual([ticker, asOf, 200]);
  expect(body.metadata.pending_count).toBe(0);
  return body.data;
};

/** The last instant of a New York day. */
const endOf = (date: string) =>
  Temporal.PlainDate.from(date)
    .add({ days: 1 })
    .toZonedDateTime("America/New_York")
    .toInstant()
    .subtract({ nanoseconds: 1 });

test("nothing is visible before its acceptance, whatever moment is asked; nothing known is missing", async () => {
  const random = steady(20_260_909);
  const [from, to] = [Temporal.Instant.from("2024-10-01T00:00:00Z"), Temporal.Instant.from(NOW)];
  const spanS = (to.epochMilliseconds - from.epochMilliseconds) / 1000;
  for (const ticker of TICKERS) {
    // The oldest moment first: what it needs is fetched once, and all later ones find it.
    await trades(ticker, from.toString());
    // Every vintage there is, from the end of each filing day.
    const known = new Map<string, Trade>();
    const all = await trades(ticker, NOW);
    for (const date of new Set(all.map((trade) => trade.filing_date)))
      for (const trade of await trades(ticker, date))
        known.set(`${trade.accession_number} ${trade.line}`, trade);
    for (let n = 0; n < 15; n++) {
      const at = from.add({ seconds: Math.floor(random() * spanS) });
      const seen = await trades(ticker, at.toString());
      for (const trade of seen) {
        expect(trade.accepted_at).not.toBeNull();
        expect(Temporal.Instant.compare(trade.accepted_at ?? "", at)).toBeLessThanOrEqual(0);
      }
      // Trades that were on file then and not corrected by then are there.
      const visible = new Set(seen.map((trade) => `${trade.accession_number} ${trade.line}`));
      const later = (trade: Trade) => Temporal.Instant.compare(trade.accepted_at ?? NOW, at) <= 0;
      const missing = all
        .filter(later)
        .filter((trade) => !visible.has(`${trade.accession_number} ${trade.line}`));
      const windowStart = at
        .subtract({ hours: 24 * 799 })
        .toString()
        .slice(0, 10);
      expect(missing.filter((trade) => trade.filing_date > windowStart)).toEqual([]);
    }
    expect(known.size).toBeGreaterThanOrEqual(all.length);
  }
});

test("a date alone is the end of that day in New York", async () => {
  for (const ticker of TICKERS)
    for (const { filing_date } of (await trades(ticker, NOW)).slice(0, 8)) {
      const byDate = await trades(ticker, filing_date);
      expect(byDate).toEqual(await trades(ticker, endOf(filing_date).toString()));
    }
});

test("the amendment of a hand-made trade supersedes it, and as_of before it shows the original", async () => {
  const shares = async (asOf: string) =>
    (await trades("JUMBL", asOf, "&buy_only=true")).filter(({ accession_number }) =>
      ["0009381728-25-910001", "0009381728-25-910004"].includes(accession_number),
    );
  const before = await shares("2025-03-20T20:04:59Z");
  const after = await shares("2025-03-20T20:05:00Z");
  expect(before.map(({ accession_number }) => accession_number)).toEqual(["0009381728-25-910001"]);
  expect(after.map(({ accession_number, shares }) => [accession_number, shares])).toEqual([
    ["0009381728-25-910004", 1_200],
  ]);
});

test("buy_only is code P alone, and the aggregate is over the same trades", async () => {
  for (const ticker of TICKERS) {
    const bought = await trades(ticker, NOW, "&buy_only=true&window_days=800");
    expect(bought.every(({ transaction_code }) => transaction_code === "P")).toBe(true);
    const { body } = await service.get<{ transaction_count: number }>(
      `/api/v1/insider/form4/aggregate/${ticker}?as_of=${NOW}&window_days=800`,
    );
    expect([ticker, body.transaction_count]).toEqual([ticker, bought.length]);
  }
});

test("a day indexed for all companies has the same trades as the companies' own lists", async () => {
  const { body } = await service.get<Body<Trade & { ticker: string | null }>>(
    "/api/v1/insider/form4/by-date/2026-08-17",
  );
  expect(body.total).toBeGreaterThan(0);
  for (const ticker of new Set(body.data.map((trade) => trade.ticker))) {
    if (ticker === null) continue;
    const own = (await trades(ticker, "2026-08-17")).filter(
      ({ filing_date }) => filing_date === "2026-08-17",
    );
    const ofDay = body.data.filter((trade) => trade.ticker === ticker);
    expect(ofDay.map(({ accession_number, line }) => [accession_number, line])).toEqual(
      own.map(({ accession_number, line }) => [accession_number, line]),
    );
  }
});

test("holders: percentages, exits and activists of the hand-made schedules", async () => {
  const of = async (ticker: string, asOf: string) =>
    (
      await service.get<Body<Record<string, unknown>>>(`/api/v1/ownership/13dg/${ticker}?as_of=${asOf}`)
    ).body.data.map((row) => [row.form_type, row.ownership_pct, row.is_exit, row.is_activist]);
  expect(await of("VEXOQ", "2025-01-22")).toEqual([
    ["SCHEDULE 13D/A", 8.4, false, true],
    ["SC 13D", 6.3, false, true],
    ["SC 13G", 5.3, false, false],
  ]);
  // 21:53 in New York.
  expect((await of("VEXOQ", "2025-01-23T02:52:59Z")).length).toBe(2);
  const active = async (asOf: string) =>
    (
      await service.get<Body<Record<string, unknown>>>(
        `/api/v1/ownership/13dg/active?activist=all&as_of=${asOf}`,
      )
    ).body.data
      .filter((row) => row.ticker === "VEXOQ")
      .map((row) => [row.form_type, row.ownership_pct]);
  await of("VEXOQ", "2026-09-09");
  expect(await active("2025-02-12")).toEqual([
    ["SCHEDULE 13D/A", 8.4],
    ["SC 13G", 5.3],
  ]);
  expect(await active("2025-02-13")).toEqual([["SCHEDULE 13D/A", 8.4]]);
  expect(await active("2025-08-14")).toEqual([]);
});

test("answers over the sample are as documented", async () => {
  const document = await apiDocument(service);
  const asked = [
    ...TICKERS.flatMap((ticker) => [
      ["/insider/form4/{ticker}", `/insider/form4/${ticker}?as_of=2026-09-09&limit=1000`],
      [
        "/insider/form4/aggregate/{ticker}",
        `/insider/form4/aggregate/${ticker}?buy_only=false&window_days=800`,
      ],
      ["/insider/summary/{symbol}", `/insider/summary/${ticker}`],
      ["/insider/transactions/{symbol}", `/insider/transactions/${ticker}?days=3650&limit=1000`],
    ]),
    ...HELD.map((ticker) => ["/ownership/13dg/{ticker}", `/ownership/13dg/${ticker}?as_of=2026-09-09`]),
    ["/ownership/13dg/active", "/ownership/13dg/active?limit=1000"],
    // Renamed, delisted, a share class, a foreign filer, a fund.
    ...["NEWZQ", "GLUMP", "QUIB-B", "RUMBQ"].map((ticker) => [
      "/insider/summary/{symbol}",
      `/insider/summary/${ticker}`,
    ]),
  ] as [string, string][];
  for (const [route, path] of asked) {
    const operation = document.operation("GET", `/api/v1${route}`);
    expect([path, await faultsOfAnswer(document, operation, await service.fetch(`/api/v1${path}`))]).toEqual([
      path,
      [],
    ]);
  }
});
