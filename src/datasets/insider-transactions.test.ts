import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../platform/clock.ts";
import type { RowOf } from "../platform/lake/dataset.ts";
import { batchOf, type Lake, openLake } from "../platform/lake/lake.ts";
import { insiderPriceChecks } from "./insider-price-checks.ts";
import {
  INSIDER_VOIDED,
  insiderDollars,
  insiderTransactions,
  insiderTransactionsAsOf,
  insiderTransactionsOf,
} from "./insider-transactions.ts";
import { MACROS } from "./macros.ts";

setDefaultTimeout(1_200_000);

type Row = RowOf<typeof insiderTransactions>;

const knownBy = MACROS.filter(({ name }) => name === "known_by");
const open: { lake: Lake; dir: string }[] = [];
afterEach(async () => {
  for (const { lake, dir } of open.splice(0)) {
    await lake.close();
    await rm(dir, { recursive: true, force: true });
  }
});

async function opened(): Promise<Lake> {
  const dir = await mkdtemp(join(tmpdir(), "asof-trades-"));
  const datasets = [insiderTransactions, insiderPriceChecks];
  const lake = await openLake({
    dir,
    datasets,
    macros: [...knownBy, insiderTransactionsOf, insiderTransactionsAsOf],
    clock: systemClock,
    publishes: false,
  });
  open.push({ lake, dir });
  return lake;
}

let last = 0;
const row = (accession: string, known_at: string, more: Partial<Row> = {}): Row => {
  const id = ++last;
  const day = more.filing_date ?? known_at.slice(0, 10);
  return {
    accession_number: accession,
    line: 1,
    role: "trade",
    reading: 1,
    form_type: "4",
    is_amendment: false,
    filing_date: day,
    accepted_at: known_at,
    period_of_report: null,
    date_of_original_submission: null,
    issuer_cik: "0000000001",
    issuer_name: "I",
    issuer_symbol: null,
    owner_cik: "0000000002",
    owner_name: "O",
    owner_count: 1,
    owners: "[]",
    owner_relationship: "",
    officer_title: null,
    is_director: false,
    is_officer: false,
    is_ten_percent_owner: false,
    is_other: false,
    is_ceo: false,
    is_cfo: false,
    is_c_suite: false,
    security_type: "non_derivative",
    security_title: "Common",
    transaction_date: day,
    deemed_execution_date: null,
    transaction_code: "P",
    transaction_type: "buy",
    acquired_disposed: "A",
    shares: 1,
    price_per_share: 1,
    transaction_value: 1,
    shares_owned_after: 1,
    value_owned_after: null,
    purchase_pct_of_holding: null,
    ownership_nature: "D",
    bucket: "b",
    nature_of_ownership: null,
    is_10b5_1: null,
    is_early: false,
    is_late: false,
    is_equity_swap: null,
    exercise_price: null,
    exercise_date: null,
    expiration_date: null,
    underlying_title: null,
    underlying_shares: null,
    line_count: 1,
    counted_in: null,
    footnotes: null,
    source_sha256: null,
    known_at,
    row_id: id,
    trade_key: -id,
    line_key: -id,
    corrects_line_key: null,
    group_key: -id,
    ...more,
  };
};

async function keep(lake: Lake, rows: readonly Row[]): Promise<void> {
  await lake.append([batchOf(insiderTransactions, rows)]);
  const voided = await lake.query<Row>(INSIDER_VOIDED, {
    issuers: [...new Set(rows.map((r) => r.issuer_cik))],
  });
  await lake.append([batchOf(insiderTransactions, voided)]);
}
const seen = async (lake: Lake, asOf: string | null): Promise<string[]> =>
  (
    await lake.query<{ name: string }>(
      "SELECT accession_number || '/' || reading AS name FROM insider_transactions_as_of($as_of) ORDER BY name",
      { as_of: asOf },
    )
  ).map(({ name }) => name);

const original = () => row("0-26-000001", "2026-06-01T14:00:00Z", { trade_key: 7 });
const amendment = (more: Partial<Row> = {}) =>
  row("0-26-000002", "2026-06-10T14:00:00Z", { trade_key: 7, is_amendment: true, form_type: "4/A", ...more });

