import { expect, test } from "bun:test";
import { balanceOf, buyingOf, type Trade } from "./figures.ts";

const trade = (more: Partial<Trade>): Trade => ({
  accession_number: "a",
  owners: [{ cik: "1", name: "One" }],
  is_c_suite: false,
  security_type: "non_derivative",
  bucket: "common|D|",
  transaction_date: "2026-06-01",
  transaction_code: "P",
  acquired_disposed: "A",
  shares: 100,
  transaction_value: 1_000,
  purchase_pct_of_holding: 10,
  ...more,
});

const DOLLARS = { buy_dollar_total: 1_000 };
const TWO = { cik: "2", name: "Two" };

test("without purchases the total is zero and the average is unknown", () => {
  expect(buyingOf([], { buy_dollar_total: 0 })).toEqual({
    buy_dollar_total: 0,
    cluster_size: 0,
    csuite_count: 0,
    avg_pct_of_holding: null,
    transaction_count: 0,
    without_value: 0,
    derivative_count: 0,
    first_date: null,
    last_date: null,
  });
});

test("lots of one holding bucket share a percentage, which counts once", () => {
  const lots = [
    trade({}),
    trade({}),
    trade({ accession_number: "b", owners: [TWO], purchase_pct_of_holding: 40 }),
  ];
  expect(buyingOf(lots, DOLLARS)).toMatchObject({
    avg_pct_of_holding: 25,
    transaction_count: 3,
    cluster_size: 2,
  });
});

test("a trade without a value is counted", () => {
  const some = [trade({}), trade({ transaction_value: null })];
  expect(buyingOf(some, DOLLARS)).toMatchObject({ buy_dollar_total: 1_000, without_value: 1 });
});

test("a derivative is counted beside the figures, and is in none of them", () => {
  const note = trade({
    security_type: "derivative",
    owners: [TWO],
    is_c_suite: true,
    purchase_pct_of_holding: 90,
  });
  const { derivative_count, ...figures } = buyingOf([trade({}), note], DOLLARS);
  expect(derivative_count).toBe(1);
  expect(figures).toMatchObject({
    cluster_size: 1,
    csuite_count: 0,
    avg_pct_of_holding: 10,
    transaction_count: 1,
  });
});

test("an officer without a title is not counted as a chief officer", () => {
  const trades = [
    trade({ is_c_suite: true }),
    trade({ is_c_suite: true }),
    trade({ owners: [TWO], is_c_suite: null }),
  ];
  expect(buyingOf(trades, DOLLARS).csuite_count).toBe(1);
});

test("owners who ever report together count as one, in any order; others count separately", () => {
  const [one, three] = [
    { cik: "1", name: "One" },
    { cik: "3", name: "Three" },
  ];
  const count = (...parties: Trade["owners"][]) =>
    buyingOf(
      parties.map((owners) => trade({ owners })),
      DOLLARS,
    ).cluster_size;
  expect(count([one, TWO], [TWO, one])).toBe(1);
  expect(count([one, TWO], [TWO])).toBe(1);
  expect(count([one], [TWO], [three])).toBe(3);
  expect(count([one], [TWO], [three], [three, one])).toBe(2);
  expect(count([one], [TWO], [three], [three, one, TWO])).toBe(1);
});

test("an owner without a CIK is identified by name", () => {
  const trades = [
    trade({ owners: [{ cik: null, name: "One" }] }),
    trade({ owners: [{ cik: null, name: "Two" }] }),
  ];
  expect(buyingOf(trades, DOLLARS).cluster_size).toBe(2);
});

test("the balance compares purchases and sales of shares; derivatives are counted beside them", () => {
  const trades = [
    trade({}),
    trade({ transaction_code: "S", shares: 30, transaction_value: 300, owners: [TWO] }),
    trade({ transaction_code: "P", security_type: "derivative", shares: 7, transaction_value: 70 }),
    trade({ transaction_code: "A" }),
    trade({ transaction_code: "F" }),
  ];
  expect(balanceOf(trades, { buy_value: 1_000, sell_value: 300 })).toEqual({
    buy_count: 1,
    sell_count: 1,
    buy_shares: 100,
    sell_shares: 30,
    buy_value: 1_000,
    sell_value: 300,
    net_value: 700,
    unique_buyers: 1,
    unique_sellers: 1,
    without_value: 0,
    derivative_count: 1,
  });
  expect(balanceOf(trades, { buy_value: null, sell_value: 5 })).toMatchObject({
    buy_value: null,
    sell_value: 5,
    net_value: null,
  });
});
