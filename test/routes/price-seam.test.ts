// A provider that rescales its prices before it lists the split, or lists a split that its prices do not
// have: the series stays on one basis, says so, and heals with the next plain request.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { movableClock } from "../support/clock.ts";
import { chartBody, epoch, type FakeChart, type FakeRow } from "../support/fake-chart.ts";
import { openService, type TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const P = "/api/v1/price/data";
const calendar = exchangeCalendar();

interface Series {
  data: {
    date: string;
    close: number;
    adjusted_close: number | null;
    volume: number | null;
    provisional?: true;
    split_ratio?: number;
  }[];
  refreshed: boolean;
  warnings: string[];
}

/** The provider's series of a symbol: closes of 40, 41 … from 2 March 2026 on, the newest as of the clock. */
interface Said {
  /** New shares for old that its prices include. */
  readonly scale?: number;
  readonly volumeScale?: number;
  /** Splits that it lists, by ex date. */
  readonly splits?: Readonly<Record<string, number>>;
  readonly jumpOn?: string;
  /** From this day on it trades at a quarter; `isScaled`: earlier prices are scaled to it. */
  readonly quarterFrom?: string;
  readonly isScaled?: boolean;
  /** Dividends of 1 that it lists, by ex date; adjusted closes include them. */
  readonly dividends?: readonly string[];
}
const said = new Map<string, Said>();
const clock = movableClock("2026-03-11T15:00:00Z");

function chartOf(said: Said, from: string): FakeChart {
  const { scale = 1, volumeScale = scale, splits = {}, jumpOn = "9999-12-31" } = said;
  const { quarterFrom = "", isScaled = false, dividends = [] } = said;
  const closeOn = (day: string, i: number) => {
    const isOld = quarterFrom === "" || day < quarterFrom;
    return (
      ((40 + i) * (day >= jumpOn ? 2 : 1)) /
      scale /
      (isOld && !isScaled ? 1 : 4 ** Number(quarterFrom !== ""))
    );
  };
  const sessions = calendar.sessionsBetween("2026-03-02", "2026-04-30");
  // Of a price before a dividend of 1: what is left of the last close before it.
  const leftOf = (day: string) =>
    dividends
      .filter((exDate) => day < exDate)
      .reduce((left, exDate) => {
        const i = sessions.indexOf(exDate) - 1;
        return left * (1 - 1 / closeOn(sessions[i] ?? "", i));
      }, 1);
  const last = calendar.previousSession(calendar.latestSession(clock.now()));
  const rows = calendar.sessionsBetween("2026-03-02", last).flatMap((day, i): FakeRow[] => {
    if (day < from) return [];
    const close = closeOn(day, i);
    const adjusted = close * leftOf(day);
    return [[calendar.sessionOpen(day).toString(), close, close, close, close, 1000 * volumeScale, adjusted]];
  });
  const listed = Object.entries(splits).map(([day, numerator]) => {
    const date = epoch(calendar.sessionOpen(day).toString());
    return [date, { date, numerator, denominator: 1 }];
  });
  const paid = dividends.map((day) => {
    const date = epoch(calendar.sessionOpen(day).toString());
    return [date, { date, amount: 1 }];
  });
  return { rows, events: { splits: Object.fromEntries(listed), dividends: Object.fromEntries(paid) } };
}

let upstream: ReturnType<typeof Bun.serve>;
let service: TestService;
beforeAll(async () => {
  upstream = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const url = new URL(request.url);
      const symbol = decodeURIComponent(url.pathname.split("/").at(-1) ?? "");
      const seconds = Number(url.searchParams.get("period1"));
      const from = Temporal.Instant.fromEpochMilliseconds(Math.max(0, seconds) * 1000)
        .toString()
        .slice(0, 10);
      const meta = { symbol, firstTradeDate: epoch("2026-03-02T14:30:00Z") };
      const regularMarketTime = Math.floor(clock.nowMs() / 1000) - 60;
      return Response.json(
        chartBody({ ...chartOf(said.get(symbol) ?? {}, from), meta: { ...meta, regularMarketTime } }),
      );
    },
  });
  service = await openService({ upstream: upstream.url.origin, clock });
});
afterAll(async () => {
  await service.stop();
  await upstream.stop(true);
});