test.each([
  ["the original first", [original, amendment]],
  ["the amendment first", [amendment, original]],
] as const)("a correction counts from its moment on, whichever is stored before: %s", async (_, order) => {
  const lake = await opened();
  for (const make of order) await keep(lake, [make()]);
  expect(await seen(lake, "2026-06-10T13:59:59Z")).toEqual(["0-26-000001/1"]);
  expect(await seen(lake, "2026-06-10T14:00:00Z")).toEqual(["0-26-000002/1"]);
  expect(await seen(lake, null)).toEqual(["0-26-000002/1"]);
});

test("a trade reported later in its own form is not voided by an earlier amendment", async () => {
  const lake = await opened();
  await keep(lake, [amendment(), row("0-26-000003", "2026-06-11T14:00:00Z", { trade_key: 7 })]);
  expect(await seen(lake, null)).toEqual(["0-26-000002/1", "0-26-000003/1"]);
});

test("the later of two amendments counts", async () => {
  const lake = await opened();
  await keep(lake, [
    original(),
    amendment(),
    row("0-26-000004", "2026-06-12T14:00:00Z", { trade_key: 7, is_amendment: true }),
  ]);
  expect(await seen(lake, "2026-06-11")).toEqual(["0-26-000002/1"]);
  expect(await seen(lake, null)).toEqual(["0-26-000004/1"]);
});

test("an amendment with only a date counts from the end of that day", async () => {
  const lake = await opened();
  const end = "2026-06-02T03:59:59.999Z";
  const day = { filing_date: "2026-06-01", trade_key: 7, reading: 0 };
  await keep(lake, [row("0-26-000009", end, day), row("0-26-000001", end, { ...day, is_amendment: true })]);
  expect(await seen(lake, "2026-06-01")).toEqual(["0-26-000001/0"]);
});

test("an amendment that corrects the key of a trade voids the line it repeats, for the same owner only", async () => {
  const lake = await opened();
  await keep(lake, [
    row("0-26-000001", "2026-06-01T14:00:00Z", { line_key: 70 }),
    row("0-26-000005", "2026-06-01T15:00:00Z", { line_key: 71 }),
    row("0-26-000002", "2026-06-10T14:00:00Z", { is_amendment: true, corrects_line_key: 70 }),
  ]);
  expect(await seen(lake, null)).toEqual(["0-26-000002/1", "0-26-000005/1"]);
});

test("an amendment that corrects how the shares are held voids the line it repeats", async () => {
  const lake = await opened();
  const shared = { transaction_date: "2026-05-29", line_count: 2, is_director: true };
  const again = {
    ...shared,
    is_amendment: true,
    form_type: "4/A",
    ownership_nature: "I",
    shares_owned_after: 9,
    date_of_original_submission: "2026-06-01",
  };
  await keep(lake, [
    row("0-26-000001", "2026-06-01T14:00:00Z", shared),
    // Lines that differ from the first only in the number of shares, in the day, or in the owner.
    row("0-26-000003", "2026-06-01T14:00:00Z", { ...shared, shares: 2 }),
    row("0-26-000004", "2026-06-02T14:00:00Z", shared),
    row("0-26-000005", "2026-06-01T14:00:00Z", { ...shared, owner_cik: "0000000003" }),
    row("0-26-000002", "2026-06-10T14:00:00Z", again),
  ]);
  expect(await seen(lake, "2026-06-09")).toHaveLength(4);
  expect(await seen(lake, null)).toEqual([2, 3, 4, 5].map((n) => `0-26-00000${n}/1`));
});

