// The panel against an independent reading of the sample's own files and charts, as known now and as known
// then.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { openCatalogue } from "../../src/platform/lake/lake.ts";
import { apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { expectPrice } from "../support/price-digits.ts";
import { openSampleService, type SampleService } from "../support/service.ts";
import { ingest, type RawLine, rawCloses, rawFile, SV } from "../support/short-volume-world.ts";

setDefaultTimeout(1_200_000);

interface Row {
  date: string;
  symbol: string;
  short_volume: number;
  short_exempt_volume: number | null;
  total_volume: number;
  short_volume_ratio: number | null;
  adj_close: number | null;
  adj_close_source: string | null;
  is_delisted: boolean | null;
  backfilled: boolean | null;
  price_status: string | null;
}
interface Page {
  start_date: string;
  end_date: string;
  count: number;
  next_cursor: string | null;
  data: Row[];
}

const START = "2024-07-01";
const END = "2026-09-08";
/**
 * When prices were first collected: before the split of ZORP in June 2026 and while GLUMP was still listed.
 */
const EARLY = "2026-02-20T01:30:00Z";
const LATE = "2026-09-09T23:30:00Z";
/** Never collected; collected the first time only. */
const [UNPRICED, STALE] = ["KRONK", "FIZZQ"];
/** The provider's spelling of what is canonically spelled otherwise. */
const YAHOO: Record<string, string> = { "QUIB.B": "QUIB-B", "ZORP.PRA": "ZORP-PA", "PIPZ.WS": "PIPZ-WT" };

/** Days taken in as a whole: around renames, delistings and splits, and the newest months. */
const RANGES = [
  { start_date: "2024-09-09", end_date: "2024-09-13" },
  { start_date: "2025-04-28", end_date: "2025-05-09" },
  { start_date: "2026-02-16", end_date: "2026-04-02" },
  { start_date: "2026-06-01", end_date: "2026-06-12" },
  { start_date: "2026-08-03", end_date: END },
];
/** Fifty days in eight spans, the same in every run. */
const SPANS = randomSpans([8, 6, 6, 6, 6, 6, 6, 6]);

function randomSpans(lengths: readonly number[]): string[][] {
  let state = 7;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const all = exchangeCalendar().sessionsBetween(START, "2026-08-02");
  return lengths.map((length, i) => {
    const first = i === 0 ? 0 : Math.floor(random() * (all.length - length));
    return all.slice(first, first + length);
  });
}

let service: SampleService;
/** Closes as the provider had them early and late, by canonical symbol. */
const early = new Map<string, Map<string, number>>();
const late = new Map<string, Map<string, number>>();
const files = new Map<string, RawLine[]>();
let sessions: string[] = [];

async function collect(symbols: readonly string[], end: string) {
  // Few at once, so that no request meets its deadline on a busy machine.
  for (let from = 0; from < symbols.length; from += 20) {
    const tickers = symbols.slice(from, from + 20).join(",");
    const { status } = await service.get(
      `/api/v1/price/data?tickers=${tickers}&start_date=${START}&end_date=${end}`,
    );
    expect(status).toBe(200);
  }
}

async function readCharts(into: Map<string, Map<string, number>>, symbols: readonly string[]) {
  for (const symbol of symbols) into.set(symbol, await rawCloses(service, YAHOO[symbol] ?? symbol, START));
}

/** Makes the panel's rows of a day from the raw files and charts alone. */
function wanted(date: string): Row[] {
  const recent = sessions
    .filter((d) => d > "2026-08-10")
    .flatMap((d) => (files.get(d) ?? []).map((l) => l.symbol));
  const trading = new Set(recent);
  return (files.get(date) ?? [])
    .map(({ symbol, short, exempt, total }) => {
      const listedLate = (late.get(symbol)?.size ?? 0) > 0;
      const isStale = symbol === STALE && date > "2026-02-18";
      // A series that was not collected again knows nothing of the actions since: it stays on the basis it
      // had.
      const series = listedLate && symbol !== STALE ? late.get(symbol) : early.get(symbol);
      const close = symbol === UNPRICED || isStale ? null : (series?.get(date) ?? null);
      return {
        date,
        symbol,
        short_volume: short,
        short_exempt_volume: exempt,
        total_volume: total,
        short_volume_ratio: total > 0 ? short / total : null,
        adj_close: close,
        adj_close_source: close === null ? null : "yahoo",
        is_delisted: !trading.has(symbol),
        backfilled: close === null ? null : false,
        price_status: close === null ? null : "settled",
      };
    })
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}

function expectSame(found: readonly Row[], expected: readonly Row[]) {
  const facts = (rows: readonly Row[]) =>
    rows.map(({ adj_close, short_volume_ratio, ...rest }) => ({ ...rest, priced: adj_close !== null }));
  expect(facts(found)).toEqual(facts(expected));
  for (const [i, row] of expected.entries()) {
    const other = found[i];
    if (row.adj_close !== null) expectPrice(other?.adj_close ?? Number.NaN, row.adj_close, row.symbol);
    if (row.short_volume_ratio !== null)
      expect(Math.abs((other?.short_volume_ratio ?? Number.NaN) / row.short_volume_ratio - 1)).toBeLessThan(
        1e-9,
      );
  }
}

const panel = (query: string) => service.get<Page>(`${SV}/pit-panel?${query}`);
async function whole(query: string): Promise<Row[]> {
  const text = await (await service.fetch(`${SV}/pit-panel?${query}&format=ndjson`)).text();
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
}

beforeAll(async () => {
  service = await openSampleService({ at: EARLY });
  const { sample, clock } = service;
  const all = sample.market.listings().map(({ symbol, formerly }) => [symbol, formerly?.symbol].flat());
  const tickers = [
    ...new Set(all.flat().filter((s): s is string => s !== undefined && !/[=^]|-USD/.test(s))),
  ];
  const canonicalOf = (s: string) => Object.keys(YAHOO).find((symbol) => YAHOO[symbol] === s) ?? s;
  await collect(
    tickers.filter((s) => s !== UNPRICED),
    "2026-02-18",
  );
  await readCharts(early, tickers.map(canonicalOf));
  clock.set(LATE);
  await collect(
    tickers.filter((s) => s !== UNPRICED && s !== STALE),
    END,
  );
  await readCharts(late, tickers.map(canonicalOf));
  const taken = new Set<string>();
  const spans = SPANS.map((days) => ({ start_date: days[0], end_date: days.at(-1) }));
  for (const range of [...RANGES, ...spans]) {
    const report = await ingest(service, range);
    expect(report).toMatchObject({ failed: [], error: null });
    for (const { date } of report.ingested) taken.add(date);
  }
  sessions = [...taken].sort();
  for (const date of sessions) files.set(date, (await rawFile(service, date)) ?? []);
});
afterAll(() => service.stop());

describe("the panel as everything is known now", () => {
  test("fifty days are row for row what the files and charts say", async () => {
    const seen = { renamed: 0, delisted: 0, unpriced: 0, classes: 0, preferred: 0, split: 0, rows: 0 };
    const noted = ["2024-09-13", "2025-05-02", "2025-05-05", "2026-02-27", "2026-06-08", "2026-06-09"];
    expect(new Set(SPANS.flat()).size).toBe(50);
    for (const days of [...SPANS, ...noted.map((date) => [date])]) {
      const [start_date, end_date] = [days[0], days.at(-1)];
      const { status, body } = await panel(`start_date=${start_date}&end_date=${end_date}&limit=10000`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ start_date, end_date, count: body.data.length, next_cursor: null });
      expectSame(body.data, days.flatMap(wanted));
      for (const row of body.data) {
        seen.rows++;
        if (row.symbol === "OLDZQ") seen.renamed++;
        if (row.is_delisted) seen.delisted++;
        if (row.adj_close === null) seen.unpriced++;
        if (row.symbol === "QUIB.B") seen.classes++;
        if (row.symbol === "ZORP.PRA") seen.preferred++;
        if (row.symbol === "ZORP" && row.date < "2026-06-09") seen.split++;
      }
    }
    // The days hold what the panel is about, so that the comparison can fail for it.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
  });

  test("the whole range: no line of any file is lost in the join", async () => {
    const rows = await whole(`start_date=${START}&end_date=${END}`);
    const lines = sessions
      .flatMap((date) => (files.get(date) ?? []).map(({ symbol }) => `${date} ${symbol}`))
      .sort();
    expect(rows.map(({ date, symbol }) => `${date} ${symbol}`)).toEqual(lines);
    expect(new Set(lines).size).toBe(lines.length);
  });

  test("streams at once are each whole, also when another client leaves", async () => {
    const path = `${SV}/pit-panel?start_date=${START}&end_date=${END}&format=ndjson`;
    const alone = await (await service.fetch(path)).text();
    const leaving = new AbortController();
    const left = service.fetch(path, { signal: leaving.signal }).then((response) => response.text());
    const others = [service.fetch(path), service.fetch(path)];
    leaving.abort();
    await left.catch(() => undefined);
    for (const other of others) expect(await (await other).text()).toBe(alone);
    expect(alone.split("\n").length).toBeGreaterThan(1_000);
  });

  test("a delisted symbol keeps its close, a renamed one is under its name at that time", async () => {
    const { body: last } = await panel("start_date=2026-02-27&end_date=2026-02-27&symbols=GLUMP");
    expect(last.data).toMatchObject([{ symbol: "GLUMP", adj_close: null, is_delisted: true }]);
    const { body: before } = await panel("start_date=2026-02-18&end_date=2026-02-18&symbols=GLUMP,glump");
    expect(before.data).toHaveLength(1);
    expect(before.data[0]?.adj_close).toBe(early.get("GLUMP")?.get("2026-02-18") ?? Number.NaN);
    const { body: renamed } = await panel("start_date=2025-05-01&end_date=2025-05-06&symbols=OLDZQ,NEWZQ");
    expect(renamed.data.map(({ date, symbol }) => `${date} ${symbol}`)).toEqual([
      "2025-05-01 OLDZQ",
      "2025-05-02 OLDZQ",
      "2025-05-05 NEWZQ",
      "2025-05-06 NEWZQ",
    ]);
    expect(renamed.data.map((row) => row.adj_close !== null)).toEqual([false, false, true, true]);
    expect(renamed.data.map((row) => row.is_delisted)).toEqual([true, true, false, false]);
  });

  test("pages by cursor are the whole, whatever is ingested meanwhile", async () => {
    const query = "start_date=2026-08-24&end_date=2026-09-08";
    const expected = await whole(query);
    const rows: Row[] = [];
    let cursor = "";
    for (let pages = 0; ; pages++) {
      const { status, body } = await panel(`${query}&limit=37${cursor && `&cursor=${cursor}`}`);
      expect(status).toBe(200);
      expect(body.count).toBe(body.data.length);
      rows.push(...body.data);
      // Older days than the place reached come in between two pages.
      if (pages === 3) await ingest(service, { start_date: "2024-06-03", end_date: "2024-06-05" });
      if (body.next_cursor === null) break;
      expect(body.count).toBe(37);
      cursor = body.next_cursor;
    }
    expect(rows).toEqual(expected);
    const { body: filtered } = await panel(`${query}&min_total_volume=2000000&limit=10000`);
    expect(filtered.data).toEqual(expected.filter((row) => row.total_volume >= 2_000_000));
    const { body: some } = await panel(`${query}&symbols=ZORP,QUIB-B&limit=3`);
    expect(some.data).toEqual(
      expected.filter(({ symbol }) => ["QUIB.B", "ZORP"].includes(symbol)).slice(0, 3),
    );
    // A page asked for again is the same, and one of another size goes on where it ended.
    const { body: first } = await panel(`${query}&limit=37`);
    for (const limit of [37, 5, 400, 10_000]) {
      const { body: second } = await panel(`${query}&limit=${limit}&cursor=${first.next_cursor}`);
      expect(second.data).toEqual(expected.slice(37, 37 + limit));
    }
    const again = await service.get(`${SV}/pit-panel?${query}&cursor=${cursor}&symbols=ZORP`);
    expect(again.status).toBe(422);
  });

  test("route, macro and file formats give the same rows", async () => {
    const query = "start_date=2026-03-02&end_date=2026-06-30";
    const rows = await whole(query);
    await service.app().lake.publish();
    const catalogue = await openCatalogue(service.dataDir);
    try {
      const found = async (sql: string) => {
        const { names, columns, rowCount } = await catalogue.query(sql);
        return Array.from({ length: rowCount }, (_, i) =>
          Object.fromEntries(names.map((n, c) => [n, columns[c]?.[i]])),
        );
      };
      const order = "ORDER BY date, symbol";
      const byMacro = await found(`FROM pit_panel('2026-03-02', '2026-06-30') ${order}`);
      expect(byMacro as unknown as Row[]).toEqual(rows);
      const then = await whole(`${query}&as_of=2026-05-20`);
      expect(then.length).toBeGreaterThan(500);
      const macroThen = await found(
        `FROM pit_panel('2026-03-02', '2026-06-30', as_of := '2026-05-20') ${order}`,
      );
      expect(macroThen as unknown as Row[]).toEqual(then);
      // On the basis of bars(as_of): the two ways of scaling agree.
      const scaled =
        await found(`SELECT p.adj_close, b.adj_close AS other FROM pit_panel('2024-07-01', '2026-09-08') p
        JOIN bars(NULL) b USING (symbol, date) WHERE abs(p.adj_close / b.adj_close - 1) < 1e-12 IS NOT TRUE`);
      expect(scaled).toEqual([]);
    } finally {
      catalogue.close();
    }
    const csv = (await (await service.fetch(`${SV}/pit-panel?${query}&format=csv`)).text())
      .trim()
      .split("\r\n");
    expect(csv).toHaveLength(rows.length + 1);
    expect(csv[0]).toBe(
      "date,symbol,short_volume,short_exempt_volume,total_volume,short_volume_ratio,adj_close,adj_close_source,is_delisted,backfilled,price_status",
    );
    const parquet = await service.fetch(`${SV}/pit-panel?${query}`, {
      headers: { accept: "application/vnd.apache.parquet" },
    });
    const path = `${service.dataDir}/panel.parquet`;
    await Bun.write(path, await parquet.bytes());
    expect(await service.app().lake.query<Row>(`SELECT * FROM read_parquet('${path}')`)).toEqual(rows);
  });
});

