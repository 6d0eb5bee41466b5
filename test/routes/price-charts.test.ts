// The price routes over hand-made charts: what a provider's oddities come to in the answers.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { movableClock } from "../support/clock.ts";
import { chartBody, epoch, type FakeChart, type FakeRow } from "../support/fake-chart.ts";
import { batch } from "../support/overlay-world.ts";
import { openService, type TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const P = "/api/v1/price";
/** A Wednesday, an hour after the open. */
const NOW = "2026-03-11T14:30:00Z";

interface Point {
  date: string;
  close: number;
  provisional?: true;
  partial?: true;
}
interface Series {
  data: Point[];
  warnings: string[];
}

const row = (date: string, close: number, volume: number | null = 1000): FakeRow => [
  `${date}T14:30:00Z`,
  close,
  close,
  close,
  close,
  volume,
  close,
];
/** Sessions from Monday 2 to Tuesday 10 March 2026, closes 40, 41 … */
const DAYS = ["02", "03", "04", "05", "06", "09", "10"].map((day, i): FakeRow => {
  // Clocks change on the 8th.
  const start = day < "08" ? `2026-03-${day}T14:30:00Z` : `2026-03-${day}T13:30:00Z`;
  return [start, 40 + i, 40 + i, 40 + i, 40 + i, 1000, 40 + i];
});
const LIVE: FakeRow = ["2026-03-11T14:29:00Z", 47, 48, 46, 47.5, 300, 47.5];
const without = (day: string) => DAYS.filter(([start]) => !start.startsWith(day));
const MINUTES: FakeChart = {
  rows: [
    ["2026-03-11T13:30:00Z", 47, 48, 46, 47.25, 100],
    ["2026-03-11T13:31:00Z", 47.25, 47.5, 47, 47.5, 200],
  ],
};

/** The charts of each symbol by bar width; `meta` is equal for all widths. */
const charts = new Map<string, { daily: FakeChart; minutes?: FakeChart; edit?: (body: object) => object }>();

function answer(url: URL): Response {
  const symbol = decodeURIComponent(url.pathname.split("/").at(-1) ?? "");
  const chart = charts.get(symbol);
  const interval = url.searchParams.get("interval") ?? "";
  const said = interval === "1d" ? chart?.daily : chart?.minutes;
  if (!chart || !said)
    return Response.json(
      { chart: { result: null, error: { code: "Not Found", description: "No data found" } } },
      { status: 404 },
    );
  const meta = { regularMarketTime: epoch("2026-03-11T14:29:00Z"), ...said.meta, symbol };
  const body = chartBody({ ...said, meta: { ...meta, dataGranularity: interval } });
  return Response.json(chart.edit?.(body) ?? body);
}

let upstream: ReturnType<typeof Bun.serve>;
let service: TestService;
beforeAll(async () => {
  upstream = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => answer(new URL(request.url)) });
  service = await openService({ upstream: upstream.url.origin, clock: movableClock(NOW) });
});
afterAll(async () => {
  await service.stop();
  await upstream.stop(true);
});

const SPAN = "start_date=2026-03-02&end_date=2026-03-10";
const series = async (symbol: string, query = SPAN) =>
  (await service.get<Series>(`${P}/data/${symbol}?${query}`)).body;

describe("days without a bar", () => {
  test("are reported by every request for them, and make their week partial", async () => {
    charts.set("GAPZ", { daily: { rows: without("2026-03-04") } });
    for (let i = 0; i < 2; i++) {
      expect((await series("GAPZ")).warnings).toEqual(["No bar for 2026-03-04."]);
      const weekly = await series("GAPZ", `${SPAN}&interval=1w`);
      expect(weekly.data.map(({ date, partial }) => [date, partial ?? false])).toEqual([
        ["2026-03-02", true],
        ["2026-03-09", true],
      ]);
    }
  });

  test("outside New York may be holidays, and are not reported", async () => {
    const meta = { exchangeTimezoneName: "Europe/Berlin", exchangeName: "GER" };
    const rows = without("2026-03-04").slice(0, 4);
    charts.set("GAPZ.DE", { daily: { rows, meta } });
    for (let i = 0; i < 2; i++)
      expect((await series("GAPZ.DE", "start_date=2026-03-02&end_date=2026-03-06")).warnings).toEqual([
        "unsettled: the bar of 2026-03-06 is provisional: it may still change, and no data version has it as it stands here.",
      ]);
  });
});