describe("lots of one day, which share a key", () => {
  type Lot = readonly [shares: number, price: number, after: number];
  const LOTS: readonly Lot[] = [
    [10, 1, 90],
    [20, 2, 70],
    [30, 3, 40],
  ];
  const filing = (accession: string, known_at: string, lots: readonly Lot[], more: Partial<Row> = {}) =>
    lots.map(([shares, price_per_share, shares_owned_after], i) =>
      row(accession, known_at, {
        line: i + 1,
        line_count: lots.length,
        trade_key: 8,
        transaction_date: "2026-05-29",
        transaction_code: "S",
        acquired_disposed: "D",
        shares,
        price_per_share,
        shares_owned_after,
        ...more,
      }),
    );
  const left = async (first: readonly Lot[], second: readonly Lot[]) => {
    const lake = await opened();
    await keep(lake, [
      ...filing("0-26-000001", "2026-06-01T14:00:00Z", first),
      ...filing("0-26-000002", "2026-06-10T14:00:00Z", second, { is_amendment: true, form_type: "4/A" }),
    ]);
    const rows = await lake.query<{ lot: string }>(
      "SELECT right(accession_number, 1) || ':' || shares::INTEGER AS lot FROM insider_transactions_as_of() ORDER BY lot",
    );
    return rows.map(({ lot }) => lot);
  };

  test.each<[string, readonly Lot[], string[]]>([
    ["all of them again", [...LOTS.slice(0, 2), [33, 3, 37]], ["2:10", "2:20", "2:33"]],
    ["the price of one alone", [[20, 2.5, 70]], ["1:10", "1:30", "2:20"]],
    ["the shares of one alone", [[21, 2, 69]], ["1:10", "1:30", "2:21"]],
    ["price and shares of one alone", [[21, 2.5, 69]], ["1:10", "1:30", "2:21"]],
    ["two as they were, one withdrawn", LOTS.slice(0, 2), ["2:10", "2:20"]],
    ["all of them as one", [[60, 2.33, 40]], ["2:60"]],
    ["one that was forgotten", [[5, 4, 35]], ["1:10", "1:20", "1:30", "2:5"]],
  ])("an amendment reports %s", async (_, lots, expected) => {
    expect(await left(LOTS, lots)).toEqual(expected);
  });

  test("lots of one price are distinguished by the holding before them", async () => {
    const lots: Lot[] = LOTS.map(([shares, , after]) => [shares, 5, after]);
    expect(await left(lots, [[21, 5, 69]])).toEqual(["1:10", "1:30", "2:21"]);
  });

  test("a single trade: another number of shares, and a further trade after it", async () => {
    expect(await left([[10, 1, 90]], [[12, 1, 88]])).toEqual(["2:12"]);
    expect(await left([[10, 1, 90]], [[12, 1, 78]])).toEqual(["1:10", "2:12"]);
    // Only the holding was wrong.
    expect(await left([[10, 1, 100]], [[10, 1, 90]])).toEqual(["2:10"]);
  });
});

test("the first part with ten owners of a large group counts; equal trades of two persons stay separate", async () => {
  const lake = await opened();
  const part = (n: number, owner_count: number) =>
    row(`0-26-00000${n}`, `2026-06-01T14:00:0${n}Z`, { group_key: 5, owner_count });
  await keep(lake, [part(1, 3), part(2, 10), part(3, 10)]);
  expect(await seen(lake, null)).toEqual(["0-26-000002/1"]);
  expect(await seen(lake, "2026-06-01T14:00:01Z")).toEqual(["0-26-000001/1"]);
  const others = await opened();
  await keep(
    others,
    [part(1, 1), part(2, 1)].map((each) => ({ ...each, is_director: true })),
  );
  expect(await seen(others, null)).toHaveLength(2);
});