const ask = async (symbol: string, end: string, more = "") =>
  (await service.get<Series>(`${P}/${symbol}?start_date=2026-03-02&end_date=${end}${more}`)).body;
const closes = ({ data }: Series) => data.map(({ close }) => close);
const rows = (sql: string) => service.app().lake.query(sql);
const upTo = (count: number, scale = 1) => Array.from({ length: count }, (_, i) => (40 + i) / scale);

test("prices rescaled before the split is listed are served on the stored basis, and never stored", async () => {
  clock.set("2026-03-11T15:00:00Z");
  said.set("EARLY", {});
  expect(closes(await ask("EARLY", "2026-03-10"))).toEqual(upTo(7));
  clock.set("2026-03-17T15:00:00Z");
  said.set("EARLY", { scale: 4 });
  const early = await ask("EARLY", "2026-03-16");
  expect(closes(early)).toEqual(upTo(11));
  expect(early.data.map(({ volume }) => volume)).toEqual(Array(11).fill(1000));
  expect(early.data.map(({ provisional }) => provisional ?? false)).toEqual([
    ...Array(7).fill(false),
    ...Array(4).fill(true),
  ]);
  expect(early.warnings.join()).toContain("4:1");
  const forced = await ask("EARLY", "2026-03-16", "&force_refresh=true");
  expect([forced.refreshed, closes(forced)]).toEqual([false, upTo(11)]);
  expect((await ask("EARLY", "2026-03-06")).warnings.join()).toContain("4:1");
  expect(await rows("SELECT count(*) AS n FROM bars_daily WHERE symbol = 'EARLY'")).toEqual([{ n: 7 }]);
  expect(await rows("SELECT * FROM bars_daily_revisions WHERE symbol = 'EARLY'")).toEqual([]);

  // The list of splits catches up: one day later all bars are on one basis, that of the split, and stored.
  clock.set("2026-03-18T15:00:00Z");
  said.set("EARLY", { scale: 4, splits: { "2026-03-16": 4 } });
  const healed = await ask("EARLY", "2026-03-17");
  expect(closes(healed)).toEqual(upTo(12, 4));
  expect(healed.warnings).toEqual([]);
  expect(healed.data.find(({ date }) => date === "2026-03-16")?.split_ratio).toBe(4);
  expect(healed.data.some(({ provisional }) => provisional)).toBe(false);
  expect(await rows("SELECT * FROM bars_daily_revisions WHERE symbol = 'EARLY'")).toEqual([]);
});

test("whatever part is asked first, the series of all parts is on one basis", async () => {
  clock.set("2026-03-11T15:00:00Z");
  said.set("PARTS", {});
  await ask("PARTS", "2026-03-10");
  clock.set("2026-03-17T15:00:00Z");
  said.set("PARTS", { scale: 4 });
  const one = `${P}/PARTS?start_date=2026-03-13&end_date=2026-03-13`;
  expect((await service.get<Series>(one)).body.data).toMatchObject([{ close: 49, provisional: true }]);
  expect(closes(await ask("PARTS", "2026-03-16"))).toEqual(upTo(11));
  clock.set("2026-03-18T15:00:00Z");
  said.set("PARTS", { scale: 4, splits: { "2026-03-13": 4 } });
  expect((await service.get<Series>(one)).body.data).toMatchObject([{ close: 49 / 4 }]);
  expect(closes(await ask("PARTS", "2026-03-17"))).toEqual(upTo(12, 4));
});