describe("a symbol that was never fetched", () => {
  test("is asked for on days on which New York rests", async () => {
    const rows: FakeRow[] = [["2026-01-19T08:00:00Z", 50, 50, 50, 50, 10, 50]];
    charts.set("REST.L", {
      daily: { rows, meta: { exchangeTimezoneName: "Europe/London", exchangeName: "LSE" } },
    });
    const found = await series("REST.L", "start_date=2026-01-19&end_date=2026-01-19");
    expect(found.data.map(({ date, close }) => [date, close])).toEqual([["2026-01-19", 50]]);
    expect(found.warnings).toEqual([
      "unsettled: the bar of 2026-01-19 is provisional: it may still change, and no data version has it as it stands here.",
    ]);
  });

  test("has all its days at the first request, weekends before the first session of New York included", async () => {
    const rows = ["07", "08", "09"].map(
      (day, i): FakeRow => [`2026-02-${day}T00:00:00Z`, 60 + i, 60 + i, 60 + i, 60 + i, 10, 60 + i],
    );
    const meta = {
      exchangeTimezoneName: "UTC",
      exchangeName: "CCC",
      instrumentType: "CRYPTOCURRENCY",
      firstTradeDate: epoch("2020-01-01T00:00:00Z"),
    };
    const seen: string[] = [];
    const edit = (body: object) => {
      seen.push("asked");
      return body;
    };
    charts.set("REST-USD", { daily: { rows, meta }, edit });
    const weekend = "start_date=2026-02-07&end_date=2026-02-08";
    expect((await series("REST-USD", weekend)).data.map(({ date }) => date)).toEqual([
      "2026-02-07",
      "2026-02-08",
    ]);
    const asked = seen.length;
    expect((await series("REST-USD", weekend)).data.length).toBe(2);
    expect(seen.length).toBe(asked);
  });
});

/** Days of a symbol as known by each moment. */
async function daysKnown(symbol: string, span: string, moments: readonly string[]) {
  const known: (readonly string[])[] = [];
  for (const as_of of moments) {
    const found = await series(symbol, `${span}&as_of=${as_of}`);
    known.push((found.data ?? []).map(({ date }) => date));
  }
  return known;
}

describe("a day on which New York rests is known from New York's next open", () => {
  const span = "start_date=2026-01-15&end_date=2026-01-21";

  test("of London on a holiday of New York, first asked with as_of or without it", async () => {
    const days = ["15", "16", "19", "20", "21"];
    const rows = days.map(
      (day, i): FakeRow => [`2026-01-${day}T08:00:00Z`, 50 + i, 50 + i, 50 + i, 50 + i, 10, 50 + i],
    );
    const meta = { exchangeTimezoneName: "Europe/London", exchangeName: "LSE" };
    for (const [symbol, isFirst] of [
      ["RESU.L", true],
      ["RESV.L", false],
    ] as const) {
      charts.set(symbol, { daily: { rows, meta } });
      if (!isFirst) expect((await series(symbol, span)).data.length).toBe(5);
      // The 19th is Martin Luther King's day: its bar counts from the open of Tuesday the 20th, 14:30 in
      // London.
      expect(
        await daysKnown(symbol, span, [
          "2026-01-19T20:00:00Z",
          "2026-01-20T14:29:59Z",
          "2026-01-20T14:30:00Z",
          "2026-01-21T14:30:00Z",
        ]),
      ).toEqual([
        ["2026-01-15"],
        ["2026-01-15"],
        ["2026-01-15", "2026-01-16", "2026-01-19"],
        ["2026-01-15", "2026-01-16", "2026-01-19", "2026-01-20"],
      ]);
    }
  });

  test("of a coin on a weekend, first asked with as_of or without it", async () => {
    const rows = ["15", "16", "17", "18", "19", "20", "21"].map(
      (day, i): FakeRow => [`2026-01-${day}T00:00:00Z`, 60 + i, 60 + i, 60 + i, 60 + i, 10, 60 + i],
    );
    const meta = {
      exchangeTimezoneName: "UTC",
      exchangeName: "CCC",
      instrumentType: "CRYPTOCURRENCY",
      firstTradeDate: epoch("2020-01-01T00:00:00Z"),
    };
    for (const [symbol, isFirst] of [
      ["RESU-USD", true],
      ["RESV-USD", false],
    ] as const) {
      charts.set(symbol, { daily: { rows, meta } });
      if (!isFirst) expect((await series(symbol, span)).data.length).toBe(7);
      expect(
        await daysKnown(symbol, span, [
          "2026-01-16T14:30:00Z",
          "2026-01-18T23:59:59Z",
          "2026-01-20T14:29:59Z",
          "2026-01-20T14:30:00Z",
        ]),
      ).toEqual([
        ["2026-01-15"],
        ["2026-01-15"],
        ["2026-01-15"],
        ["2026-01-15", "2026-01-16", "2026-01-17", "2026-01-18", "2026-01-19"],
      ]);
    }
  });
});