describe("one trade on the forms of several owners", () => {
  type Owner = readonly [cik: number, name: string];
  const FUND: Owner = [510, "OAK FUND III LP"];
  const PARTNER: Owner = [511, "Oak GP III LLC"];
  const MANAGER: Owner = [512, "Oak Capital Management LLC"];
  const BIRCH: Owner = [490, "BIRCH AL J"];
  const NAMING = "Oak GP III, L.L.C. is the general partner of Oak Fund III, L.P.";
  /** A purchase of 200 at 7.50 on the form of owners; each form has an agent and a second of its own. */
  const form = (owners: readonly Owner[], second: number, more: Partial<Row> = {}): Row =>
    row(`${owners[0]?.[0]}0000000-26-00000${second}`, `2026-10-08T21:01:0${second}.000Z`, {
      transaction_date: "2026-10-06",
      shares: 200,
      price_per_share: 7.5,
      transaction_value: 1_500,
      shares_owned_after: 1_200,
      owner_cik: String(owners[0]?.[0]),
      owner_name: owners[0]?.[1] ?? "",
      owner_count: owners.length,
      owners: JSON.stringify(owners.map(([cik, name]) => ({ cik: String(cik), name, relationship: "" }))),
      is_ten_percent_owner: true,
      ...more,
    });
  const counted = async (rows: readonly Row[][], asOf: string | null = null) => {
    const lake = await opened();
    for (const each of rows) await keep(lake, each);
    return await lake.query<Row>(
      "SELECT * EXCLUDE (recorded) FROM insider_transactions_as_of($as_of) ORDER BY accession_number, line",
      { as_of: asOf },
    );
  };
  const names = (rows: readonly Row[]) =>
    rows.map(({ owners }) => (JSON.parse(owners) as { cik: string }[]).map(({ cik }) => Number(cik)));

  test("a fund, its partner and its manager, who holds more: the owners known by a moment, in any order", async () => {
    const forms = [
      form([FUND], 1, { footnotes: NAMING, is_c_suite: null }),
      form([PARTNER], 2, { footnotes: NAMING, ownership_nature: "I", is_c_suite: true }),
      form([MANAGER], 3, {
        footnotes: NAMING,
        ownership_nature: "I",
        shares_owned_after: 1_350,
        is_director: true,
      }),
    ];
    const batches = [[forms], forms.map((one) => [one]), forms.toReversed().map((one) => [one])];
    for (const rows of batches) {
      const all = await counted(rows);
      expect(names(all)).toEqual([[510, 511, 512]]);
      expect(all[0]).toMatchObject({ owner_count: 3, is_director: true, is_c_suite: true, is_ceo: false });
    }
    const two = await counted([forms], "2026-10-08T21:01:02Z");
    expect(names(two)).toEqual([[510, 511]]);
    expect(two[0]).toMatchObject({ owner_count: 2, is_director: false, is_c_suite: true });
    expect(await counted([forms], "2026-10-08T21:01:01Z")).toMatchObject([
      { owner_count: 1, is_c_suite: null },
    ]);
  });

  test("an owner in common, one agent within half an hour, or a person's name in a footnote", async () => {
    expect(names(await counted([[form([FUND, PARTNER], 1), form([MANAGER, PARTNER], 2)]]))).toEqual([
      [510, 511, 512],
    ]);
    const agent = (second: number) => ({ accession_number: `0001-26-00000${second}` });
    expect(names(await counted([[form([FUND], 1, agent(1)), form([MANAGER], 2, agent(2))]]))).toEqual([
      [510, 512],
    ]);
    const late = { ...agent(2), accepted_at: "2026-10-08T21:31:02.000Z" };
    expect(await counted([[form([FUND], 1, agent(1)), form([MANAGER], 2, late)]])).toHaveLength(2);
    const held = { ownership_nature: "I", nature_of_ownership: "By Al Birch, who controls the fund" };
    expect(names(await counted([[form([BIRCH], 1), form([FUND], 2, held)]]))).toEqual([[490, 510]]);
  });

  test("equal trades of two owners stay two, and so do those of directors with one agent", async () => {
    expect(await counted([[form([FUND], 1), form([MANAGER], 2)]])).toHaveLength(2);
    const director = (second: number) => ({ accession_number: `0001-26-00000${second}`, is_director: true });
    expect(await counted([[form([FUND], 1, director(1)), form([MANAGER], 2, director(2))]])).toHaveLength(2);
  });

  test("a partner's lines are each of one of its two funds", async () => {
    const other: Owner = [513, "Oak Fund IV LP"];
    const notes = { footnotes: "By Oak Fund III, L.P. and by Oak Fund IV, L.P.", ownership_nature: "I" };
    const rows = await counted([
      [
        form([FUND], 1),
        form([other], 3, { shares_owned_after: 900 }),
        form([PARTNER], 2, notes),
        form([PARTNER], 2, { ...notes, line: 2, shares_owned_after: 900 }),
      ],
    ]);
    expect(names(rows).toSorted()).toEqual([
      [510, 511],
      [511, 513],
    ]);
  });

  test("a correction takes the place of its original, from either owner", async () => {
    const original = form([FUND], 1, { footnotes: NAMING, trade_key: 7 });
    const partner = form([PARTNER], 2, { footnotes: NAMING, trade_key: 8 });
    const corrected = { is_amendment: true, price_per_share: 7.25, known_at: "2026-10-09T21:00:00.000Z" };
    for (const [owners, trade_key] of [
      [[FUND], 7],
      [[PARTNER], 8],
    ] as const) {
      const again = form(owners, 3, { ...corrected, trade_key });
      for (const rows of [[[original, partner, again]], [[again], [partner], [original]]]) {
        const found = await counted(rows);
        expect(found.map(({ price_per_share }) => price_per_share)).toEqual([7.25]);
        expect(names(found)[0]?.toSorted()).toEqual([510, 511]);
        expect(await counted(rows, "2026-10-09T20:59:59Z")).toMatchObject([{ price_per_share: 7.5 }]);
      }
    }
  });
});

