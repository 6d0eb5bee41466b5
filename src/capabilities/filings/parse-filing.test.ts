import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { captureLog } from "../../../test/support/capture-log.ts";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import {
  bodyOf,
  CIK,
  type FakeFiling,
  fakeSource,
  filingRow,
} from "../../../test/support/fake-filing-source.ts";
import {
  InvalidRequest,
  NotConfigured,
  NotFound,
  UpstreamFailed,
  UpstreamRateLimited,
} from "../../platform/errors.ts";
import { openSqlite, type Store } from "../../platform/sqlite/sqlite.ts";
import { EVENTS_READING } from "../../providers/edgar/index.ts";
import { type EventFilter, eventStore } from "./event-store.ts";
import { acceptanceFields } from "./known-at.ts";
import { filingParser } from "./parse-filing.ts";
import { filingsStore } from "./store.ts";

setDefaultTimeout(1_200_000);

const ONE = "0000001111-25-000001";
const FILTER: EventFilter = { ciks: [CIK], start: "2000-01-01", end: "2026-12-31", asOf: null };
const ALL = { limit: 100, offset: 0 };
const EARNINGS = "The results are in the release, which is furnished herewith and speaks for itself.";

const report = (documents: Record<string, string>, more: Partial<FakeFiling> = {}): FakeFiling => ({
  accession: ONE,
  date: "2025-02-06",
  accepted: "2025-02-06T21:05:11Z",
  items: ["2.02", "5.02", "9.01"],
  documents,
  ...more,
});
const READABLE = {
  "8-K": bodyOf({ "2.02": EARNINGS, "5.02": "Mr. Fiddle left the board.", "9.01": "99.1 Release" }),
  "EX-99.1": "<p>Fake Corp. earns one dollar a share.</p>",
};
const HEADLESS = { "8-K": "<p>There is no heading of any kind in this text.</p>" };

let sqlite: Store;
beforeEach(() => {
  sqlite = openSqlite(":memory:");
});
afterEach(() => sqlite.close());

/** A parser over one filing that is in the index. */
function world(filing: FakeFiling) {
  const clock = fakeClock("2026-09-09T21:00:00Z");
  const fake = fakeSource({ recent: [filing] });
  const filings = filingsStore({ sqlite, clock });
  const events = eventStore({ sqlite, clock });
  const log = captureLog();
  const parser = filingParser({ source: fake.source, filings, events, clock, log });
  const row = filingRow(filing);
  const { accession_number, cik, form_type, filing_date, report_date, size, is_xbrl, primary_document } = row;
  const named = {
    accession_number,
    cik,
    form_type,
    filing_date,
    report_date,
    size,
    is_xbrl,
    primary_document,
  };
  const items = row.items.join(",");
  filings.save(
    [{ ...named, company_name: "Fake Corp.", items, ...acceptanceFields(row, clock.nowMs()) }],
    false,
  );
  const signal = new AbortController().signal;
  return {
    fake,
    filings,
    events,
    clock,
    parse: (force = false) => parser.parse(ONE, force, signal),
    state: () => events.state(ONE),
    found: () =>
      events.find(FILTER, ALL).map(({ event }) => [event.item_number, event.content_source, event.content]),
  };
}

