// The regulator behind the sample's server: its paths, and the dials that strike it.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { serveSample } from "../serve.ts";

setDefaultTimeout(1_200_000);

const sample = await serveSample({ clock: fakeClock("2026-09-09T21:00:00Z") });
afterAll(() => sample.stop());
const TICKERS = "/www.sec.gov/files/company_tickers.json";
const ask = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${sample.url}${path}`, {
    headers: { "user-agent": "Tests tests@example.com", ...headers },
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
};

test("the three hosts answer through the gateway, and are counted", async () => {
  sample.resetTraffic();
  expect((await ask(TICKERS)).status).toBe(200);
  expect((await ask("/data.sec.gov/submissions/CIK0009079327.json")).status).toBe(200);
  expect((await ask("/efts.sec.gov/LATEST/search-index?ciks=0009079327")).status).toBe(200);
  expect((await ask("/www.sec.gov.example.com/files/company_tickers.json")).status).toBe(404);
  expect(sample.traffic().by_path["www.sec.gov/files/company_tickers.json"]).toBe(1);
});

test("an unchanged file costs no body", async () => {
  const first = await ask(TICKERS);
  const again = await ask(TICKERS, { "if-none-match": first.headers.get("etag") ?? "" });
  expect([again.status, again.body]).toEqual([304, ""]);
});

test("dials strike with the regulator's own pages", async () => {
  const struck = async (dial: Parameters<typeof sample.dials.set>[0][number]) => {
    sample.dials.set([{ match: "sec.gov", times: 1, ...dial }]);
    const { status, body } = await ask(TICKERS);
    return [status, /<title>SEC\.gov \| ([^<]+)/.exec(body)?.[1]];
  };
  expect(await struck({ fault: "rate_limited" })).toEqual([429, "Request Rate Threshold Exceeded"]);
  expect(await struck({ fault: "rate_limited", status: 403 })).toEqual([
    403,
    "Request Rate Threshold Exceeded",
  ]);
  expect(await struck({ fault: "html" })).toEqual([200, "File Unavailable"]);
  expect(await struck({ fault: "status", status: 503 })).toEqual([503, "File Unavailable"]);
  expect(await struck({ fault: "empty" })).toEqual([200, undefined]);
  expect(await struck({ fault: "status", status: 500, body: "own words" })).toEqual([500, undefined]);
  expect((await ask(TICKERS)).status).toBe(200);
});

test("a cut connection cuts the regulator's answer too", async () => {
  sample.dials.set([{ fault: "truncated", match: "900001.txt", times: 1 }]);
  const cut = fetch(
    `${sample.url}/www.sec.gov/Archives/edgar/data/9079327/000907932725900001/0009079327-25-900001.txt`,
    {
      headers: { "user-agent": "Tests tests@example.com" },
    },
  ).then((response) => response.text());
  await expect(cut).rejects.toThrow();
});
