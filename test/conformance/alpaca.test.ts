// Every recorded bar page, snapshot, list of actions and refusal of the brokerage feed through the provider.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { snapshotAnswers } from "../../src/capabilities/marketfeed/snapshot.ts";
import { exchangeCalendar, newYorkDate } from "../../src/market/calendar.ts";
import { UpstreamRefused } from "../../src/platform/errors.ts";
import type { Upstream, UpstreamRequest } from "../../src/platform/upstream/policy.ts";
import {
  alpaca,
  alpacaPolicy,
  barOrNull,
  classifyAlpaca,
  readActionsPage,
  readBarsPage,
  readSnapshots,
} from "../../src/providers/alpaca/index.ts";
import { fakeClock } from "../support/fake-clock.ts";

setDefaultTimeout(1_200_000);

const FOLDER = join(process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"), "alpaca");
const clock = fakeClock("2026-01-05T15:00:00Z");
const calendar = exchangeCalendar();

interface Recorded {
  readonly file: string;
  readonly body: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const recorded: Recorded[] = existsSync(FOLDER)
  ? readdirSync(FOLDER)
      .filter((file) => file.endsWith(".json") && !file.includes("openapi"))
      .sort()
      .flatMap((file) => {
        try {
          return [{ file, body: JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as unknown }];
        } catch {
          return [];
        }
      })
  : [];

if (recorded.length === 0) test.skip("skipped: no recordings", () => {});

const BAR_KEYS = ["t", "o", "h", "l", "c", "v"];
const isBar = (value: unknown): value is Record<string, number | string> =>
  isRecord(value) && BAR_KEYS.every((key) => key in value) && typeof value.t === "string";

/** Pages of the multi-symbol bars: a map of lists of bars. */
const pages = recorded.filter(
  ({ body }) =>
    isRecord(body) &&
    "next_page_token" in body &&
    isRecord(body.bars) &&
    Object.values(body.bars).every(Array.isArray),
);
/** Snapshot maps, without a wrapper. */
const PARTS = ["latestTrade", "latestQuote", "minuteBar", "dailyBar", "prevDailyBar"];
const snapshotMaps = recorded.filter(
  ({ body, file }) =>
    isRecord(body) &&
    /snapshot/i.test(file) &&
    Object.values(body).every(
      (value) => value === null || (isRecord(value) && PARTS.some((part) => part in value)),
    ),
);
const actionPages = recorded.filter(({ body }) => isRecord(body) && isRecord(body.corporate_actions));

/** The feed behind an upstream that answers everything with one reply. */
function answering(
  reply: (request: UpstreamRequest) => { status?: number; body: unknown; headers?: Record<string, string> },
) {
  const requests: UpstreamRequest[] = [];
  const upstream: Upstream = {
    policy: alpacaPolicy,
    health: () => {
      throw new Error("not asked");
    },
    async ask(request) {
      requests.push(request);
      const { status = 200, body, headers = {} } = reply(request);
      const bytes = new TextEncoder().encode(JSON.stringify(body));
      const answer = {
        url: request.url,
        status,
        headers: new Headers(headers),
        bytes,
        receivedAt: clock.now(),
      };
      const verdict = classifyAlpaca(answer);
      if (verdict.kind !== "ok" && verdict.kind !== "answered") throw new Error(verdict.detail);
      return answer;
    },
  };
  const feed = alpaca({ upstream, keys: { apiKey: "k", secretKey: "s" }, clock, calendar });
  return { feed, requests };
}

describe.if(pages.length > 0)("every recorded page of bars", () => {
  for (const { file, body } of pages)
    test(file, () => {
      const raw = body as {
        bars: Record<string, Record<string, number | string>[]>;
        next_page_token: string | null;
      };
      const read = readBarsPage(body);
      expect([...read.bars.keys()]).toEqual(Object.keys(raw.bars));
      expect(read.next).toBe(raw.next_page_token);
      for (const [symbol, rows] of Object.entries(raw.bars)) {
        const bars = read.bars.get(symbol) ?? [];
        expect(bars.length).toBe(rows.length);
        for (const [i, row] of rows.entries())
          expect({ ...bars[i], at: bars[i]?.at.toString() }).toEqual({
            ...({
              at: String(row.t),
              open: row.o,
              high: row.h,
              low: row.l,
              close: row.c,
              volume: row.v,
            } as object),
            trade_count: row.n ?? null,
            vwap: row.vw ?? null,
          } as never);
      }
    });

  test("a day's bar is stamped with midnight in New York, in winter and in summer", () => {
    const stamps = pages.flatMap(({ body }) =>
      [...readBarsPage(body).bars.values()]
        .flat()
        .flatMap(({ at }) => (/T0[45]:00:00Z$/.test(at.toString()) ? [at] : [])),
    );
    expect(stamps.length).toBeGreaterThan(0);
    for (const at of stamps) {
      expect(at.toZonedDateTimeISO("America/New_York").hour).toBe(0);
      expect(calendar.isSession(newYorkDate(at))).toBe(true);
    }
  });

  test("pages of one question follow each other by their token to the end", async () => {
    const first = pages.find(
      ({ file, body }) =>
        /-1\.json$/.test(file) &&
        (body as { next_page_token: unknown }).next_page_token !== null &&
        pages.some((p) => p.file === file.replace("-1.json", "-2.json")),
    );
    if (!first) return;
    const second = pages.find((p) => p.file === first.file.replace("-1.json", "-2.json"));
    const token = (first.body as { next_page_token: string }).next_page_token;
    const { feed, requests } = answering(({ url }) => {
      const asked = new URL(url).searchParams.get("page_token");
      if (asked === null) return { body: first.body };
      expect(asked).toBe(token);
      return { body: { ...(second?.body as object), next_page_token: null } };
    });
    const [symbol = ""] = Object.keys((first.body as { bars: object }).bars);
    const { answer } = await feed.bars({
      symbols: [symbol],
      timeframe: "1Day",
      adjustment: "split",
      feed: "sip",
      start: Temporal.Instant.from("2015-01-01T00:00:00Z"),
      end: Temporal.Instant.from("2025-12-31T00:00:00Z"),
    });
    const all = answer?.bars.get(symbol) ?? [];
    expect(requests.length).toBe(2);
    const dates = all.map((bar) => newYorkDate(bar.at));
    expect(dates).toEqual([...dates].sort());
    expect(new Set(dates).size).toBe(dates.length);
    const count = (page: Recorded) =>
      Object.values((page.body as { bars: Record<string, unknown[]> }).bars)[0]?.length ?? 0;
    expect(all.length).toBe(count(first) + (second ? count(second) : 0));
  });

  test("an empty page is an answer without bars", () => {
    const empty = pages.filter(({ body }) => Object.keys((body as { bars: object }).bars).length === 0);
    for (const { body } of empty)
      expect(readBarsPage(body)).toEqual({ bars: new Map(), next: null, currency: null });
  });
});

describe.if(snapshotMaps.length > 0)("every recorded snapshot", () => {
  for (const { file, body } of snapshotMaps)
    test(file, async () => {
      const raw = body as Record<string, Record<string, Record<string, number | string>> | null>;
      const read = readSnapshots(body);
      expect([...read.keys()]).toEqual(Object.keys(raw));
      for (const [symbol, parts] of Object.entries(raw)) {
        const snapshot = read.get(symbol) ?? null;
        if (parts === null) {
          expect(snapshot).toBeNull();
          continue;
        }
        expect(snapshot?.trade?.price ?? null).toBe((parts.latestTrade?.p as number) ?? null);
        expect(snapshot?.day?.close ?? null).toBe((parts.dailyBar?.c as number) ?? null);
        expect(snapshot?.previous?.close ?? null).toBe((parts.prevDailyBar?.c as number) ?? null);
        expect(snapshot?.quote?.ask ?? null).toBe((parts.latestQuote?.ap as number) || null);
        expect(snapshot?.minute).toEqual(barOrNull(parts.minuteBar, "minuteBar"));
      }
      const symbols = Object.keys(raw);
      if (symbols.length === 0) return;
      const { feed } = answering(() => ({ body }));
      const answer = await snapshotAnswers({ feed, clock })(
        symbols.map((symbol) => ({ ticker: symbol, symbol })),
        new AbortController().signal,
      );
      for (const [symbol, parts] of Object.entries(raw)) {
        const row = answer.snapshots[symbol];
        const dayOf = (at: unknown) => newYorkDate(Temporal.Instant.from(String(at)));
        const session = parts?.latestTrade ? dayOf(parts.latestTrade.t) : "";
        // The last close before the session of the trade, as the contract says.
        const last = [parts?.dailyBar, parts?.prevDailyBar].find((bar) => bar && dayOf(bar.t) < session);
        const [price, before] = [parts?.latestTrade?.p, last?.c].map((n) =>
          n === undefined ? null : Number(n),
        );
        expect(row?.status).toBe(parts === null ? "no_data" : "ok");
        expect(row?.price).toBe(price ?? null);
        if (price == null || before == null) expect(row?.change).toBeNull();
        else {
          expect(row?.change).toBeCloseTo(price - before, 9);
          expect(row?.change_percent).toBeCloseTo(((price - before) / before) * 100, 9);
        }
      }
    });

  test("a change of 0.5798 on 160.62 is 0.361 percent", async () => {
    const found = snapshotMaps.find(({ body }) => JSON.stringify(body).includes("161.1998"));
    if (!found) return;
    const { feed } = answering(() => ({ body: found.body }));
    const { snapshots } = await snapshotAnswers({ feed, clock })(
      [{ ticker: "aapl", symbol: "AAPL" }],
      new AbortController().signal,
    );
    expect(snapshots.aapl).toMatchObject({
      price: 161.1998,
      prev_close: 160.62,
      change: 0.5798,
      date: "2022-03-18",
    });
    expect(snapshots.aapl?.change_percent?.toFixed(3)).toBe("0.361");
  });
});

describe.if(actionPages.length > 0)("every recorded list of corporate actions", () => {
  for (const { file, body } of actionPages)
    test(file, () => {
      const groups = (body as { corporate_actions: Record<string, Record<string, unknown>[]> })
        .corporate_actions;
      const { actions } = readActionsPage(body);
      const named = (kind: string) => actions.filter((action) => action.kind === kind);
      const rows = (...names: string[]) => names.flatMap((name) => groups[name] ?? []);
      expect(named("split").map((a) => [a.symbol, a.ex_date, a.numerator, a.denominator])).toEqual(
        rows("forward_splits", "reverse_splits").map((r) => [
          r.symbol,
          r.ex_date,
          r.new_rate,
          r.old_rate,
        ]) as never,
      );
      expect(named("dividend").map((a) => [a.symbol, a.ex_date, a.rate])).toEqual(
        rows("cash_dividends").map((r) => [r.symbol, r.ex_date, r.rate]) as never,
      );
      expect(named("other").map((a) => [a.symbol, a.ex_date])).toEqual([
        ...rows("stock_dividends").map((r) => [r.symbol, r.ex_date]),
        ...rows("spin_offs").map((r) => [r.source_symbol, r.ex_date]),
      ] as never);
    });
});

describe.if(recorded.length > 0)("recorded refusals", () => {
  const bars = { timeframe: "1Day", adjustment: "split", feed: "sip" } as const;
  const span = {
    start: Temporal.Instant.from("2025-01-02T05:00:00Z"),
    end: Temporal.Instant.from("2025-01-03T05:00:00Z"),
  };

  test("one bad symbol of three is dropped, named, and the others are asked again", async () => {
    const { feed, requests } = answering(({ url }) =>
      new URL(url).searchParams.get("symbols")?.includes("CSP1")
        ? { status: 400, body: { message: "invalid symbol: CSP1" } }
        : { body: { bars: {}, next_page_token: null } },
    );
    const reported = await feed.bars({ ...bars, ...span, symbols: ["VUSA", "CSP1", "SGLN"] });
    expect(reported.invalid).toEqual(["CSP1"]);
    expect(requests.map(({ url }) => new URL(url).searchParams.get("symbols"))).toEqual([
      "VUSA,CSP1,SGLN",
      "VUSA,SGLN",
    ]);
    const again = await feed.bars({ ...bars, ...span, symbols: ["CSP1"] });
    expect([again.answer, again.invalid, again.asked, requests.length]).toEqual([null, ["CSP1"], false, 2]);
  });

  test("the plan's refusal of the recent consolidated feed is reported as a refusal", async () => {
    const { feed } = answering(() => ({
      status: 403,
      body: { message: "subscription does not permit querying recent SIP data" },
    }));
    const fault = await feed.bars({ ...bars, ...span, symbols: ["AAPL"] }).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(UpstreamRefused);
    expect((fault as UpstreamRefused).message).toContain(
      "subscription does not permit querying recent SIP data",
    );
  });

  for (const { file, body } of recorded.filter((r) => isRecord(r.body) && typeof r.body.message === "string"))
    test(`${file} is a refusal in the feed's own words`, async () => {
      const { feed } = answering(() => ({ status: 404, body }));
      const fault = await feed
        .bars({ ...bars, ...span, symbols: ["FOOBAR"] })
        .catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(UpstreamRefused);
      expect((fault as UpstreamRefused).message).toContain(String((body as { message: string }).message));
    });
});

const days = recorded.filter(
  ({ body }) =>
    Array.isArray(body) &&
    body.every((row) => isRecord(row) && "open" in row && "close" in row && "date" in row) &&
    body.length > 0,
);
describe.if(days.length > 0)("the recorded exchange calendar", () => {
  for (const { file, body } of days)
    test(file, () => {
      const rows = body as { date: string; open: string; close: string }[];
      const [first, last] = [rows[0]?.date ?? "", rows.at(-1)?.date ?? ""];
      expect(calendar.sessionsBetween(first, last)).toEqual(rows.map((row) => row.date));
      const clockOf = (at: Temporal.Instant) =>
        at.toZonedDateTimeISO("America/New_York").toPlainTime().toString().slice(0, 5);
      for (const { date, open, close } of rows) {
        expect(clockOf(calendar.sessionOpen(date))).toBe(open);
        expect(clockOf(calendar.sessionClose(date))).toBe(close);
      }
    });
});

describe.if(pages.length > 0)("facts of single recordings", () => {
  const pageWith = (symbol: string, close: number) =>
    pages.flatMap(({ body }) => readBarsPage(body).bars.get(symbol) ?? []).find((bar) => bar.close === close);

  test("a renamed company's earlier bar is under the new name; a spin-off day follows the day before", () => {
    for (const [symbol, close, date] of [
      ["META", 196.64, "2022-06-08"],
      ["GE", 138.29, "2024-04-01"],
      ["GE", 134.94, "2024-04-02"],
      ["AMZN", 3379.72, "2021-10-15"],
    ] as const) {
      const bar = pageWith(symbol, close);
      if (bar) expect([symbol, newYorkDate(bar.at)]).toEqual([symbol, date]);
    }
  });

  test("the end of an intraday span is inclusive", () => {
    const page = pages.find(({ body }) => readBarsPage(body).bars.get("AMZN")?.[0]?.close === 3379.72);
    if (!page) return;
    const starts = (readBarsPage(page.body).bars.get("AMZN") ?? []).map((bar) => bar.at.toString());
    expect([starts.length, starts.at(-1)]).toEqual([5, "2021-10-15T17:00:00Z"]);
  });

  test("bars elsewhere in the recordings are read too", () => {
    const bars: unknown[] = [];
    const walk = (value: unknown) => {
      if (isBar(value)) bars.push(value);
      else if (Array.isArray(value)) value.forEach(walk);
      else if (isRecord(value)) Object.values(value).forEach(walk);
    };
    for (const { body } of recorded) walk(body);
    expect(bars.length).toBeGreaterThan(20);
    for (const bar of bars) expect(barOrNull(bar, "bar")?.close).toBe((bar as { c: number }).c);
  });
});