describe("states, one by one", () => {
  test("a newly indexed filing is pending, without events", () => {
    const { state, found } = world(report(READABLE));
    expect(state()).toEqual({ status: "pending", error: null, problems: [], attempts: 0, parsed_at: null });
    expect(found()).toEqual([]);
  });

  test("pending → succeeded: one event per item, none for 9.01, 2.02 from the press release", async () => {
    const { parse, state, found, events } = world(report(READABLE));
    expect(await parse()).toEqual({
      accession_number: ONE,
      parsed_status: "succeeded",
      events_created: 2,
      error: null,
      problems: [],
      outage: null,
      skipped: false,
    });
    expect(state()).toMatchObject({
      status: "succeeded",
      attempts: 1,
      parsed_at: "2026-09-09T21:00:00.000Z",
    });
    expect(found()).toEqual([
      ["2.02", "EX-99.1", "Fake Corp. earns one dollar a share."],
      ["5.02", "body", "Mr. Fiddle left the board."],
    ]);
    const [first] = events.find(FILTER, ALL);
    expect(first?.event.source_sha256).toBe(
      new Bun.CryptoHasher("sha256").update(READABLE["EX-99.1"]).digest("hex"),
    );
  });

  test("pending → failed: notes the reason and does not try again", async () => {
    const { parse, state, fake } = world(report(HEADLESS));
    const result = await parse();
    expect(result).toMatchObject({ parsed_status: "failed", events_created: 0, outage: null });
    expect(result.error).toContain("no heading of 2.02, 5.02, 9.01");
    expect(state()).toMatchObject({ status: "failed", error: result.error, attempts: 1 });
    const asked = fake.calls.length;
    expect(await parse()).toMatchObject({ parsed_status: "failed", skipped: true });
    expect(fake.calls.length).toBe(asked);
  });

  test("failed → pending by itself: after ten minutes, then four times as long, five times at most", async () => {
    const { parse, state, events, clock } = world(report(HEADLESS));
    for (const minutes of [10, 40, 160, 640, 2_560]) {
      expect((await parse()).parsed_status).toBe("failed");
      clock.advance(minutes * 60_000 - 1);
      expect([minutes, events.retryFailed()]).toEqual([minutes, []]);
      clock.advance(1);
      expect([minutes, events.retryFailed()]).toEqual([minutes, [ONE]]);
      expect(state()).toMatchObject({ status: "pending", error: null });
    }
    expect((await parse()).parsed_status).toBe("failed");
    clock.advance(365 * 86_400_000);
    expect(events.retryFailed()).toEqual([]);
  });

  test("a failure of an earlier parser version becomes pending when the store is opened; successes stay", async () => {
    const { parse, clock } = world(report(HEADLESS));
    await parse();
    const again = () => eventStore({ sqlite, clock }).state(ONE)?.status;
    expect(again()).toBe("failed");
    const earlier = (status: string) =>
      sqlite.use((db) =>
        db.run(sql`UPDATE filing_parses SET reading = ${EVENTS_READING - 1}, status = ${status}`),
      );
    earlier("succeeded");
    expect(again()).toBe("succeeded");
    earlier("failed");
    expect(again()).toBe("pending");
    expect(await parse()).toMatchObject({ parsed_status: "failed", skipped: false });
    expect(again()).toBe("failed");
  });

  test("succeeded stays without force; with force it becomes pending and is parsed again", async () => {
    const { parse, state, fake } = world(report(READABLE));
    await parse();
    expect(await parse()).toMatchObject({ parsed_status: "succeeded", skipped: true });
    const seen: unknown[] = [];
    fake.before(async () => {
      seen.push(state()?.status);
    });
    expect(await parse(true)).toMatchObject({
      parsed_status: "succeeded",
      events_created: 2,
      skipped: false,
    });
    expect(seen).toEqual(["pending", "pending", "pending"]);
    expect(state()).toMatchObject({ status: "succeeded", attempts: 2 });
  });

  test("failed → forced: pending → succeeded", async () => {
    const { parse, state, fake, found } = world(report(HEADLESS));
    await parse();
    fake.set({ recent: [report(READABLE)] });
    expect(await parse(true)).toMatchObject({ parsed_status: "succeeded", events_created: 2 });
    expect(state()).toMatchObject({ status: "succeeded", error: null, attempts: 2 });
    expect(found()).toHaveLength(2);
  });

  test("succeeded → forced: failed, its events are withdrawn", async () => {
    const { parse, fake, found } = world(report(READABLE));
    await parse();
    fake.set({ recent: [report(HEADLESS)] });
    expect(await parse(true)).toMatchObject({ parsed_status: "failed" });
    expect(found()).toEqual([]);
  });

  const outages = [
    new UpstreamFailed("edgar", "EDGAR is down"),
    new UpstreamRateLimited("edgar", "too often"),
    new NotConfigured("not_configured", "SEC_USER_AGENT is not set"),
  ];
  for (const outage of outages)
    test(`${outage.name}: the filing stays pending, notes the reason, and is parsed once it can be fetched`, async () => {
      const { parse, state, fake } = world(report(READABLE));
      fake.before(async () => {
        throw outage;
      });
      expect(await parse()).toMatchObject({ parsed_status: "pending", error: outage.message, outage });
      expect(state()).toMatchObject({ status: "pending", error: outage.message, attempts: 0 });
      fake.before(async () => {});
      expect(await parse()).toMatchObject({ parsed_status: "succeeded" });
    });

  test("a filing without a page at the regulator fails", async () => {
    const { parse, fake } = world(report(READABLE));
    fake.set({ recent: [] });
    expect(await parse()).toMatchObject({ parsed_status: "failed", error: `EDGAR has no filing ${ONE}` });
  });

  test("a missing file is read from the complete submission, when that exists", async () => {
    for (const lost of ["body.htm", "d2.htm"]) {
      const { parse, fake, found } = world(report(READABLE));
      fake.before(async (call) => {
        if (call.endsWith(lost)) throw new NotFound("not_found", `EDGAR has no file ${lost}`);
      });
      expect(await parse(true)).toMatchObject({ parsed_status: "succeeded" });
      expect(found()[0]?.slice(0, 2)).toEqual(["2.02", "EX-99.1"]);
      fake.before(async (call) => {
        if (!call.startsWith("page")) throw new NotFound("not_found", `EDGAR has no ${call}`);
      });
      expect(await parse(true)).toMatchObject({ parsed_status: "failed" });
    }
  });

  test("an exhibit that is too large leaves the body, with a note", async () => {
    const { parse, fake, found } = world(report(READABLE));
    fake.before(async (call) => {
      if (call.endsWith("d2.htm"))
        throw new InvalidRequest("exhibit_too_large", "EX-99.1 is larger than 5 MB");
    });
    const result = await parse();
    expect(result.problems).toEqual(["EX-99.1 could not be fetched: EX-99.1 is larger than 5 MB"]);
    expect(found()[0]).toEqual(["2.02", "body", EARNINGS]);
  });
});

