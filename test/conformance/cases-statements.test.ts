import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { FinancialDataResponse } from "../../src/capabilities/financial/schema.ts";
import { hasCases, openOnCases } from "../support/case-gateway.ts";
import type { TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const CASES = ["20", "22", "24", "25", "27", "28"];

if (!hasCases) test.skip("skipped: the cases of statements are absent (../shared/cases)", () => {});
else
  describe("cases of statements", () => {
    let service: TestService;
    beforeAll(async () => {
      service = await openOnCases(CASES, "2026-11-26T15:00:00Z");
    });
    afterAll(() => service.stop());
    const income = async (ticker: string, query = "") => {
      const path = `/api/v1/financial/data/${ticker}?include_metrics=false${query}`;
      const { status, body } = await service.get<FinancialDataResponse>(path);
      expect([path, status]).toEqual([path, 200]);
      return body.income_statement;
    };

    test.each([
      ["GAMBL", 83_062_000_000],
      ["MILLD", 19_857_200_000],
      ["MILLE", 19_857_200_000],
    ])(
      "case 20: revenue of %s is the whole, though a part stands under the tag of all revenues",
      async (ticker, whole) => {
        expect((await income(ticker))[0]?.revenue).toBe(whole);
      },
    );

    test("case 22: a fourth quarter in the annual report is a row beside the year", async () => {
      const rows = (await income("COSTA")).map(({ fiscal_period, net_income }) => [
        fiscal_period,
        net_income,
      ]);
      expect(rows).toContainEqual(["FY", 2_679_000_000]);
      expect(rows).toContainEqual(["Q4", 919_000_000]);
    });

    test.each([
      ["GEHLA", "", ["0003200006-26-000030", "0003200006-26-000020"]],
      ["GEHLA", "&as_of=2026-08-15", ["0003200006-26-000020"]],
      ["GEHLA", "&as_of=2026-05-15", []],
      ["GEHLB", "", ["0003200013-26-000020"]],
      ["GEHLC", "", ["0003200018-26-000020"]],
    ])("case 24: %s%s names the reports that the figures lack", async (ticker, query, lacking) => {
      const path = `/api/v1/financial/data/${ticker}?include_metrics=false${query}`;
      const { warning_details } = (await service.get<FinancialDataResponse>(path)).body;
      const named = warning_details.filter(({ code }) => code === "report_not_in_figures");
      expect(named.map(({ accession_number }) => accession_number)).toEqual(lacking);
      for (const { detail } of named) expect(detail).toMatch(/ of 2026-\d\d-\d\d is on file/);
    });

    test.each(["KANRA", "KANRB"])(
      "case 25: the years that %s tags in a 6-K have income and cash flow",
      async (ticker) => {
        const path = `/api/v1/financial/data/${ticker}?include_metrics=false&period_type=annual`;
        const { income_statement, cash_flow } = (await service.get<FinancialDataResponse>(path)).body;
        for (const rows of [income_statement, cash_flow])
          expect(rows.map(({ fiscal_year, fiscal_period }) => [fiscal_year, fiscal_period])).toEqual(
            expect.arrayContaining([
              [2025, "FY"],
              [2024, "FY"],
            ]),
          );
      },
    );

    test("case 28: a derived quarter has amounts, and neither earnings per share nor average shares", async () => {
      const [quarter] = (await income("JPMOR", "&include_derived=true")).filter(
        ({ basis }) => basis === "derived",
      );
      expect(quarter?.net_income).toBeNumber();
      expect(quarter).toMatchObject({ eps_diluted: null, weighted_average_shares_diluted: null });
    });

    test("case 27: twelve months of a year that ends in January, as known at each moment", async () => {
      const newest = async (query: string) => {
        const [row] = await income("JANRT", `&period_type=ttm${query}`);
        return [row?.period_start_date, row?.period_end_date, row?.revenue, row?.net_income, row?.basis];
      };
      const august = ["2025-08-03", "2026-08-01", 5_320_000_000, 532_000_000, "derived"];
      expect(await newest("")).toEqual(august);
      const may = ["2025-05-04", "2026-05-02", 5_260_000_000, 526_000_000, "derived"];
      expect(await newest("&as_of=2026-08-20")).toEqual(may);
      const year = ["2025-02-02", "2026-01-31", 5_200_000_000, 520_000_000, "reported"];
      expect(await newest("&as_of=2026-04-01")).toEqual(year);
    });
  });
