// Lists of the sample market without rows say that nothing is there, in JSON and in rows.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ env: { SEC_USER_AGENT: "Test test@example.com" } });
});
afterAll(() => service.stop());

test.each([
  "/insider/transactions/ZORP?days=1&as_of=2023-01-01",
  "/insider/form4/ZORP?window_days=1&as_of=2023-01-01",
  "/ownership/13dg/ZORP?as_of=2023-01-01",
])("%s", async (path) => {
  const { body } = await service.get<{ count: number; warnings: string[] }>(`/api/v1${path}`);
  expect([body.count, body.warnings.some((text) => /^(nothing_there|not_read): \S/.test(text))]).toEqual([
    0,
    true,
  ]);
  const rows = await service.fetch(`/api/v1${path}&format=csv`);
  expect(JSON.parse(rows.headers.get("x-warnings") ?? "[]")).toEqual(body.warnings);
});
