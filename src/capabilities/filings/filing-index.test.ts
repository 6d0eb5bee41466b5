import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type FakeClock, fakeClock } from "../../../test/support/fake-clock.ts";
import {
  CIK,
  type FakeFiling,
  type FakeOptions,
  fakeSource,
  filingRow,
} from "../../../test/support/fake-filing-source.ts";
import { NotFound, UpstreamFailed } from "../../platform/errors.ts";
import { openSqlite, type Store } from "../../platform/sqlite/sqlite.ts";
import { EVERYTHING, filingIndex, type IndexRequest } from "./filing-index.ts";
import { acceptanceFields } from "./known-at.ts";
import { requestedFilers } from "./requested-filer.ts";
import { filingsStore } from "./store.ts";

setDefaultTimeout(1_200_000);

const NOW = "2026-09-09T21:00:00Z";
const never = new AbortController().signal;
const ALL = { limit: 100, offset: 0 };

let sqlite: Store;
beforeEach(() => {
  sqlite = openSqlite(":memory:");
});
afterEach(() => sqlite.close());

const accession = (n: number) => `0000001111-25-${String(n).padStart(6, "0")}`;
const filing = (n: number, date: string, more: Partial<FakeFiling> = {}): FakeFiling => ({
  accession: accession(n),
  date,
  accepted: `${date}T15:00:00Z`,
  items: ["8.01"],
  ...more,
});

function world(options: FakeOptions, clock: FakeClock = fakeClock(NOW)) {
  const fake = fakeSource(options);
  const store = filingsStore({ sqlite, clock });
  const fresh: string[] = [];
  const index = filingIndex({ source: fake.source, store, clock, onNew: (all) => fresh.push(...all) });
  const request = (more: Partial<IndexRequest> = {}): IndexRequest => ({
    start: null,
    untilMs: clock.nowMs(),
    force: false,
    ...more,
  });
  return {
    fake,
    store,
    clock,
    fresh,
    ensure: (more: Partial<IndexRequest> = {}) => index.ensure(CIK, request(more), never),
    stored: () => store.find({ ciks: [CIK] }, ALL).map((row) => Number(row.accession_number.slice(-6))),
  };
}

describe("what is fetched", () => {
  const paged: FakeOptions = {
    recent: [filing(9, "2026-09-01"), filing(8, "2025-06-01")],
    older: [
      [filing(7, "2025-05-01"), filing(6, "2022-01-05")],
      [filing(5, "2022-01-04"), filing(4, "2019-03-01")],
      [filing(3, "2019-02-28"), filing(2, "2015-03-01")],
    ],
  };

  test("fetches the newest pages once, and not again within five minutes", async () => {
    const { ensure, fake, clock, stored } = world({ recent: paged.recent });
    expect(await ensure()).toBe(true);
    expect(stored()).toEqual([9, 8]);
    clock.advance(299_000);
    expect(await ensure()).toBe(false);
    clock.advance(2_000);
    expect(await ensure()).toBe(true);
    expect(fake.calls).toEqual([`submissions ${CIK}`, `submissions ${CIK}`]);
  });

  test("fetches older pages only as far back as the requested days", async () => {
    const { ensure, fake, store, stored } = world(paged);
    await ensure({ start: "2022-06-01" });
    expect(fake.calls).toEqual([`submissions ${CIK}`, "page-0"]);
    expect(stored()).toEqual([9, 8, 7, 6]);
    expect(store.filer(CIK)?.covered_from).toBe("2022-01-05");
    fake.calls.length = 0;
    await ensure({ start: "2022-01-04" });
    expect(fake.calls).toEqual([`submissions ${CIK}`, "page-1"]);
    expect(store.filer(CIK)?.covered_from).toBe("2019-03-01");
    await ensure({ start: EVERYTHING });
    expect(store.filer(CIK)?.covered_from).toBe(EVERYTHING);
    expect(stored()).toEqual([9, 8, 7, 6, 5, 4, 3, 2]);
    fake.calls.length = 0;
    expect(await ensure({ start: EVERYTHING })).toBe(false);
    expect(fake.calls).toEqual([]);
  });

  test("a day that two pages share does not count as covered", async () => {
    const { ensure, store } = world({
      recent: [filing(9, "2026-09-01"), filing(8, "2025-06-01")],
      older: [[filing(7, "2025-06-01")]],
    });
    await ensure({ start: "2025-06-02" });
    expect(store.filer(CIK)?.covered_from).toBe("2025-06-02");
    await ensure({ start: "2025-06-01" });
    expect(store.filer(CIK)?.covered_from).toBe(EVERYTHING);
  });

  test("fetches filings that moved from the newest page to older ones since the last refresh", async () => {
    const { ensure, fake, clock, stored } = world({
      recent: [filing(2, "2026-09-01"), filing(1, "2026-08-01")],
    });
    await ensure({ start: EVERYTHING });
    clock.set("2026-12-09T21:00:00Z");
    fake.set({
      recent: [filing(5, "2026-12-01")],
      older: [
        [filing(4, "2026-10-01"), filing(3, "2026-09-15"), filing(2, "2026-09-01")],
        [filing(1, "2026-08-01")],
      ],
    });
    fake.calls.length = 0;
    await ensure({ start: "2026-09-10" });
    expect(fake.calls).toEqual([`submissions ${CIK}`, "page-0"]);
    expect(stored()).toEqual([5, 4, 3, 2, 1]);
  });

  test("days that had ended at the last refresh need no new one", async () => {
    const { ensure, clock } = world({ recent: paged.recent });
    await ensure();
    clock.set("2027-01-01T00:00:00Z");
    const untilMs = Temporal.Instant.from("2026-09-08T00:00:00Z").epochMilliseconds;
    expect(await ensure({ untilMs })).toBe(false);
    expect(await ensure()).toBe(true);
  });
});

