// A moment that lies ahead is answered as of now, on every route that takes one, and the answer says so.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { ApiDocument, Operation } from "../support/api-document.ts";
import type { SampleService } from "../support/service.ts";
import { openWalked, walkedMarket } from "../support/walked-market.ts";

setDefaultTimeout(1_200_000);

const AHEAD = "2027-03-01";
const NEEDED: Readonly<Record<string, string>> = {
  tickers: "ZORP,KRONK",
  start_date: "2026-09-01",
  end_date: "2026-09-04",
  date: "2026-09-04",
};

let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  const walked = await walkedMarket();
  ({ document } = walked);
  service = await openWalked(walked);
});
afterAll(() => service.stop());

const takesAsOf = ({ parameters }: Operation) => parameters.some(({ name }) => name === "as_of");

function pathOf(operation: Operation, as_of: string): string {
  const path = operation.path
    .replace("{endpoint}", "series")
    .replace(/\{date\}/, "2026-09-04")
    .replace(/\{\w+\}/g, "ZORP");
  const query = new URLSearchParams({ as_of });
  for (const { name, required } of operation.parameters)
    if (required && NEEDED[name]) query.set(name, NEEDED[name]);
  if (operation.path.includes("/filings/search")) query.set("ticker", "ZORP");
  if (operation.path.includes("/proxy/")) query.set("series_id", "GDPX");
  return `${path}?${query}`;
}

test("every route that takes as_of", async () => {
  const operations = document.operations.filter((o) => o.method === "GET" && takesAsOf(o));
  expect(operations.length).toBeGreaterThan(25);
  let answered = 0;
  for (const operation of operations) {
    const startedMs = service.clock.nowMs();
    const { status, headers, body } = await service.get<{ as_of?: unknown }>(pathOf(operation, AHEAD));
    const now = await service.get(pathOf(operation, service.clock.now().toString()));
    expect([operation.path, status]).toEqual([operation.path, now.status]);
    expect([operation.path, now.headers.get("x-as-of")]).toEqual([operation.path, null]);
    if (status !== 200) continue;
    answered += 1;
    const saysMs = Temporal.Instant.from(headers.get("x-as-of") ?? "never").epochMilliseconds;
    expect(saysMs).toBeGreaterThanOrEqual(startedMs);
    expect(saysMs).toBeLessThanOrEqual(service.clock.nowMs());
    if (typeof body.as_of === "string")
      expect([operation.path, body.as_of.slice(0, 10) <= "2026-09-09"]).toEqual([operation.path, true]);
  }
  expect(answered).toBeGreaterThan(12);
});

test("in a body too", async () => {
  const ask = (as_of: string) =>
    service.post<{ count: number }>("/api/v1/price/data", { ticker: "ZORP", period: "7d", as_of });
  await service.post("/api/v1/price/data", { ticker: "ZORP", period: "7d" });
  const ahead = await ask(AHEAD);
  expect(ahead.status).toBe(200);
  expect(ahead.headers.get("x-as-of")).toStartWith("2026-09-09T");
  const today = await ask("2026-09-09");
  expect(today.headers.get("x-as-of")).toBeNull();
  expect(ahead.body.count).toBe(today.body.count);
});

test("dividends, which are asked for by day", async () => {
  const ask = (day: string) =>
    service.get<{ as_of_date: string; data: unknown[] }>(
      `/api/v1/dividends/calendar/ZORP?as_of_date=${day}&limit=3`,
    );
  const [ahead, today] = [await ask(AHEAD), await ask("2026-09-09")];
  expect(ahead.body.as_of_date).toBe("2026-09-09");
  expect(ahead.body.data).toEqual(today.body.data);
});