describe("events", () => {
  test("there is one per filing and item, however often it is parsed", async () => {
    const { parse, found } = world(report(READABLE));
    await parse();
    for (let i = 0; i < 3; i++) await parse(true);
    expect(found().map(([item]) => item)).toEqual(["2.02", "5.02"]);
    const rows = sqlite.use((db) => db.all("SELECT count(*) AS n FROM filing_events"));
    expect(rows).toEqual([{ n: 2 }]);
  });

  test("an unchanged event keeps its parse time, a changed one is replaced, a missing one is withdrawn", async () => {
    const { parse, fake, clock, events, found } = world(report(READABLE));
    await parse();
    clock.advance(60_000);
    const other = bodyOf({ "2.02": EARNINGS, "9.01": "99.1 Release" });
    fake.set({ recent: [report({ ...READABLE, "8-K": other }, { items: ["2.02", "9.01"] })] });
    sqlite.use((db) => db.run("UPDATE filings SET items = '2.02,9.01'"));
    await parse(true);
    expect(found().map(([item]) => item)).toEqual(["2.02"]);
    expect(events.find(FILTER, ALL)[0]?.event.parsed_at).toBe("2026-09-09T21:00:00.000Z");
    clock.advance(60_000);
    const release = { "EX-99.1": "<p>Fake Corp. earns two dollars a share.</p>" };
    fake.set({ recent: [report({ "8-K": other, ...release })] });
    await parse(true);
    expect(events.find(FILTER, ALL)[0]?.event).toMatchObject({
      content: "Fake Corp. earns two dollars a share.",
      parsed_at: "2026-09-09T21:02:00.000Z",
      published: false,
    });
  });

  test("old items keep their number and are found by the current one", async () => {
    const old = { date: "2004-07-22", accepted: "2004-07-22T20:30:00Z", items: ["12", "7"] };
    const { parse, events } = world(report({ "8-K": bodyOf({ "12": EARNINGS, "7": "Exhibits" }) }, old));
    await parse();
    const [event] = events.find({ ...FILTER, item: "2.02" }, ALL);
    expect(event?.event).toMatchObject({ item_number: "12", modern_item: "2.02", event_type: "legacy_12" });
    expect(events.find({ ...FILTER, item: "12" }, ALL)).toHaveLength(1);
    expect(events.count({ ...FILTER, item: "8.01" })).toBe(0);
  });

  test("a filing is visible from its acceptance, not a second before", async () => {
    const { parse, events } = world(report(READABLE));
    await parse();
    const at = (asOf: string) => events.count({ ...FILTER, asOf });
    expect([at("2025-02-06T21:05:10.999Z"), at("2025-02-06T21:05:11.000Z")]).toEqual([0, 2]);
  });
});

test("two concurrent calls parse once", async () => {
  const { parse, fake } = world(report(READABLE));
  const both = await Promise.all([parse(), parse(), parse(true)]);
  expect(both.map((r) => r.parsed_status)).toEqual(["succeeded", "succeeded", "succeeded"]);
  expect(fake.calls.filter((call) => call.startsWith("page"))).toHaveLength(1);
});
