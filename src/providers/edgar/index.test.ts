import { describe, expect, test } from "bun:test";
import { FAKE_AGENT, fakeEdgar } from "../../../test/support/fake-edgar.ts";
import { NotConfigured } from "../../platform/errors.ts";
import type { Edgar } from "./index.ts";

describe("the User-Agent", () => {
  const calls: [string, (provider: Edgar) => Promise<unknown>][] = [
    ["tickers", (e) => e.tickers()],
    ["listedTickers", (e) => e.listedTickers()],
    ["fundTickers", (e) => e.fundTickers()],
    ["submissions", (e) => e.submissions("4711")],
    ["olderFilings", (e) => e.olderFilings("4711", { name: "CIK0000004711-submissions-001.json" })],
    ["dailyIndex", (e) => e.dailyIndex("2026-03-06")],
    ["fullIndex", (e) => e.fullIndex(2026, 1)],
    ["currentFeed", (e) => e.currentFeed()],
    ["filingIndex", (e) => e.filingIndex({ accession_number: "0001234567-26-000089" })],
    ["filingHeader", (e) => e.filingHeader({ accession_number: "0001234567-26-000089" })],
    ["document", (e) => e.document({ accession_number: "0001234567-26-000089" }, "x.htm")],
    ["exhibit", (e) => e.exhibit({ accession_number: "0001234567-26-000089" }, "EX-99.1")],
    ["submissionText", (e) => e.submissionText({ accession_number: "0001234567-26-000089" })],
    ["nport", (e) => e.nport({ accession_number: "0001234567-26-000089" })],
    ["companyFacts", (e) => e.companyFacts("4711")],
    ["cashFlowElements", (e) => e.cashFlowElements({ accession_number: "0001234567-26-000089" })],
    ["search", (e) => e.search({ q: "x" })],
  ];
  test.each(calls)("%s without SEC_USER_AGENT sends nothing and names the setting", async (_name, call) => {
    const { provider, asked } = fakeEdgar(() => ({}), null);
    const error = await call(provider).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(NotConfigured);
    expect(error).toMatchObject({
      code: "not_configured",
      message: expect.stringContaining("SEC_USER_AGENT"),
    });
    expect((error as NotConfigured).facts.hint).toContain("Company contact@example.com");
    expect(asked()).toEqual([]);
  });

  test("the name goes with each request", async () => {
    const { provider, upstream } = fakeEdgar(() => ({
      body: { 0: { cik_str: 1, ticker: "ZQX", title: "Z" } },
    }));
    await provider.tickers();
    expect(upstream.requests[0]?.headers).toMatchObject({ "user-agent": FAKE_AGENT });
  });
});