test("days before the first trade are said at every visit, of one symbol and of many", async () => {
  charts.set("LATEST", { daily: { rows: DAYS, meta: { firstTradeDate: epoch("2026-03-02T14:30:00Z") } } });
  const range = "start_date=2026-02-17&end_date=2026-03-06";
  const first = await series("LATEST", range);
  const said = "Its first trade was on 2026-03-02: no bar is expected on earlier days.";
  expect(first.warnings).toEqual([said]);
  expect((await series("LATEST", range)).warnings).toEqual([said]);
  expect((await series("LATEST", "start_date=2026-03-02&end_date=2026-03-06")).warnings).toEqual([]);
  const many = `/api/v1/price/data?tickers=LATEST&${range}`;
  const { body } = await service.get<{ warnings: string[] }>(many);
  expect(body.warnings).toEqual([`LATEST: ${said}`]);
  const rows = await service.fetch(`${many}&format=csv`);
  expect(rows.headers.get("x-warnings")).toContain("2026-03-02");
  await rows.text();
});

test("a reused symbol has no bars of the company that had it before, nor its own at a moment before its first trade", async () => {
  charts.set("REUSED", { daily: { rows: DAYS, meta: { firstTradeDate: epoch("2026-03-02T14:30:00Z") } } });
  charts.set("STAYED", { daily: { rows: [row("2026-02-18", 20), row("2026-02-19", 21), ...DAYS] } });
  // The panel keeps bars of the company that had the symbol before, apart from those of the present one.
  const former = {
    symbol: "REUSED",
    open: 9,
    high: 9,
    low: 9,
    close: 9,
    volume: 900,
    adj_close: 9,
    currency: "USD",
    basis_date: "9999-12-31",
    known_at: "2026-02-20T12:00:00Z",
    source: "alpaca_sip",
  };
  const rows = ["2026-02-18", "2026-02-19"].map((date) => ({ ...former, date }));
  await service.app().lake.append([batch("bars_daily", rows)]);
  const range = "start_date=2026-02-18&end_date=2026-03-06";
  interface Many {
    bars: Record<string, { timestamp: string; close: number }[]>;
    warnings: string[];
  }
  const many = async (as_of: string, more = "") => {
    const path = `${P}/data?tickers=REUSED,STAYED&${range}${as_of && `&as_of=${as_of}`}${more}`;
    const { body } = await service.get<Many>(path);
    const days = (body.bars.REUSED ?? []).map(({ timestamp, close }) => `${timestamp} ${close}`);
    const csv = await (await service.fetch(`${path}&format=csv`)).text();
    const lines = csv.split("\r\n").filter((line) => line.includes("REUSED"));
    return { days, lines: lines.length, warnings: body.warnings.filter((text) => text.includes("REUSED")) };
  };
  const own = ["2026-03-02 40", "2026-03-03 41", "2026-03-04 42"];
  // Cold, then warm: before its first trade there is nothing, and nothing is said that was learned later.
  for (const more of ["", "", "&stored_only=true"]) {
    const early = await many("2026-02-23T15:00:00Z", more);
    expect([early.days, early.lines]).toEqual([[], 0]);
    expect(early.warnings).toEqual([expect.stringContaining("REUSED")]);
    expect(early.warnings.join()).not.toContain("2026-03");
  }
  const later = await many("2026-03-05T20:00:00Z");
  expect([later.days, later.lines]).toEqual([own, own.length]);
  const now = await many("");
  expect(now.days).toEqual([...own, "2026-03-05 43", "2026-03-06 44"]);
  const one = await service.get<Series>(`${P}/data/REUSED?${range}&as_of=2026-02-23T15:00:00Z`);
  expect(one.status).toBe(404);
});

