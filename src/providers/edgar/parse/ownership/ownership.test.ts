// Forms 3, 4 and 5 made by hand: what real filers do, and what must come of it.
import { describe, expect, test } from "bun:test";
import {
  type ExampleForm,
  type ExampleOwner,
  type ExampleTrade,
  formXml,
} from "../../../../../test/support/ownership-forms.ts";
import { isUnread, type OwnershipForm } from "../../ownership-records.ts";
import { parseOwnershipXml } from "./ownership.ts";

function parse(form: ExampleForm | string = {}): OwnershipForm {
  const read = parseOwnershipXml(typeof form === "string" ? form : formXml(form));
  if (isUnread(read)) throw new Error(`${read.failed}: ${read.message}`);
  return read;
}
const trade = (one: ExampleTrade = {}, form: ExampleForm = {}) =>
  parse({ ...form, trades: [one] }).transactions[0];
const owner = (one: ExampleOwner, form: ExampleForm = {}) => parse({ ...form, owners: [one] }).owners[0];
const codes = (form: OwnershipForm) => form.warnings.map(({ code }) => code);

describe("the form", () => {
  test("a purchase, field by field", () => {
    const form = parse();
    expect(form).toMatchObject({
      form_type: "4",
      schema_version: "X0508",
      is_amendment: false,
      date_of_original_submission: null,
      period_of_report: "2024-03-01",
      issuer: { cik: "0000320193", name: "Acme Corp", symbol: "ACME" },
      aff10b5_one: null,
      signatures: [{ name: "/s/ Jane Doe", date: "2024-03-04" }],
      warnings: [],
    });
    expect(form.transactions[0]).toMatchObject({
      line: 1,
      security_type: "non_derivative",
      security_title: "Common Stock",
      transaction_date: "2024-03-01",
      transaction_code: "P",
      transaction_type: "buy",
      acquired_disposed: "A",
      shares: 100,
      price_per_share: 10,
      transaction_value: 1_000,
      shares_owned_after: 1_100,
      ownership_nature: "D",
      purchase_pct_of_holding: 10,
      is_10b5_1: null,
    });
  });

  test("joint filers: one trade, all owners", () => {
    const form = parse({
      owners: [
        { cik: "2", name: "Fund LP", tenPercent: "true" },
        { cik: "1", name: "Doe Jane", director: "1" },
      ],
    });
    expect(form.transactions).toHaveLength(1);
    expect(form.owners.map(({ cik, relationship }) => [cik, relationship])).toEqual([
      ["0000000002", "10% owner"],
      ["0000000001", "director"],
    ]);
  });

  test("an amendment's trade has the key of the one it corrects, whatever the order of the owners", () => {
    const [one, two] = [
      { cik: "1", name: "A" },
      { cik: "2", name: "B" },
    ];
    const original = parse({ owners: [one, two] });
    const amended = parse({
      type: "4/A",
      original: "2024-03-04",
      owners: [two, one],
      trades: [{ shares: "90", title: "COMMON  STOCK" }],
    });
    expect(amended).toMatchObject({
      form_type: "4/A",
      is_amendment: true,
      date_of_original_submission: "2024-03-04",
    });
    expect(amended.transactions[0]?.trade_key).toBe(original.transactions[0]?.trade_key ?? "none");
    const other = parse({ owners: [one, two], trades: [{ date: "2024-03-02" }] });
    expect(other.transactions[0]?.trade_key).not.toBe(original.transactions[0]?.trade_key);
  });

  test("days lose their zone; an impossible one is null with a warning", () => {
    expect(trade({ date: "2024-07-19-05:00" })?.transaction_date).toBe("2024-07-19");
    const form = parse({ trades: [{ date: "0024-07-19" }] });
    expect([form.transactions[0]?.transaction_date, codes(form)]).toEqual([null, ["bad_date"]]);
  });

  test("a price given only by a footnote is null, and so is the value", () => {
    const [one] = parse({
      trades: [{ price: null, notes: { price: "F1" } }],
      footnotes: { F1: "Weighted average." },
    }).transactions;
    expect(one).toMatchObject({
      price_per_share: null,
      transaction_value: null,
      shares: 100,
      footnotes: ["F1"],
    });
  });

  test("a purchase at 0 has no value; an award at 0 is worth 0", () => {
    expect(trade({ price: "0" })).toMatchObject({ price_per_share: 0, transaction_value: null });
    expect(trade({ price: "0", code: "A" })).toMatchObject({
      transaction_type: "award",
      transaction_value: 0,
    });
  });

  test("words instead of a number are null, with a warning", () => {
    const form = parse({ trades: [{ price: "see note" }] });
    expect([form.transactions[0]?.price_per_share, codes(form)]).toEqual([null, ["bad_number"]]);
  });

  test("without coding the trade is there, of no type", () => {
    const form = parse({ trades: [{ code: null }] });
    expect(form.transactions[0]).toMatchObject({
      transaction_code: null,
      transaction_type: "other",
      shares: 100,
      is_equity_swap: null,
    });
    expect(codes(form)).toEqual(["no_coding"]);
  });

  test.each([
    ["P", "buy"],
    ["S", "sell"],
    ["A", "award"],
    ["M", "exercise"],
    ["C", "exercise"],
    ["O", "exercise"],
    ["X", "exercise"],
    ["G", "gift"],
    ["F", "tax"],
    ["D", "other"],
    ["I", "other"],
    ["J", "other"],
    ["L", "other"],
    ["W", "other"],
    ["U", "other"],
    ["E", "other"],
  ] as const)("code %s is %s", (code, type) => {
    expect(trade({ code, way: code === "S" ? "D" : "A" })?.transaction_type).toBe(type);
  });

  test("a purchase ticked as disposed of stays a purchase, with a warning", () => {
    const form = parse({ trades: [{ way: "D" }] });
    expect(form.transactions[0]).toMatchObject({
      transaction_type: "buy",
      acquired_disposed: "D",
      purchase_pct_of_holding: 10,
    });
    expect(codes(form)).toEqual(["code_contradicts_direction"]);
  });

  test("boxes: 1, true and Y tick, 0, false and nothing do not", () => {
    for (const [value, ticked] of [
      ["1", true],
      ["true", true],
      ["TRUE", true],
      ["Y", true],
      ["0", false],
      ["false", false],
    ] as const)
      expect(owner({ director: value })?.is_director).toBe(ticked);
    expect(owner({})).toMatchObject({ is_director: false, relationship: "", is_ceo: false });
  });
});