describe("the panel as it was known then", () => {
  test("a price is known from the open of the next session, on the basis of then; one fetched later is marked", async () => {
    const query = "start_date=2026-02-18&end_date=2026-02-19&symbols=ZORP,QUIB";
    const { body } = await panel(`${query}&as_of=2026-02-20`);
    expect(body.data.map(({ date, symbol, adj_close }) => [date, symbol, adj_close?.toFixed(4)])).toEqual([
      ["2026-02-18", "QUIB", early.get("QUIB")?.get("2026-02-18")?.toFixed(4)],
      ["2026-02-18", "ZORP", early.get("ZORP")?.get("2026-02-18")?.toFixed(4)],
      ["2026-02-19", "QUIB", early.get("QUIB")?.get("2026-02-19")?.toFixed(4)],
      ["2026-02-19", "ZORP", early.get("ZORP")?.get("2026-02-19")?.toFixed(4)],
    ]);
    expect(body.data.map(({ backfilled }) => backfilled)).toEqual([false, false, true, true]);
    // Four for one in June: today's basis is a quarter of it, and less by the dividends since.
    const { body: now } = await panel(query);
    const [then, today] = [body.data[1]?.adj_close ?? 0, now.data[1]?.adj_close ?? 0];
    expect(then / today).toBeGreaterThan(3.99);
    expectPrice(today, late.get("ZORP")?.get("2026-02-18") ?? 0);
    // The evening of the 19th: the bar of the 19th is not settled, that of the 18th was fetched half an hour
    // later.
    const { body: evening } = await panel(`${query}&as_of=2026-02-20T01:00:00Z`);
    expect(evening.data.map(({ date, backfilled }) => [date, backfilled])).toEqual([
      ["2026-02-18", true],
      ["2026-02-18", true],
    ]);
    const { body: before } = await panel(`${query}&as_of=2026-02-19T14:29:59Z`);
    expect(before.data.map(({ date, adj_close }) => [date, adj_close])).toEqual([
      ["2026-02-18", null],
      ["2026-02-18", null],
    ]);
  });

  test("a day's file is visible from the next session's day on, not before", async () => {
    const dates = async (as_of: string) => [
      ...new Set(
        (await whole(`start_date=2026-09-01&end_date=2026-09-08&as_of=${as_of}`)).map(({ date }) => date),
      ),
    ];
    expect(await dates("2026-09-04")).toEqual(["2026-09-01", "2026-09-02", "2026-09-03"]);
    // Friday's is known from Tuesday on: Monday is Labor Day.
    expect(await dates("2026-09-07")).toEqual(["2026-09-01", "2026-09-02", "2026-09-03"]);
    expect(await dates("2026-09-08T03:59:59Z")).toEqual(["2026-09-01", "2026-09-02", "2026-09-03"]);
    expect(await dates("2026-09-08T04:00:00Z")).toEqual([
      "2026-09-01",
      "2026-09-02",
      "2026-09-03",
      "2026-09-04",
    ]);
  });

  test("a delisting is not known before the symbol has been missing for thirty days", async () => {
    const delisted = async (as_of: string) =>
      (await panel(`start_date=2026-02-18&end_date=2026-02-18&symbols=GLUMP&as_of=${as_of}`)).body.data[0]
        ?.is_delisted;
    expect(await delisted("2026-03-27")).toBe(false);
    expect(await delisted("2026-04-01")).toBe(true);
    // Before there are files enough nothing is known.
    const [first] = (await panel(`start_date=${START}&end_date=${START}&symbols=ZORP&as_of=2024-07-05`)).body
      .data;
    expect(first?.is_delisted).toBeNull();
  });
});

test("answers are what the document promises", async () => {
  const document = await apiDocument(service);
  const operation = document.operation("GET", "/api/v1/shortvolume/pit-panel");
  for (const query of [
    "",
    "?days=7&limit=5",
    "?start_date=2026-09-08&end_date=2026-09-01",
    "?days=0",
    "?cursor=x",
    "?limit=10001",
  ])
    expect(await faultsOfAnswer(document, operation, await service.fetch(`${SV}/pit-panel${query}`))).toEqual(
      [],
    );
});
