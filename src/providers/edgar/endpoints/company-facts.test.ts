import { expect, test } from "bun:test";
import { fakeEdgar, missing } from "../../../../test/support/fake-edgar.ts";

test("company facts as they come; null where there are none", async () => {
  const { provider, asked } = fakeEdgar(() => ({ body: '{"facts":{}}' }));
  const facts = await provider.companyFacts("4711");
  expect(new TextDecoder().decode(facts?.bytes)).toBe('{"facts":{}}');
  expect(facts?.received_at).toBe("2026-03-10T15:00:00Z");
  expect(asked()).toEqual(["https://data.sec.gov/api/xbrl/companyfacts/CIK0000004711.json"]);
  expect(await fakeEdgar(() => missing(404)).provider.companyFacts("4711")).toBeNull();
});