test("rows read from a filing replace those of a data set", async () => {
  const lake = await opened();
  const end = "2026-06-02T03:59:59.999Z";
  await keep(lake, [row("0-26-000001", end, { reading: 0, filing_date: "2026-06-01" })]);
  await keep(lake, [row("0-26-000001", "2026-06-01T14:00:00Z", { trade_key: -1 })]);
  expect(await seen(lake, "2026-06-01T15:00:00Z")).toEqual(["0-26-000001/1"]);
  expect(await seen(lake, "2026-06-02")).toEqual(["0-26-000001/1"]);
});

test("void rows are found once", async () => {
  const lake = await opened();
  await keep(lake, [original(), amendment()]);
  expect(await lake.query(INSIDER_VOIDED, { issuers: ["0000000001"] })).toEqual([]);
});

test("dollars are of Table I: zero without a trade that counts, unknown where none has a value", async () => {
  const lake = await opened();
  const day = "2026-05-11T20:00:00.000Z";
  await keep(lake, [
    row("a", day, { transaction_value: 100 }),
    row("b", day, { transaction_value: null }),
    row("c", day, { transaction_code: "S", transaction_value: null }),
    row("d", day, { security_type: "derivative", transaction_value: 2_250_000_000_000 }),
  ]);
  const codes = ["P", "S", "G"].map((code) => `${insiderDollars(`transaction_code = '${code}'`)} AS ${code}`);
  expect(await lake.query(`SELECT ${codes.join(", ")} FROM insider_transactions_as_of(NULL)`)).toEqual([
    { P: 100, S: null, G: 0 },
  ]);
});

test("the trades of some companies are those that the macro over all companies has of them", async () => {
  const lake = await opened();
  const end = "2026-06-02T03:59:59.999Z";
  const other = { issuer_cik: "0000000007", filing_date: "2026-06-01" };
  await keep(lake, [original(), amendment()]);
  await keep(lake, [row("7-26-000001", end, { ...other, reading: 0 }), row("7-26-000001", end, other)]);
  await keep(lake, [row("9-26-000001", end, { issuer_cik: "0000000009" })]);
  const all = await lake.query<Row>("FROM insider_transactions_as_of(NULL) ORDER BY row_id");
  for (const issuers of [["0000000001"], ["0000000007", "0000000001"], ["0000000008"], []])
    expect(
      await lake.query("FROM insider_transactions_of(NULL, $issuers) ORDER BY row_id", { issuers }),
    ).toEqual(all.filter(({ issuer_cik }) => issuers.includes(issuer_cik)));
  expect(await lake.query("FROM insider_transactions_of(NULL, NULL) ORDER BY row_id")).toEqual(all);
  expect(new Set(all.map(({ issuer_cik }) => issuer_cik)).size).toBe(3);
});
