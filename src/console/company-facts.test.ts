import { expect, test } from "bun:test";
import { companyFacts } from "./company-facts.ts";

test("facts in one line, each with its unit; what is unknown is left out", () => {
  expect(
    companyFacts({
      name: "Zorp",
      cik: "0009079327",
      exchange: "Nasdaq",
      sector: "Technology",
      industry: null,
      sic_description: "Services",
      currency: "USD",
      market_cap: 1_671_767,
      market_cap_as_of: "2026-11-23T21:00:01Z",
      market_cap_currency: "CAD",
      fiscal_year_end: "12-31",
      former_names: [{ name: "Oldzo" }],
    }),
  ).toBe(
    "Nasdaq · Technology · CIK 0009079327 · fiscal year to 12-31 · market value 1,671,767 CAD on 2026-11-23 16:00 EST · prices in USD · formerly Oldzo",
  );
  expect(companyFacts({ name: "Zorp", cik: null, sector: null, sic_description: "Services" })).toBe(
    "Services",
  );
  expect(companyFacts({ name: null, cik: null, market_cap: 5, market_cap_currency: null })).toBe(
    "market value 5 (currency not stated)",
  );
  expect(companyFacts({ name: null, cik: "1" })).toBe("CIK 1");
});