test("a symbol whose first trade is not known is not asked again for the days before its first bar", async () => {
  let asked = 0;
  const edit = (body: object) => {
    asked += 1;
    return body;
  };
  charts.set("UNBORN", { daily: { rows: DAYS, meta: { firstTradeDate: null } }, edit });
  const range = "start_date=2026-02-17&end_date=2026-03-06";
  const first = await series("UNBORN", range);
  expect([first.data[0]?.date, asked]).toEqual(["2026-03-02", 1]);
  // Whether it traded before is not known: the days stay named as missing, from what is noted.
  expect(first.warnings).toEqual(["No bar for 9 days between 2026-02-17 and 2026-02-27."]);
  const again = await series("UNBORN", range);
  expect([again.data, again.warnings]).toEqual([first.data, first.warnings]);
  expect(asked).toBe(1);
});

describe("bars that are served and never stored", () => {
  test("all remain available when one day of them is requested again", async () => {
    const closes = (body: object) => {
      const [result] = (body as ReturnType<typeof chartBody>).chart.result;
      const close = (result?.indicators.quote[0] as { close: unknown } | undefined)?.close;
      return { chart: { result: [{ ...result, indicators: { quote: [{ close }] } }] } };
    };
    const rows = DAYS.map(
      (each): FakeRow => (each[0].startsWith("2026-03-04") ? [each[0], null, null, null, null, null] : each),
    );
    charts.set("BARE", { daily: { rows: rows.slice(0, 5) }, edit: closes });
    const path = "start_date=2026-03-02&end_date=2026-03-06";
    const first = await series("BARE", path);
    expect(first.data.map(({ close, provisional }) => [close, provisional])).toEqual([
      [40, true],
      [41, true],
      [43, true],
      [44, true],
    ]);
    expect(first.warnings).toEqual([
      "unsettled: 4 bars of 4 days between 2026-03-02 and 2026-03-06 are provisional: they may still change, and no data version has them as they stand here.",
      "No bar for 2026-03-04.",
    ]);
    // A row without a close is asked for with every request; the answer to that holds few of the days.
    charts.set("BARE", { daily: { rows: rows.slice(1, 3) }, edit: closes });
    expect(await series("BARE", path)).toMatchObject({ data: first.data, warnings: first.warnings });
  });

  test("of a past day do not stand in for the running one", async () => {
    const odd: FakeRow = ["2026-03-04T15:04:05Z", 42, 42, 42, 42, 1000, 42];
    charts.set("ODDZ", {
      daily: { rows: [...without("2026-03-04").slice(0, 2), odd, ...DAYS.slice(3), LIVE] },
    });
    const all = await series("ODDZ", "period=1m");
    expect(all.data.length).toBe(8);
    const past = "start_date=2026-03-04&end_date=2026-03-04&force_refresh=true";
    expect((await series("ODDZ", past)).data).toMatchObject([
      { date: "2026-03-04", close: 42, provisional: true },
    ]);
    expect((await service.get<Point>(`${P}/latest/ODDZ`)).body).toMatchObject({
      date: "2026-03-11",
      close: 47.5,
    });
    expect((await series("ODDZ", "period=1m")).data).toEqual(all.data);
  });

  test("end with the open of a session: prices are on another basis from then on", async () => {
    const own = await openService({
      upstream: upstream.url.origin,
      clock: movableClock("2026-03-11T13:25:00Z", 1),
    });
    const meta = { regularMarketTime: epoch("2026-03-10T20:00:01Z") };
    charts.set("HALF", { daily: { rows: DAYS, meta } });
    const path = `${P}/data/HALF?start_date=2026-03-09&end_date=2026-03-11`;
    const closes = async () => (await own.get<Series>(path)).body.data.map((bar) => bar.close);
    expect(await closes()).toEqual([45, 46]);
    const halved = [...DAYS, LIVE].map(
      (each) => each.map((x, i) => (typeof x === "number" && i !== 5 ? x / 2 : x)) as unknown as FakeRow,
    );
    const date = epoch("2026-03-11T13:30:00Z");
    const splits = { [date]: { date, numerator: 2, denominator: 1 } };
    charts.set("HALF", { daily: { rows: halved, events: { splits } } });
    own.clock.set("2026-03-11T13:36:00Z");
    expect(await closes()).toEqual([22.5, 23, 23.75]);
    own.clock.set("2026-03-11T14:00:00Z");
    const asOf = async (moment: string) => {
      const path = `${P}/data/HALF?start_date=2026-03-09&end_date=2026-03-09&as_of=${moment}`;
      const { body } = await own.get<Series & { adjusted_through: string }>(path);
      return [body.data[0]?.close, body.adjusted_through];
    };
    expect(await asOf("2026-03-11T13:28:00Z")).toEqual([45, "2026-03-10"]);
    expect(await asOf("2026-03-11T13:40:00Z")).toEqual([22.5, "2026-03-11"]);
    await own.stop();
  });
});

