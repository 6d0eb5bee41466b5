import { describe, expect, test } from "bun:test";
import { chartBody, chartOf, epoch, type FakeRow } from "../../../../test/support/fake-chart.ts";

const row = (start: string, close: number | null): FakeRow => [start, close, close, close, close, 100, close];
const ROWS = [
  row("2026-03-06T14:30:00Z", 50),
  row("2026-03-09T13:30:00Z", 40),
  row("2026-03-10T13:30:00Z", 39.5),
];

const dividend = (start: string, amount: unknown, extra = {}) => ({ amount, date: epoch(start), ...extra });
const actions = async (events: unknown, rows: readonly FakeRow[] = ROWS, now?: string) =>
  (await chartOf({ body: chartBody({ rows, events }) }, {}, now)).actions;
const factor = async (events: unknown, rows?: readonly FakeRow[], now?: string) =>
  (await actions(events, rows, now)).map((action) => action.price_factor);

describe("corporate actions", () => {
  test("splits of both kinds, dividends and gains come by ex date", async () => {
    const found = await actions({
      dividends: { a: dividend("2026-03-10T13:30:00Z", 0.5) },
      capitalGains: { b: dividend("2026-03-10T13:30:00Z", 1.25) },
      splits: {
        c: { date: epoch("2026-03-09T13:30:00Z"), numerator: 3, denominator: 2, splitRatio: "3:2" },
        d: { date: epoch("2026-03-06T14:30:00Z"), numerator: 1, denominator: 10, splitRatio: "1:10" },
      },
    });
    expect(found).toEqual([
      {
        ex_date: "2026-03-06",
        kind: "split",
        amount: null,
        currency: null,
        numerator: 1,
        denominator: 10,
        price_factor: 10,
      },
      {
        ex_date: "2026-03-09",
        kind: "split",
        amount: null,
        currency: null,
        numerator: 3,
        denominator: 2,
        price_factor: 2 / 3,
      },
      {
        ex_date: "2026-03-10",
        kind: "capital_gain",
        amount: 1.25,
        currency: "USD",
        numerator: null,
        denominator: null,
        price_factor: null,
      },
      {
        ex_date: "2026-03-10",
        kind: "dividend",
        amount: 0.5,
        currency: "USD",
        numerator: null,
        denominator: null,
        price_factor: 1 - 0.5 / 40,
      },
    ]);
  });

  test("a gain has the factor that the provider's adjusted closes show, with a dividend of the day or alone", async () => {
    const adjusted = (factor: number): FakeRow[] => [
      ["2026-03-09T13:30:00Z", 40, 40, 40, 40, 100, 40 * factor],
      row("2026-03-10T13:30:00Z", 39.5),
    ];
    const gain = { capitalGains: { a: dividend("2026-03-10T13:30:00Z", 2) } };
    const both = { ...gain, dividends: { b: dividend("2026-03-10T13:30:00Z", 1) } };
    const factors = async (events: object, shown: number) =>
      (await factor(events, adjusted(shown))).map((each) => each && Number(each.toFixed(6)));
    // 2 of 40 dollars.
    expect(await factors(gain, 0.95)).toEqual([0.95]);
    // Not adjusted for by the provider.
    expect(await factors(gain, 1)).toEqual([1]);
    // Neither: unknown.
    expect(await factors(gain, 0.9)).toEqual([null]);
    // 3 of 40 dollars together; the dividend alone is 1 of 40.
    expect(await factors(both, 0.925)).toEqual([Number((0.925 / 0.975).toFixed(6)), 0.975]);
    // The dividend includes the gain.
    expect(await factors(both, 0.975)).toEqual([1, 0.975]);
  });

  test("the ex date is the event's own, not the key of the bar that holds it", async () => {
    const [found] = await actions({
      dividends: { [String(epoch("2026-01-01T05:00:00Z"))]: dividend("2026-03-10T13:30:00Z", 1) },
    });
    expect(found).toMatchObject({ ex_date: "2026-03-10", price_factor: 1 - 1 / 40 });
  });

  test("a factor requires a settled close before the ex date in the answer", async () => {
    const on = (start: string, amount = 1) => ({ dividends: { x: dividend(start, amount) } });
    expect(await factor(on("2026-03-06T14:30:00Z"))).toEqual([null]);
    expect(await factor(on("2026-03-09T13:30:00Z"))).toEqual([1 - 1 / 50]);
    // The day before the ex date has no close yet.
    const gap = [
      row("2026-03-06T14:30:00Z", 50),
      row("2026-03-09T13:30:00Z", null),
      row("2026-03-10T13:30:00Z", 39.5),
    ];
    expect(await factor(on("2026-03-10T13:30:00Z"), gap)).toEqual([null]);
    // Tomorrow's dividend, while today's bar still changes.
    expect(await factor(on("2026-03-11T13:30:00Z"), ROWS, "2026-03-10T21:00:00Z")).toEqual([null]);
    expect(await factor(on("2026-03-11T13:30:00Z"), ROWS, "2026-03-11T13:30:00Z")).toEqual([1 - 1 / 39.5]);
    // A payment of the whole price or more has no factor.
    expect(await factor(on("2026-03-09T13:30:00Z", 50))).toEqual([null]);
  });

  test("a dividend in another currency than the prices has no factor", async () => {
    const events = { dividends: { x: dividend("2026-03-10T13:30:00Z", 1, { currency: "EUR" }) } };
    expect(await actions(events)).toMatchObject([{ currency: "EUR", price_factor: null }]);
  });

  test("intraday answers give actions without factors", async () => {
    const rows = [row("2026-03-09T19:30:00Z", 40), row("2026-03-10T13:30:00Z", 39)];
    const events = { dividends: { x: dividend("2026-03-10T13:30:00Z", 1) } };
    const body = chartBody({ rows, events, meta: { dataGranularity: "30m" } });
    expect((await chartOf({ body }, { interval: "30m" })).actions).toMatchObject([
      { amount: 1, price_factor: null },
    ]);
  });

  test("a repeated event counts once; two payments on one day are two", async () => {
    const same = dividend("2026-03-10T13:30:00Z", 1);
    expect((await actions({ dividends: { a: same, b: same } })).length).toBe(1);
    const special = dividend("2026-03-10T13:30:00Z", 2);
    expect((await actions({ dividends: { a: same, b: special } })).map((a) => a.amount)).toEqual([1, 2]);
  });

  test("an entry that can be neither a split nor a payment is kept as listed and scales nothing", async () => {
    const on = { date: epoch("2026-03-10T13:30:00Z") };
    const odd = [
      { splits: { a: { ...on, numerator: 1, denominator: 0 } } },
      { splits: { a: { ...on, numerator: 0, denominator: 1 } } },
      { splits: { a: { ...on, numerator: null, denominator: 1 } } },
      { dividends: { a: { ...on, amount: -0.25 } } },
      { capitalGains: { a: { ...on, amount: "Infinity" } } },
    ];
    for (const events of odd) {
      const good = { splits: { z: { date: epoch("2026-03-06T14:30:00Z"), numerator: 2, denominator: 1 } } };
      expect(await actions({ ...events, splits: { ...events.splits, ...good.splits } })).toMatchObject([
        { kind: "split", ex_date: "2026-03-06", price_factor: 0.5 },
        { kind: "unusable", ex_date: "2026-03-10", price_factor: 1 },
      ]);
    }
    expect(await actions(odd[0])).toMatchObject([{ numerator: 1, denominator: 0, amount: null }]);
    expect(await actions(odd[3])).toMatchObject([{ numerator: null, denominator: null, amount: -0.25 }]);
  });

  test("an entry that cannot be read is kept on the day it is listed under; a list of none is another shape", async () => {
    const good = dividend("2026-03-06T14:30:00Z", 1);
    const under = `${epoch("2026-03-10T13:30:00Z")}`;
    for (const odd of [{ amount: 0.22 }, { ...good, date: "soon" }, { date: good.date }, null, 7])
      expect(await actions({ dividends: { z: good, [under]: odd } })).toMatchObject([
        { kind: "dividend", ex_date: "2026-03-06", amount: 1 },
        { kind: "unusable", ex_date: "2026-03-10", amount: null, price_factor: 1 },
      ]);
    // Neither its day nor its place: on the day of the last bar.
    expect(await actions({ dividends: { x: { amount: 1 } } })).toMatchObject([
      { kind: "unusable", ex_date: "2026-03-10" },
    ]);
    const undated = { a: { amount: 1 }, b: { amount: 1 } };
    await expect(actions({ dividends: undated })).rejects.toThrow("should be seconds of the epoch");
  });

  test("a split that is listed on neighbouring days counts once; another ratio or month is another", async () => {
    const split = (day: string, numerator: number) => ({
      [day + numerator]: { date: epoch(`${day}T14:30:00Z`), numerator, denominator: 1 },
    });
    const days = async (...splits: object[]) =>
      (await actions({ splits: Object.assign({}, ...splits) })).map(({ ex_date }) => ex_date);
    expect(await days(split("2026-03-06", 2), split("2026-03-05", 2))).toEqual(["2026-03-05"]);
    // Friday and Tuesday.
    expect(await days(split("2026-03-06", 2), split("2026-03-10", 2))).toEqual(["2026-03-06"]);
    expect(await days(split("2026-03-06", 2), split("2026-03-11", 2))).toHaveLength(2);
    expect(await days(split("2026-03-06", 2), split("2026-03-09", 3))).toHaveLength(2);
  });

  test("a gain within the dividend is subtracted once, where the fall of the price shows it", async () => {
    const listed = {
      dividends: { a: dividend("2026-03-10T13:30:00Z", 6) },
      capitalGains: { b: dividend("2026-03-10T13:30:00Z", 4) },
    };
    // The provider's adjusted closes are without both: 10 of 40 dollars.
    const rows = (close: number): FakeRow[] => [
      ["2026-03-09T13:30:00Z", 40, 40, 40, 40, 100, 30],
      row("2026-03-10T13:30:00Z", close),
    ];
    const adjusted = async (close: number) => {
      const { actions: found, bars } = await chartOf({
        body: chartBody({ rows: rows(close), events: listed }),
      });
      return [found[0]?.kind, found[0]?.price_factor?.toFixed(4), bars[0]?.adj_close?.toFixed(4)];
    };
    expect(await adjusted(34)).toEqual(["capital_gain", "1.0000", "34.0000"]);
    expect(await adjusted(33)).toEqual(["capital_gain", "1.0000", "34.0000"]);
    expect(await adjusted(30)).toEqual(["capital_gain", "0.8824", "30.0000"]);
    // Neither shows: as the provider has it.
    expect(await adjusted(32)).toEqual(["capital_gain", "0.8824", "30.0000"]);
    // Gains of short and of long term show as one.
    const [short, long] = [1.5, 2.5].map((amount) => dividend("2026-03-10T13:30:00Z", amount));
    const two = { ...listed, capitalGains: { b: short, c: long } };
    const both = await chartOf({ body: chartBody({ rows: rows(34), events: two }) });
    expect(both.bars[0]?.adj_close).toBeCloseTo(34, 9);
    expect(both.actions.filter(({ kind }) => kind === "capital_gain").map((a) => a.price_factor)).toEqual([
      1, 1,
    ]);
  });

  test.each([
    [{ splits: { x: { date: epoch("2026-03-10T13:30:00Z"), numerator: 4 } } }, "events.splits.x.denominator"],
    [{ splits: [4] }, "events.splits"],
    [{ dividends: { x: { date: epoch("2026-03-10T13:30:00Z") } } }, "events.dividends.x.amount"],
    [{ dividends: { x: { amount: 1 } } }, "events.dividends.x.date"],
    [{ capitalGains: { x: "1" } }, "events.capitalGains.x"],
  ])("%j, and every entry like it, is another shape", async (events, path) => {
    const [[name, entries] = ["", {}]] = Object.entries(events);
    const alike = "x" in entries ? { ...entries, y: entries.x } : entries;
    const failure = await actions({ [name]: alike }).catch((e: unknown) => e);
    expect(failure).toMatchObject({ name: "UpstreamMisread" });
    expect(String(failure)).toContain(`chart.chart.result[0].${path} `);
  });
});