describe("owners", () => {
  test("relationships in words", () => {
    expect(owner({ director: "1", officer: "1", title: "Chief Executive Officer" })).toMatchObject({
      relationship: "director, officer: Chief Executive Officer",
      is_ceo: true,
      is_cfo: false,
      is_c_suite: true,
    });
    expect(owner({ other: "1", otherText: "Trustee", tenPercent: "1" })?.relationship).toBe(
      "10% owner, other: Trustee",
    );
    expect(owner({ officer: "1" })).toMatchObject({
      relationship: "officer",
      officer_title: null,
      is_ceo: null,
      is_c_suite: null,
    });
  });

  test.each([
    ["See Remarks", "Chief Financial Officer", {}, "Chief Financial Officer"],
    ["See Remarks", "Title: EVP, Chief Executive Officer.", {}, "EVP, Chief Executive Officer"],
    [
      "See remarks below",
      "Exhibit 24 - Power of Attorney. Officer title: President and Chief Financial Officer",
      {},
      "President and Chief Financial Officer",
    ],
    [
      "See Explanation of Responses",
      undefined,
      { F1: "Senior Vice President and Chief Financial Officer" },
      "Senior Vice President and Chief Financial Officer",
    ],
    [
      "See footnote (2)",
      "none",
      { F1: "Chief Executive Officer", F2: "Chief Accounting Officer" },
      "Chief Accounting Officer",
    ],
  ] as const)("%s is followed", (title, remarks, footnotes, found) => {
    const form: ExampleForm = remarks === undefined ? { footnotes } : { remarks, footnotes };
    expect(owner({ officer: "1", title }, form)).toMatchObject({
      officer_title: found,
      officer_title_filed: title,
    });
  });

  test("remarks that tell of something else leave the office unknown", () => {
    expect(
      owner({ officer: "1", title: "See Remarks" }, { remarks: "Exhibit List: Exhibit 24" }),
    ).toMatchObject({
      officer_title: "See Remarks",
      is_ceo: null,
      is_cfo: null,
      is_c_suite: null,
    });
  });

  test("remarks about several owners belong to none of them", () => {
    const owners = [
      { cik: "1", officer: "1", title: "See Remarks" },
      { cik: "2", officer: "1", title: "CFO" },
    ];
    expect(
      parse({ owners, remarks: "Chief Executive Officer" }).owners.map(({ is_ceo, is_cfo }) => [
        is_ceo,
        is_cfo,
      ]),
    ).toEqual([
      [null, null],
      [false, true],
    ]);
  });
});

