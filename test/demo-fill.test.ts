// The demo's first minute: what a newcomer looks at is there without a POST.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { SUGGESTED } from "../sample/market.ts";
import { fillDemo } from "../scripts/demo-fill.ts";
import { openSampleService, type SampleService } from "./support/service.ts";

setDefaultTimeout(1_200_000);

const DAY = "2026-09-09";
const [KNOWN = ""] = SUGGESTED;
let service: SampleService;

beforeAll(async () => {
  service = await openSampleService({
    env: { SEC_USER_AGENT: "Asof tests tests@asof.example" },
    symbols: 12,
  });
});
afterAll(() => service?.stop());

const get = async <T>(path: string) => (await service.get<T>(`/api/v1${path}`)).body;

test("a search by name, short volume, short interest, news, scores and listings with their worth", async () => {
  await fillDemo(
    async (path, body) => {
      const at = `/api/v1${path}`;
      const answer = body === undefined ? await service.get(at) : await service.post(at, body);
      expect([path, answer.status]).toEqual([path, answer.status < 300 ? answer.status : 200]);
      return answer.body;
    },
    DAY,
    20,
  );
  const found = await get<{ data: { ticker: string }[] }>("/universe/registry?q=zorp%20dyn");
  expect(found.data[0]?.ticker).toBe(KNOWN);
  const short = await get<{ total: number; last_date: string; warnings: string[] }>(
    `/shortvolume/${KNOWN}?start_date=2026-08-20&end_date=${DAY}`,
  );
  // Thirteen sessions from 20 August to the 8th; the file of the 9th comes in the evening.
  expect([short.total, short.last_date]).toEqual([13, "2026-09-08"]);
  expect(short.warnings).toEqual([]);
  const interest = await get<{ count: number }>(`/shortvolume/short-interest/${KNOWN}`);
  expect(interest.count).toBeGreaterThan(0);
  const news = await get<{ count: number }>(`/news/${KNOWN}?days=30`);
  expect(news.count).toBeGreaterThan(0);
  const score = await get<{ data: { score: number | null }[] }>(`/overlay/score/${KNOWN}`);
  expect(score.data[0]?.score).toBeGreaterThan(0);
  const listings = await get<{ total: number }>(`/universe/screen?date=${DAY}`);
  expect(listings.total).toBe(10);
});

test("a part that fails leaves the others", async () => {
  const asked: [path: string, body: unknown][] = [];
  await fillDemo(async (path, body) => {
    asked.push([path, body]);
    throw new Error("no");
  }, DAY);
  expect(asked.length).toBe(6);
  expect(asked[1]).toEqual(["/shortvolume/admin/ingest", { start_date: "2026-06-11", end_date: DAY }]);
});
