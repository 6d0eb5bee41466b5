// The sample's answers against recorded ones: the same keys at the same places. Values are never compared.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { serveSample } from "../serve.ts";

setDefaultTimeout(1_200_000);

const FOLDER = join(process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"), "yahoo");
type Json = Record<string, unknown>;

/** Recorded bodies of a kind whose first result `fits`. */
async function recorded(kind: string, fits: (result: Json) => boolean): Promise<Json[]> {
  const found: Json[] = [];
  for (const name of readdirSync(join(FOLDER, kind))) {
    if (!name.endsWith(".json") || name.endsWith(".meta.json")) continue;
    const body = JSON.parse(await Bun.file(join(FOLDER, kind, name)).text()) as Record<
      string,
      { result?: Json[] }
    >;
    const result = Object.values(body)[0]?.result?.[0];
    if (result && fits(result)) found.push(result);
  }
  return found;
}

/** Every path of keys in a value; array items and epoch keys are written `*`. */
function paths(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return value.slice(0, 3).flatMap((item) => paths(item, `${at}[]`));
  if (value === null || typeof value !== "object") return [at];
  return Object.entries(value).flatMap(([key, item]) =>
    paths(item, `${at}.${/^\d+$/.test(key) ? "*" : key}`),
  );
}
const pathsOf = (results: Json[]) => new Set(results.flatMap((result) => paths(result)));

/** Keys of the sample that no recording has, and keys that every recording has and the sample lacks. */
function differences(sample: Json, recordings: Json[]) {
  if (recordings.length === 0) return { unknown: [], missing: [] };
  const ours = pathsOf([sample]);
  const theirs = recordings.map((result) => pathsOf([result]));
  const [first = new Set<string>(), ...others] = theirs;
  const everywhere = others.reduce((common, next) => common.intersection(next), first);
  // Which events a recording has depends on its window.
  const unknown = [...ours.difference(pathsOf(recordings))].filter((key) => !key.startsWith(".events."));
  return { unknown, missing: [...everywhere.difference(ours)] };
}

if (!existsSync(join(FOLDER, "chart")) || !existsSync(join(FOLDER, "quote"))) {
  test("skipped: no recordings", () => expect(existsSync(join(FOLDER, "chart"))).toBe(false));
} else {
  describe("keys of the sample's answers are those of recorded ones", async () => {
    const clock = fakeClock("2026-06-10T15:00:00Z");
    const sample = await serveSample({ clock });
    const agent = { "user-agent": "Mozilla/5.0" };
    const ask = async (path: string, cookie = "") =>
      (
        await fetch(`${sample.url}/query1.finance.yahoo.com${path}`, { headers: { ...agent, cookie } })
      ).text();
    const first = (text: string): Json =>
      (Object.values(JSON.parse(text))[0] as { result: Json[] }).result[0] ?? {};
    const meta = (result: Json) => (result.meta ?? {}) as Json;
    const chart = async (query: string) => first(await ask(`/v8/finance/chart/ZORP?${query}`));
    const none = { unknown: [], missing: [] };
    // Answers before 2022 lack keys that all have since.
    const modern = (result: Json) => "fullExchangeName" in meta(result);
    const american = (result: Json) =>
      meta(result).exchangeTimezoneName === "America/New_York" && meta(result).instrumentType === "EQUITY";

    test("daily, with events", async () => {
      const recordings = await recorded(
        "chart",
        (r) => american(r) && modern(r) && meta(r).dataGranularity === "1d" && !!r.timestamp,
      );
      const ours = await chart("range=5y&interval=1d&events=div,split");
      expect(differences(ours, recordings)).toEqual(none);
      expect(Object.keys(ours)).toEqual(["meta", "timestamp", "events", "indicators"]);
    });

    test("intraday, both shapes of trading periods", async () => {
      const shaped = (extended: boolean) =>
        recorded(
          "chart",
          (r) =>
            american(r) &&
            (extended || modern(r)) &&
            Array.isArray(meta(r).tradingPeriods) !== extended &&
            !!meta(r).tradingPeriods &&
            !!r.timestamp,
        );
      expect(differences(await chart("range=1d&interval=1m"), await shaped(false))).toEqual(none);
      const { unknown, missing } = differences(
        await chart("range=1d&interval=30m&includePrePost=true"),
        await shaped(true),
      );
      expect(missing).toEqual([]);
      // The one recording of that shape is of 2021, before meta had the day's figures.
      expect(unknown.filter((key) => !key.startsWith(".meta."))).toEqual([]);
      expect(unknown).not.toContain(".meta.tradingPeriods.pre[][].start");
    });

    test("quotes, by market state", async () => {
      const cookie =
        (await fetch(`${sample.url}/fc.yahoo.com/`)).headers.getSetCookie()[0]?.split(";")[0] ?? "";
      const crumb = encodeURIComponent(await ask("/v1/test/getcrumb", cookie));
      for (const [at, state] of [
        ["2026-06-10T15:00:00Z", "REGULAR"],
        ["2026-06-10T21:00:00Z", "POST"],
        ["2026-06-10T12:00:00Z", "PRE"],
      ] as const) {
        clock.set(at);
        const recordings = await recorded(
          "quote",
          (r) =>
            r.marketState === state &&
            "typeDisp" in r &&
            "hasPrePostMarketData" in r &&
            r.market === "us_market" &&
            r.quoteType === "EQUITY" &&
            "regularMarketPrice" in r &&
            "regularMarketOpen" in r &&
            typeof r.regularMarketPrice === "number",
        );
        const ours = first(await ask(`/v7/finance/quote?symbols=ZORP&crumb=${crumb}`, cookie));
        expect({ state, ...differences(ours, recordings) }).toMatchObject({ state, unknown: [] });
        for (const key of [
          "regularMarketPrice",
          "regularMarketTime",
          "marketCap",
          "bid",
          "askSize",
          `${state.toLowerCase()}MarketPrice`,
        ])
          if (recordings.every((r) => key in r)) expect(Object.keys(ours)).toContain(key);
      }
      await sample.stop();
    });
  });
}