test("days far before the stored ones are held against them too", async () => {
  clock.set("2026-04-13T15:00:00Z");
  said.set("APART", {});
  const span = (from: string, to: string) => `${P}/APART?start_date=${from}&end_date=${to}`;
  await service.get(span("2026-04-01", "2026-04-10"));
  clock.set("2026-04-14T15:00:00Z");
  said.set("APART", { scale: 4 });
  const first = (await service.get<Series>(span("2026-03-02", "2026-03-04"))).body;
  expect(closes(first)).toEqual(upTo(3));
  expect(first.warnings.join()).toContain("4:1");
  const all = await ask("APART", "2026-04-10");
  expect(closes(all)).toEqual(upTo(all.data.length));
});

test("a listed split that the prices do not have is not applied, and gone when the list forgets it", async () => {
  clock.set("2026-03-11T15:00:00Z");
  said.set("PHANTOM", {});
  await ask("PHANTOM", "2026-03-10");
  clock.set("2026-03-17T15:00:00Z");
  said.set("PHANTOM", { splits: { "2026-03-13": 2 } });
  const doubted = await ask("PHANTOM", "2026-03-16");
  expect(closes(doubted)).toEqual(upTo(11));
  expect(doubted.warnings.join()).toContain("1:2");
  expect(await rows("SELECT * FROM corporate_actions WHERE symbol = 'PHANTOM'")).toEqual([]);
  clock.set("2026-03-18T15:00:00Z");
  said.set("PHANTOM", {});
  const healed = await ask("PHANTOM", "2026-03-17");
  expect([closes(healed), healed.warnings]).toEqual([upTo(12), []]);
});

test("a price that truly doubles is no split", async () => {
  clock.set("2026-03-11T15:00:00Z");
  said.set("DOUBLE", {});
  await ask("DOUBLE", "2026-03-10");
  clock.set("2026-03-17T15:00:00Z");
  said.set("DOUBLE", { jumpOn: "2026-03-11" });
  const series = await ask("DOUBLE", "2026-03-16");
  expect(closes(series)).toEqual([...upTo(7), 94, 96, 98, 100]);
  expect(series.warnings).toEqual([]);
  expect(series.data.some(({ provisional }) => provisional)).toBe(false);
});

test("a volume that follows neither basis is unknown", async () => {
  clock.set("2026-03-11T15:00:00Z");
  said.set("ODD", {});
  await ask("ODD", "2026-03-10");
  clock.set("2026-03-17T15:00:00Z");
  said.set("ODD", { scale: 0.1, volumeScale: 7 });
  const series = await ask("ODD", "2026-03-16");
  expect(closes(series)).toEqual(upTo(11));
  expect(series.data.slice(7).map(({ volume }) => volume)).toEqual([null, null, null, null]);
  expect(series.warnings.join()).toContain("1:10");
});

/** Closes of a share that traded at a quarter from 13 March on: each day as printed. */
const printed = (count: number) => Array.from({ length: count }, (_, i) => (40 + i) / (i < 9 ? 1 : 4));
const QUARTER = { quarterFrom: "2026-03-13" };
const LISTED = { ...QUARTER, isScaled: true, splits: { "2026-03-13": 4 } };

test("a split listed after its ex date is applied to the bars stored meanwhile, at the next plain request", async () => {
  clock.set("2026-03-11T15:00:00Z");
  said.set("LATE", QUARTER);
  await ask("LATE", "2026-03-04");
  // Four days into the split the provider neither lists it nor scales for it.
  clock.set("2026-03-18T15:00:00Z");
  const before = await ask("LATE", "2026-03-17");
  expect([closes(before), before.warnings]).toEqual([printed(12), []]);
  clock.set("2026-03-19T15:00:00Z");
  said.set("LATE", LISTED);
  const healed = await ask("LATE", "2026-03-18");
  expect([closes(healed), healed.warnings]).toEqual([upTo(13, 4), []]);
  expect(healed.data.some(({ provisional }) => provisional)).toBe(false);
  expect(healed.data[0]?.volume).toBe(4000);
  expect(await rows("SELECT * FROM bars_daily_revisions WHERE symbol = 'LATE' AND close > 20")).toEqual([]);
  expect(
    await rows("SELECT kind, missing_through FROM corporate_actions WHERE symbol = 'LATE' ORDER BY known_at"),
  ).toEqual([{ kind: "split", missing_through: "2026-03-18" }]);
  // Before the split the same days are on the basis of then, by SQL as by the route.
  const then = await ask("LATE", "2026-03-10", "&as_of=2026-03-11");
  expect(closes(then)).toEqual(upTo(7));
  expect(closes(await ask("LATE", "2026-03-17", "&as_of=2026-03-18&stored_only=true"))).toEqual(upTo(12, 4));
  expect(
    await rows(
      "SELECT count(*) AS n FROM bars_now() WHERE symbol = 'LATE' AND close > 14 AND date < DATE '2026-03-18'",
    ),
  ).toEqual([{ n: 0 }]);
});

