// A moment that a route does not know is ignored, and the answer says so in a header.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService();
});
afterAll(() => service.stop());

const warnings = async (path: string, body?: object): Promise<string[]> => {
  const response = await service.fetch(`/api/v1${path}`, {
    ...(body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  expect([path, response.status]).toEqual([path, 200]);
  return JSON.parse(response.headers.get("x-warnings") ?? "[]");
};
const IGNORED = (name: string) =>
  `This route has no ${name}: the parameter is ignored, and the answer is about now.`;

test("routes about now say that they ignore a moment, in a query, in a body, and beside other warnings", async () => {
  expect(await warnings("/price/quote/ZORP?as_of=2026-01-05")).toEqual([IGNORED("as_of")]);
  expect(await warnings("/price/quote/ZORP?as_of_date=2026-01-05")).toEqual([IGNORED("as_of_date")]);
  expect(await warnings("/company/bulk", { tickers: ["ZORP"], as_of: "2026-01-05" })).toEqual([
    IGNORED("as_of"),
  ]);
  const csv = "/price/intraday?tickers=ZORP,NOSUCH&format=csv";
  const plain = await warnings(csv);
  expect(plain.length).toBeGreaterThan(0);
  expect(await warnings(`${csv}&as_of=2026-01-05`)).toEqual([...plain, IGNORED("as_of")]);
});

test("routes with a moment, and requests without one, say nothing of it", async () => {
  expect(await warnings("/price/quote/ZORP")).toEqual([]);
  expect(await warnings("/price/quote/ZORP?note=as_of")).toEqual([]);
  const past = "start_date=2026-08-03&end_date=2026-08-28&as_of=2026-08-31";
  expect((await warnings(`/price/data?tickers=ZORP&format=csv&${past}`)).join()).not.toContain("ignored");
});
