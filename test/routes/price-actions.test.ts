// The job `corporate-actions`: one list of the whole market puts stored series on the basis of a new session.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Many {
  bars: Record<string, { date: string; close: number; adjusted_close: number | null }[]>;
  adjusted_through: Record<string, string | null>;
}

const KEYS = { MARKETFEED_API_KEY: "sample-key", MARKETFEED_SECRET_KEY: "sample-secret" };
const BEFORE = "2026-06-05T21:00:00Z";
const EX_DATE = "2026-06-09";
/** An hour and a half after the open of the ex date. */
const AFTER = `${EX_DATE}T15:00:00Z`;
const WINDOW = "start_date=2026-06-01&end_date=2026-06-03";

let service: SampleService;
afterEach(() => service.stop());

const openBefore = async (env: Record<string, string> = {}) => {
  service = await openSampleService({ at: BEFORE, env });
};
const ask = async (more = "") =>
  (await service.get<Many>(`/api/v1/price/data?tickers=ZORP,OBBLQ&${WINDOW}${more}`)).body;
const readList = () => service.app().jobs.runNow("corporate-actions").done;
/** Requests for the bars of a symbol since the last reset. */
const asked = (symbol: string) =>
  Object.entries(service.sample.traffic().by_path).filter(([path]) => path.endsWith(`/${symbol}`)).length;
const closes = ({ bars }: Many, symbol: string) => bars[symbol]?.map(({ close }) => close) ?? [];

test("a stored window is on the new basis after the list named its symbol, and no other symbol is asked", async () => {
  await openBefore();
  const before = await ask();
  service.clock.set(AFTER);
  service.sample.resetTraffic();
  expect(await readList()).toMatchObject({ outcome: "succeeded", rows: 1 });
  expect([asked("ZORP") > 0, asked("OBBLQ")]).toEqual([true, 0]);
  const after = await ask("&stored_only=true");
  expect(after.adjusted_through).toEqual({ ZORP: EX_DATE, OBBLQ: "2026-06-05" });
  const quarters = closes(before, "ZORP").map((close) => close / 4);
  expect(quarters.length).toBe(3);
  for (const [i, close] of closes(after, "ZORP").entries()) expect(close).toBeCloseTo(quarters[i] ?? 0, 2);
  expect(closes(after, "OBBLQ")).toEqual(closes(before, "OBBLQ"));
  // Stored actions are not asked for with the next list.
  service.clock.set("2026-06-10T15:00:00Z");
  service.sample.resetTraffic();
  expect(await readList()).toMatchObject({ outcome: "succeeded", rows: 0 });
  expect(asked("ZORP")).toBe(0);
});

test("while the list is down stored answers state their own basis, and the run has failed", async () => {
  await openBefore();
  const before = await ask();
  service.clock.set(AFTER);
  service.sample.dials.set([{ fault: "status", status: 503, match: "visualization" }]);
  const run = await readList();
  expect(run).toMatchObject({ outcome: "failed" });
  expect(run?.error).toContain("yahoo");
  const during = await ask();
  expect(during.adjusted_through).toEqual({ ZORP: "2026-06-05", OBBLQ: "2026-06-05" });
  expect(during.bars).toEqual(before.bars);
  service.sample.dials.clear();
  expect(await readList()).toMatchObject({ outcome: "succeeded", rows: 1 });
});

test("the brokerage feed's list is read where its keys are set, and names dividends too", async () => {
  await openBefore(KEYS);
  const window = "2026-06-01 2026-06-03".split(" ");
  const path = `/api/v1/price/data?tickers=WUZZL,ZORP&start_date=${window[0]}&end_date=${window[1]}`;
  const before = (await service.get<Many>(path)).body;
  const listing = service.sample.market.listing("WUZZL");
  const paid =
    listing &&
    service.sample.market
      .history(listing)
      .actions.find(({ kind, date }) => kind === "dividend" && date > "2026-06-05");
  if (paid?.kind !== "dividend") throw new Error("the sample market pays no dividend");
  service.clock.set(`${paid.date}T15:00:00Z`);
  service.sample.resetTraffic();
  expect((await readList())?.outcome).toBe("succeeded");
  const paths = Object.keys(service.sample.traffic().by_path);
  expect(paths.filter((one) => /visualization|yahoo/.test(one))).toEqual([]);
  const after = (await service.get<Many>(`${path}&stored_only=true`)).body;
  expect(after.adjusted_through.WUZZL).toBe(paid.date);
  expect(closes(after, "WUZZL")).toEqual(closes(before, "WUZZL"));
  const now = (await service.get<Many>(`${path}&force_refresh=true`)).body;
  for (const [i, bar] of (after.bars.WUZZL ?? []).entries()) {
    expect(bar.adjusted_close).toBeLessThan(before.bars.WUZZL?.[i]?.adjusted_close ?? 0);
    expect(bar.adjusted_close).toBeCloseTo(now.bars.WUZZL?.[i]?.adjusted_close ?? 0, 2);
  }
});
