import { describe, expect, test } from "bun:test";
import { BalanceRow, CashFlowRow, HEAD, IncomeRow, Metric } from "./schema-rows.ts";

const LINES = new Set(
  [IncomeRow, BalanceRow, CashFlowRow].flatMap(({ properties }) =>
    Object.keys(properties).filter((name) => !(name in HEAD)),
  ),
);
/** The text of each metric, which stands beside its null. */
const TEXTS = Object.entries<object>(Metric.properties).map(([name, schema]) => {
  const [number] = "anyOf" in schema ? (schema.anyOf as readonly { readonly description?: string }[]) : [];
  return [name, number?.description ?? ""] as const;
});
const RATIOS = TEXTS.filter(
  ([name]) => !(name in HEAD || /^(?:null_reasons|derived_operands|free_cash_flow)$|_growth_/.test(name)),
);

describe("the text of a ratio", () => {
  test.each(RATIOS)("%s says what it divides by what", (name, description) => {
    expect(description).toMatch(/[a-z_)] \/ [(a-z]/);
    const named = description.match(/[a-z]+(?:_[a-z]+)+/g) ?? [];
    const unknown = named.filter((word) => !LINES.has(word) && !(word in Metric.properties));
    expect([name, unknown]).toEqual([name, []]);
  });

  test("there are many, and return on equity names the owners of both sides", () => {
    expect(RATIOS.length).toBeGreaterThan(14);
    expect(Object.fromEntries(TEXTS).roe).toContain(
      "net_income / parent_equity, both of the parent's shareholders; without parent_equity net_income_with_noncontrolling / total_equity, both of all owners",
    );
  });
});

test("every row of a statement says its split basis", () => {
  for (const { required } of [IncomeRow, BalanceRow, CashFlowRow]) expect(required).toContain("split_basis");
});