describe("today", () => {
  const today = async (symbol: string) =>
    (await service.get<Record<string, unknown>>(`${P}/today/${symbol}`)).body;

  test("is held against the close of the session before, never against an older one", async () => {
    charts.set("TODZ", {
      daily: { rows: [...without("2026-03-10"), LIVE] },
      minutes: { ...MINUTES, meta: { previousClose: 46 } },
    });
    expect(await today("TODZ")).toMatchObject({
      date: "2026-03-11",
      close: 47.5,
      previous_close: 46,
      change: 1.5,
    });
    charts.set("TODY", { daily: { rows: [...without("2026-03-10"), LIVE] }, minutes: MINUTES });
    expect(await today("TODY")).toMatchObject({ previous_close: null, change: null, change_percent: null });
  });

  test("takes the daily bar's digits where both agree, and the minutes' own basis where they do not", async () => {
    const rows = [
      ...DAYS.slice(0, -1),
      ["2026-03-10T13:30:00Z", 46, 46, 46, 46.0004, 1000, 46.0004] as FakeRow,
      LIVE,
    ];
    charts.set("TODX", { daily: { rows }, minutes: { ...MINUTES, meta: { previousClose: 46 } } });
    expect((await today("TODX")).previous_close).toBe(46.0004);
    charts.set("TODW", { daily: { rows }, minutes: { ...MINUTES, meta: { previousClose: 23 } } });
    expect((await today("TODW")).previous_close).toBe(23);
  });

  test("elsewhere is the daily bar of that exchange", async () => {
    const meta = {
      exchangeTimezoneName: "Australia/Sydney",
      exchangeName: "ASX",
      regularMarketTime: epoch("2026-03-11T03:00:00Z"),
    };
    const rows = ["09", "10", "11"].map(
      (day, i): FakeRow => [
        `2026-03-${Number(day) - 1}T23:00:00Z`.replace("-9T", "-09T").replace("-8T", "-08T"),
        10 + i,
        10 + i,
        10 + i,
        10 + i,
        100,
        10 + i,
      ],
    );
    const minutes = {
      rows: [["2026-03-11T05:00:00Z", 99, 99, 99, 99, 1] as FakeRow],
      meta: { ...meta, previousClose: 98 },
    };
    charts.set("TODZ.AX", { daily: { rows, meta }, minutes });
    expect(await today("TODZ.AX")).toMatchObject({
      date: "2026-03-11",
      close: 12,
      previous_close: 11,
      source: "daily",
    });
  });
});

test("a dividend in another currency than the prices is reported in a warning, not given as if in theirs", async () => {
  const date = epoch("2026-03-04T14:30:00Z");
  const later = epoch("2026-03-05T14:30:00Z");
  const dividends = {
    [date]: { date, amount: 0.5, currency: "GBP" },
    [later]: { date: later, amount: 0.25, currency: "USD" },
  };
  charts.set("DIVZ", { daily: { rows: DAYS, events: { dividends } } });
  for (let i = 0; i < 2; i++) {
    const { data, warnings } = (
      await service.get<{ data: { dividend?: number }[]; warnings: string[] }>(`${P}/data/DIVZ?${SPAN}`)
    ).body;
    expect(data.map((bar) => bar.dividend ?? null)).toEqual([null, null, null, 0.25, null, null, null]);
    expect(warnings).toEqual([
      "The dividend of 2026-03-04 is 0.5 GBP a share: prices are in USD, so no bar shows it.",
    ]);
  }
});

test("a price below nothing or a volume in parts harms neither its symbol nor those asked for with it", async () => {
  charts.set("FINE", { daily: { rows: DAYS } });
  charts.set("CRUD", {
    daily: { rows: [...DAYS.slice(0, 2), row("2026-03-04", -37.5), row("2026-03-05", 43, 1.5)] },
  });
  const { status, body } = await service.get<{
    bars: Record<string, { close: number; volume: number | null }[]>;
  }>(`${P}/data?tickers=FINE,CRUD&start_date=2026-03-02&end_date=2026-03-05`);
  expect(status).toBe(200);
  expect(body.bars.FINE?.map((bar) => bar.close)).toEqual([40, 41, 42, 43]);
  expect(body.bars.CRUD?.map((bar) => [bar.close, bar.volume])).toEqual([
    [40, 1000],
    [41, 1000],
    [43, null],
  ]);
});