describe("what purchases add to the holding", () => {
  const percents = (...trades: ExampleTrade[]) =>
    parse({ trades }).transactions.map((one) => one.purchase_pct_of_holding);

  test("one lot, a new position, one that cannot be", () => {
    expect(percents({ shares: "800000", after: "14389960" })[0]).toBeCloseTo(5.886698709929978, 12);
    expect(percents({ shares: "100", after: "100" })).toEqual([null]);
    const form = parse({ trades: [{ shares: "100", after: "40" }] });
    expect([form.transactions[0]?.purchase_pct_of_holding, codes(form)]).toEqual([
      null,
      ["holding_does_not_add_up"],
    ]);
  });

  test("lots that chain, in either order, or repeat the total, say the same", () => {
    const chain = [
      { shares: "100", after: "1100" },
      { shares: "200", after: "1300" },
      { shares: "200", after: "1500" },
    ];
    expect(percents(...chain)).toEqual([50, 50, 50]);
    expect(percents(...chain.toReversed())).toEqual([50, 50, 50]);
    expect(percents(...chain.map((one) => ({ ...one, after: "1500" })))).toEqual([50, 50, 50]);
    expect(percents(chain[1] ?? {}, chain[0] ?? {}, chain[2] ?? {})).toEqual([50, 50, 50]);
    const byDay = [
      { shares: "100", after: "1300", date: "2024-03-01" },
      { shares: "200", after: "1300", date: "2024-03-01" },
      { shares: "200", after: "1500", date: "2024-03-04" },
    ];
    expect(percents(...byDay)).toEqual([50, 50, 50]);
  });

  test("buckets are not mixed: direct, by trust, by another trust, another class", () => {
    expect(
      percents(
        { shares: "100", after: "1100" },
        { shares: "100", after: "200", nature: "I", how: "By Trust" },
        { shares: "100", after: "500", nature: "I", how: "See footnote", notes: { how: "F1" } },
        { shares: "100", after: "300", nature: "I", how: "See footnote", notes: { how: "F2" } },
        { shares: "100", after: "1100", title: "Class B" },
      ),
    ).toEqual([10, 100, 25, 50, 10]);
  });

  test("sales and awards have none; what is exercised before a purchase was held", () => {
    expect(percents({ code: "S", way: "D" }, { code: "A" })).toEqual([null, null]);
    expect(
      percents({ code: "M", shares: "500", after: "1500" }, { code: "P", shares: "150", after: "1650" }),
    ).toEqual([null, 10]);
  });

  test("figures that fit no order are no percentage; days apart they need not fit", () => {
    expect(percents({ shares: "100", after: "1100" }, { shares: "100", after: "1307" })).toEqual([
      null,
      null,
    ]);
    expect(
      percents(
        { shares: "100", after: "1100", date: "2024-03-01" },
        { shares: "100", after: "1207", date: "2024-03-04" },
      ),
    ).toEqual([20, 20]);
  });
});