test("a provider that scales old days before it lists the split leaves one basis and a warning until then", async () => {
  clock.set("2026-03-18T15:00:00Z");
  said.set("HALF", QUARTER);
  await ask("HALF", "2026-03-17");
  clock.set("2026-03-19T15:00:00Z");
  said.set("HALF", { ...QUARTER, isScaled: true });
  const early = await ask("HALF", "2026-03-18");
  expect(closes(early)).toEqual(printed(13));
  expect(early.warnings.join()).toContain("4:1");
  expect(await rows("SELECT * FROM bars_daily_revisions WHERE symbol = 'HALF'")).toEqual([]);
  clock.set("2026-03-20T15:00:00Z");
  said.set("HALF", LISTED);
  const healed = await ask("HALF", "2026-03-19");
  expect([closes(healed), healed.warnings]).toEqual([upTo(14, 4), []]);
});

test("a split listed weeks late heals whatever part is asked first", async () => {
  clock.set("2026-03-18T15:00:00Z");
  said.set("WEEKS", QUARTER);
  await ask("WEEKS", "2026-03-17");
  clock.set("2026-04-20T15:00:00Z");
  const span = (from: string, to: string) => `${P}/WEEKS?start_date=${from}&end_date=${to}`;
  await service.get(span("2026-04-10", "2026-04-17"));
  clock.set("2026-04-22T15:00:00Z");
  said.set("WEEKS", LISTED);
  // These days alone do not reach back to the split.
  const recent = (await service.get<Series>(span("2026-04-20", "2026-04-21"))).body;
  expect(closes(recent)).toEqual([74 / 4, 75 / 4]);
  // A gap before it does: its answer lists the split, and shows the stored bars that are without it.
  await service.get(span("2026-03-19", "2026-03-20"));
  const all = await ask("WEEKS", "2026-04-21");
  expect([closes(all), all.warnings]).toEqual([upTo(36, 4), []]);
});

test("a dividend listed after its ex date is applied to the adjusted closes stored meanwhile", async () => {
  clock.set("2026-03-11T15:00:00Z");
  said.set("PAYS", {});
  await ask("PAYS", "2026-03-04");
  clock.set("2026-03-18T15:00:00Z");
  const before = await ask("PAYS", "2026-03-17");
  expect(before.data.map(({ adjusted_close }) => adjusted_close)).toEqual(upTo(12));
  clock.set("2026-03-19T15:00:00Z");
  said.set("PAYS", { dividends: ["2026-03-13"] });
  const healed = await ask("PAYS", "2026-03-18");
  expect([closes(healed), healed.warnings]).toEqual([upTo(13), []]);
  // 48 was the last close before the dividend of 1, on the ninth day.
  for (const [i, { adjusted_close }] of healed.data.entries())
    expect(adjusted_close).toBeCloseTo((40 + i) * (i < 9 ? 47 / 48 : 1), 4);
  // Bars fetched later have it in them, and it is not applied twice.
  const again = await ask("PAYS", "2026-03-18", "&force_refresh=true");
  expect(again.data.map(({ adjusted_close }) => adjusted_close)).toEqual(
    healed.data.map(({ adjusted_close }) => expect.closeTo(adjusted_close ?? 0, 4)),
  );
  expect(await rows("SELECT * FROM bars_daily_revisions WHERE symbol = 'PAYS'")).toEqual([]);
});