describe("a split and the prices around it", () => {
  const split = (numerator: number, denominator: number) => ({
    splits: { a: { date: epoch("2026-03-09T13:30:00Z"), numerator, denominator } },
  });
  const rows = (before: number, open: number): FakeRow[] => [
    row("2026-03-06T14:30:00Z", before),
    ["2026-03-09T13:30:00Z", open, open, open, 1.2 * open, 100, open],
    row("2026-03-10T13:30:00Z", open),
  ];

  test("prices that jump by its ratio are not adjusted for it: the answer is rejected", async () => {
    for (const [n, d, before, open] of [
      [4, 1, 400, 101],
      [1, 10, 1.5, 15.3],
      [3, 2, 60, 39],
    ] as const)
      await expect(actions(split(n, d), rows(before, open))).rejects.toMatchObject({
        name: "UpstreamRefused",
        message: "Yahoo lists a split of ZQX on 2026-03-09 that its prices do not know of",
      });
  });

  test("adjusted prices are accepted, and a small split that an overnight move could hide", async () => {
    for (const [n, d, before, open] of [
      [4, 1, 100, 101],
      [4, 1, 100, 30],
      [1, 10, 15, 15.3],
      [5, 4, 50, 40],
    ] as const)
      expect((await actions(split(n, d), rows(before, open))).length).toBe(1);
    expect((await actions(split(4, 1), rows(400, 101).slice(1))).length).toBe(1);
    expect((await actions(split(4, 1), rows(400, 101).slice(0, 1))).length).toBe(1);
  });
});