describe("10b5-1", () => {
  const plans = (trades: readonly ExampleTrade[], form: ExampleForm = {}) =>
    parse({ ...form, trades }).transactions.map((one) => one.is_10b5_1);
  const S: ExampleTrade = { code: "S", way: "D" };
  const PLAN = "Effected pursuant to a Rule 10b5-1 trading plan.";

  test("the box goes before the footnotes", () => {
    const cited = { ...S, notes: { price: "F1" } };
    expect(plans([S], { box: "1" })).toEqual([true]);
    expect(plans([S], { box: "0" })).toEqual([false]);
    const form = parse({ box: "false", trades: [cited], footnotes: { F1: PLAN } });
    expect([form.transactions[0]?.is_10b5_1, codes(form)]).toEqual([false, ["box_contradicts_footnote"]]);
  });

  test("a ticked box covers the lines a footnote names, else market trades, else all", () => {
    expect(plans([{ ...S, notes: { title: "F1" } }, S], { box: "1", footnotes: { F1: PLAN } })).toEqual([
      true,
      null,
    ]);
    expect(plans([S, { code: "F", way: "D" }], { box: "1" })).toEqual([true, null]);
    expect(plans([{ code: "M" }, { code: "F", way: "D" }], { box: "1" })).toEqual([true, true]);
  });

  test.each([
    ["the price's", { price: "F1" }],
    ["the coding's", { coding: "F1" }],
    ["the title's", { title: "F1" }],
  ])("without a box, %s footnote decides", (_what, notes) => {
    expect(plans([{ ...S, notes }, S], { footnotes: { F1: PLAN } })).toEqual([true, null]);
  });

  test.each([
    "The sales reported on this Form 4 were effected pursuant to a Rule 10b5-1 trading plan.",
    "All transactions described herein were made under a 10b5-1 plan.",
  ])("a footnote about all trades covers those of its code: %s", (F1) => {
    expect(
      plans([{ ...S, notes: { price: "F1" } }, S, { code: "F", way: "D" }], { footnotes: { F1 } }),
    ).toEqual([true, true, null]);
    expect(plans([S, { code: "M" }], { footnotes: { F1 } })).toEqual([true, null]);
  });

  test.each([
    ["This sale was not made pursuant to a Rule 10b5-1 plan.", false],
    ["Sold outside of the 10b5-1 plan.", false],
    ["Sold under a 10b-5-1 plan", true],
    ["Sold under a 10b5\u20111 plan", true],
    ["Sold under a Rule 10b5(1) plan", true],
    ["The plan satisfies Rule 10b-5.", null],
    ["Weighted average price.", null],
  ])("%s", (F1, expected) => {
    expect(plans([{ ...S, notes: { price: "F1" } }], { footnotes: { F1 } })).toEqual([expected]);
  });

  test("remarks tell of market trades", () => {
    expect(plans([S, { code: "G", way: "D" }], { remarks: PLAN })).toEqual([true, null]);
  });
});

describe("what is no form", () => {
  test.each([
    ["", "not_this_form"],
    ["\u0000\u0001\u0002", "not_this_form"],
    ["{}", "not_this_form"],
    ["<?xml version='1.0'?><edgarSubmission></edgarSubmission>", "not_this_form"],
    ["<!DOCTYPE html><html><body>Form 4</body></html>", "rendered_page"],
    ["UNITED STATES SECURITIES AND EXCHANGE COMMISSION\nFORM 4\nSTATEMENT OF CHANGES", "pre_xml_text"],
    [`<!DOCTYPE x [<!ENTITY a "b">]>${formXml().slice(21)}`, "forbidden_declaration"],
    [formXml().slice(0, -30), "truncated"],
    [formXml().replace(/<issuer>[\s\S]*<\/issuer>/, ""), "malformed"],
    [formXml({ owners: [] }), "malformed"],
    [formXml({ type: "144" }), "malformed"],
  ])("%p", (source, failed) => {
    expect(parseOwnershipXml(source)).toMatchObject({ failed });
  });

  test("bytes that are no UTF-8 are read as windows-1252; a broken file leniently", () => {
    const bytes = new Uint8Array(Buffer.from(formXml({ issuer: "Caf\u00e9 & Co" }), "latin1"));
    const form = parseOwnershipXml(bytes);
    expect(form).toMatchObject({ issuer: { name: "Caf\u00e9 & Co" }, warnings: [{ code: "lenient_xml" }] });
    expect(isUnread(form) ? 0 : form.transactions.length).toBe(1);
  });
});