describe("concurrent requests", () => {
  test("share one refresh; a forced one makes its own", async () => {
    const { ensure, fake } = world({ recent: [filing(1, "2026-09-01")] });
    await Promise.all([ensure(), ensure(), ensure()]);
    expect(fake.calls).toHaveLength(1);
    await Promise.all([ensure({ force: true }), ensure({ force: true })]);
    expect(fake.calls).toHaveLength(2);
  });

  test("one that joined a smaller refresh then fetches what is missing", async () => {
    const { ensure, fake, store } = world({
      recent: [filing(9, "2026-09-01")],
      older: Array.from({ length: 10 }, (_, i) => [filing(8 - i, `20${25 - i}-01-01`)]),
    });
    await Promise.all([ensure(), ensure({ start: EVERYTHING })]);
    expect(fake.calls.filter((call) => call.startsWith("page"))).toHaveLength(10);
    expect(store.filer(CIK)?.covered_from).toBe(EVERYTHING);
  });

  test("a failing page leaves what was stored before, and its days uncovered", async () => {
    const { ensure, fake, store, stored, fresh } = world({
      recent: [filing(9, "2026-09-01")],
      older: [[filing(8, "2025-01-01")]],
    });
    fake.before(async (call) => {
      if (call === "page-0") throw new UpstreamFailed("edgar", "EDGAR is down");
    });
    await expect(ensure({ start: EVERYTHING })).rejects.toThrow("EDGAR is down");
    expect(stored()).toEqual([9]);
    expect(store.filer(CIK)?.covered_from).toBe("2025-01-02");
    expect(fresh).toEqual([accession(9)]);
  });
});

