import { describe, expect, test } from "bun:test";
import { type MadeFiling, madeCompany, madeYear } from "../../../../test/support/company-facts.ts";
import { type FinancialFact, normaliseFacts } from "../../../providers/edgar/index.ts";

const factsOf = (filings: readonly MadeFiling[]) => normaliseFacts(madeCompany(filings)).facts;
const flagged = (facts: readonly FinancialFact[]) =>
  facts.filter(({ flags }) => flags.length > 0).map((f) => `${f.line} ${f.period_end} ${f.value} ${f.flags}`);
const SHARES = "WeightedAverageNumberOfDilutedSharesOutstanding";
const history = [2018, 2019, 2020].flatMap((year) => madeYear(year, year * 1e6));

describe("figures of another size or place than those before them", () => {
  test("a cost that may grow is doubted only where it is just a thousand times what steady ones were", () => {
    const researched = (last: number) =>
      history.map((filing, nth): MadeFiling => {
        const [, revenue = 0, start = null, end = ""] = filing.figures[0] ?? [];
        const value = nth === history.length - 1 ? last : revenue / 10;
        return {
          ...filing,
          figures: [...filing.figures, ["ResearchAndDevelopmentExpense", value, start, end]],
        };
      });
    const doubted = (last: number) =>
      flagged(factsOf(researched(last))).map((text) => text.replace("2020-12-31 ", ""));
    expect(doubted(808e6)).toEqual([]);
    expect(doubted(808e3)).toEqual(["research_and_development 808000 suspect_scale"]);
    expect(doubted(808e9)).toEqual(["research_and_development 808000000000 suspect_scale"]);
    expect(doubted(400e3)).toEqual([]);
  });

  test("a count and earnings per share in each other's place are both doubted beside another count", () => {
    const exchanged = history.map((filing, nth): MadeFiling => {
      if (nth < history.length - 1) return filing;
      const [each, count] = [SHARES, "EarningsPerShareDiluted"].map(
        (tag) => filing.figures.find((one) => one[0] === tag)?.[1] ?? 0,
      );
      const typed: Readonly<Record<string, number | undefined>> = {
        EarningsPerShareDiluted: each,
        [SHARES]: count,
      };
      const basic = filing.figures
        .filter(([tag]) => tag === SHARES)
        .map(
          ([, value, ...rest]) => ["WeightedAverageNumberOfSharesOutstandingBasic", value, ...rest] as const,
        );
      return {
        ...filing,
        figures: [
          ...filing.figures.map(([tag, value, ...rest]) => [tag, typed[tag] ?? value, ...rest] as const),
          ...basic,
        ],
      };
    });
    expect(flagged(factsOf(exchanged)).map((text) => text.split(" ")[0])).toEqual([
      "eps_diluted",
      "weighted_average_shares_diluted",
    ]);
  });
});
