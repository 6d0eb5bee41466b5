// Whether a company has one class of shares, as its records and the covers of its reports show it.
import { describe, expect, test } from "bun:test";
import { type MadeFigure, madeBalance, madeCompany } from "../../../test/support/company-facts.ts";
import { normaliseFacts } from "../../providers/edgar/index.ts";
import { reportsOneClass } from "./answers.ts";
import { pricedSymbol } from "./priced-symbol.ts";
import { knownFacts } from "./statements/present.ts";

const COVER = "dei:EntityCommonStockSharesOutstanding";
const cover = (day: string): MadeFigure => [COVER, 5e6, null, day, "shares"];
const year = (form: string, filed: string, end: string, figures: readonly MadeFigure[] = []) => ({
  accn: `0000001234-${filed.slice(2, 4)}-${filed.slice(5).replace("-", "00")}`,
  form,
  filed,
  figures: [...madeBalance(90e6, end), ...figures],
});
const factsOf = (...filings: Parameters<typeof madeCompany>[0]) => normaliseFacts(madeCompany(filings)).facts;
const at = (moment: string) => Temporal.Instant.from(moment);

describe("the cover of the newest report", () => {
  const facts = factsOf(
    year("10-K", "2023-02-10", "2022-12-31", [cover("2023-01-31")]),
    year("10-K", "2024-02-12", "2023-12-31"),
    year("10-K", "2025-02-14", "2024-12-31", [cover("2025-01-31")]),
  );
  const cik = facts[0]?.cik ?? "";
  const oneClass = (moment: string) => reportsOneClass(knownFacts(facts, at(moment)), cik);

  test("says that there is one class when it has a single count, by the reports of then alone", () => {
    expect(oneClass("2023-02-01T00:00:00Z")).toBe(false);
    expect(oneClass("2023-03-01T00:00:00Z")).toBe(true);
    // The newest report of then gives no single count: a second class may have come since the year before.
    expect(oneClass("2024-03-01T00:00:00Z")).toBe(false);
    expect(oneClass("2025-03-01T00:00:00Z")).toBe(true);
  });

  test("says nothing in a report of a predecessor or of a foreign company", () => {
    expect(reportsOneClass(facts, "0000009999")).toBe(false);
    const foreign = factsOf(year("20-F", "2023-04-10", "2022-12-31", [cover("2022-12-31")]));
    expect(reportsOneClass(foreign, foreign[0]?.cik ?? "")).toBe(false);
  });
});

describe("prices of a symbol", () => {
  const filer = { is_listed: true, is_replaced: false };
  const unknown = { share_classes: null };

  test("are used without stored classes only when the newest report of then shows one class", () => {
    const of = (hasOneClass: boolean, share_classes: { ticker: string }[] | null = null) =>
      pricedSymbol({ symbol: "ACME", company: { share_classes }, filer, past: { hasOneClass } });
    expect(of(true)).toEqual({ symbol: "ACME" });
    expect(of(false)).toEqual({
      why: "No stored list or record says which classes of shares the company had at as_of, and the cover of its newest report of then gives no single count of shares.",
    });
    // Stored classes decide alone.
    expect(of(true, [{ ticker: "ACME.B" }])).toEqual({
      why: expect.stringMatching(/several classes of shares \(also ACME\.B\)/),
    });
    expect(of(false, [])).toEqual({ symbol: "ACME" });
  });

  test("are not used when the symbol is no ordinary share or the company lost it", () => {
    const past = { hasOneClass: true };
    expect(pricedSymbol({ symbol: "ACME.WS", company: unknown, filer, past })).toEqual({
      why: "ACME.WS is not an ordinary share.",
    });
    expect(
      pricedSymbol({ symbol: "ACME", company: unknown, filer: { ...filer, is_listed: false }, past }),
    ).toEqual({ why: "Stored prices of ACME may not be those of the company that had it at as_of." });
  });
});