describe("effect of a later refresh on a stored row", () => {
  const row = (f: FakeFiling) => {
    const { act: _, file_number: _f, film_number: _m, is_inline_xbrl: _i, ...rest } = filingRow(f);
    const { precision: _p, source: _s, public_from: _u, primary_document_description: _d, ...kept } = rest;
    return {
      ...kept,
      company_name: "Fake Corp.",
      items: kept.items.join(","),
      ...acceptanceFields(filingRow(f), 0),
    };
  };
  const bare = { report_date: null, items: null, primary_document: null, size: null, is_xbrl: null };
  const known = filing(1, "2026-09-01");
  const unknown = filing(1, "2026-09-01", { unlisted: true });

  test("an unknown acceptance stays null until a forced refresh", () => {
    const { store } = world({ recent: [] });
    store.save([row(unknown)], false);
    store.save([row(known)], false);
    const stored = () => store.byAccession(accession(1));
    expect(stored()).toMatchObject({ accepted_at: null, known_at: "2026-09-02T03:59:59.999Z" });
    store.save([row(known)], true);
    expect(stored()).toMatchObject({
      accepted_at: "2026-09-01T15:00:00.000Z",
      known_at: "2026-09-01T15:00:00.000Z",
      precision: "second",
    });
  });

  test("a known acceptance is never lost or changed", () => {
    const { store } = world({ recent: [] });
    store.save([row(known)], false);
    store.save([row(unknown)], true);
    store.save([row({ ...known, accepted: "2026-09-01T19:00:00Z" })], true);
    expect(store.byAccession(accession(1))?.accepted_at).toBe("2026-09-01T15:00:00.000Z");
  });

  test("fields that the daily index lacks are filled in, the others stay", () => {
    const { store } = world({ recent: [] });
    expect(store.save([{ ...row(unknown), ...bare }], false)).toEqual([accession(1)]);
    expect(store.byAccession(accession(1))).toMatchObject({
      items: null,
      size: null,
      parsed_status: "pending",
    });
    expect(store.save([{ ...row(known), company_name: "Other" }], false)).toEqual([]);
    expect(store.byAccession(accession(1))).toMatchObject({
      company_name: "Fake Corp.",
      items: "8.01",
      size: 1000,
      report_date: "2026-09-01",
      is_xbrl: false,
      accepted_at: null,
    });
  });

  test("an acceptance that is unknown, or of which a list left two, is that of the filing's header", () => {
    const { store } = world({ recent: [] });
    const open = filing(2, "2026-09-02", { ambiguous: true });
    store.save([row(unknown), row(open)], false);
    expect(store.ambiguous(CIK, 10)).toEqual([accession(2)]);
    const acceptance = { accepted_at: "2026-09-02T15:00:00.000Z", known_at: "2026-09-02T15:00:00.000Z" };
    for (const n of [1, 2]) store.setAcceptance(accession(n), acceptance);
    for (const n of [1, 2])
      expect(store.byAccession(accession(n))).toMatchObject({ ...acceptance, precision: "second" });
    expect(store.ambiguous(CIK, 10)).toEqual([]);
  });

  test("a filing in the lists of two filers is found once", () => {
    const { store } = world({ recent: [] });
    const both = [CIK, "0000002222"];
    store.save([row(known), { ...row(known), cik: "0000002222" }, row(filing(2, "2026-08-01"))], false);
    expect(store.count({ ciks: both })).toBe(2);
    expect(store.find({ ciks: both }, ALL).map((r) => [r.accession_number, r.cik])).toEqual([
      [accession(1), "0000002222"],
      [accession(2), CIK],
    ]);
  });

  test("as_of, forms, dates and paging combine", () => {
    const { store } = world({ recent: [] });
    const days = ["2026-08-01", "2026-08-02", "2026-08-03", "2026-08-04"];
    store.save(
      days.map((date, i) => row(filing(i + 1, date, i % 2 ? { form: "10-Q" } : {}))),
      false,
    );
    const find = (more: object, page = ALL) =>
      store.find({ ciks: [CIK], ...more }, page).map((r) => Number(r.accession_number.slice(-6)));
    expect(find({})).toEqual([4, 3, 2, 1]);
    expect(find({}, { limit: 2, offset: 1 })).toEqual([3, 2]);
    expect(find({ forms: ["8-K"] })).toEqual([3, 1]);
    expect(find({ start: "2026-08-02", end: "2026-08-03" })).toEqual([3, 2]);
    expect(find({ asOf: "2026-08-03T14:59:59.999Z" })).toEqual([2, 1]);
    expect(find({ asOf: "2026-08-03T15:00:00.000Z", forms: ["8-K"] })).toEqual([3, 1]);
    expect(find({ status: "pending" })).toEqual([3, 1]);
    expect(store.count({ ciks: [CIK], forms: ["10-Q"] })).toBe(2);
    expect(find({ ciks: [] })).toEqual([]);
  });
});

test("a predecessor unknown to the regulator shortens the history, with a warning", async () => {
  const fake = fakeSource({ recent: [filing(1, "2026-09-01")], predecessors: ["0000002222"] });
  const clock = fakeClock(NOW);
  const store = filingsStore({ sqlite, clock });
  const index = filingIndex({ source: fake.source, store, clock, onNew: () => {} });
  const { indexed } = requestedFilers({
    resolve: async () => ({ cik: CIK, warnings: [] }),
    store,
    index,
    fillAt: async () => 0,
    versions: { loadList: async () => {}, requireFrom: () => {} },
    clock,
  });
  const ask = (cik: string) =>
    indexed({ cik, ticker: null, warnings: [] }, { start: null, end: null, asOf: null, force: false }, never);
  let error: Error = new NotFound("no_data", "No such filer.");
  fake.before(async (call) => {
    if (call === "submissions 0000002222") throw error;
  });
  expect(await ask(CIK)).toMatchObject({
    ciks: [CIK, "0000002222"],
    warnings: ["Filings of its predecessor are missing: No such filer."],
  });
  await expect(ask("0000002222")).rejects.toBe(error);
  error = new UpstreamFailed("edgar", "down");
  await expect(ask(CIK)).rejects.toBe(error);
});
