import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { MadeFiling } from "../support/ownership-papers.ts";
import { type OwnershipTestService, openOwnershipService } from "../support/ownership-service.ts";
import { busyDay, type OwnershipWorld, serveOwnership } from "../support/ownership-world.ts";

setDefaultTimeout(1_200_000);

const INGEST = "ownership-ingest";
const ENRICHMENT = "ownership-enrichment";
const FEED = "ownership-feed";

let world: OwnershipWorld;
let opened: OwnershipTestService | undefined;

beforeEach(() => {
  world = serveOwnership([]);
});
afterEach(async () => {
  await opened?.stop();
  opened = undefined;
  await world.stop();
});

const open = async (at: string, env: Record<string, string> = {}): Promise<OwnershipTestService> => {
  opened = await openOwnershipService(world, { at, env });
  return opened;
};
/** Filings of a day under numbers of their own. */
const day = (date: string, count = 3): MadeFiling[] =>
  busyDay(date, count).map((filing) => ({
    ...filing,
    accession: filing.accession.replace(/^0007/, `${date.slice(5, 7)}${date.slice(8)}`),
  }));

const days = ({ sqlite }: OwnershipTestService) =>
  sqlite.use((db) =>
    db.all<{ date: string; source: string; filings: number }>(
      "SELECT date, source, sum(filings) AS filings FROM ownership_days GROUP BY date, source ORDER BY date",
    ),
  );
const pending = ({ ingest }: OwnershipTestService) => ingest.pendingCount();
const trades = async ({ lake }: OwnershipTestService) =>
  Number((await lake.query<{ n: number }>("SELECT count(*) AS n FROM insider_transactions"))[0]?.n);

describe("the daily ingest", () => {
  test("is due at nine on federal business days, not on those of the exchange", async () => {
    const { job } = await open("2026-09-09T13:00:00Z");
    const ingest = job(INGEST);
    expect([ingest?.schedule, ingest?.zone, ingest?.catchUp]).toEqual([
      "0 9 * * *",
      "America/New_York",
      "once",
    ]);
    const isDue = (date: string) => ingest?.gate?.(Temporal.Instant.from(`${date}T13:00:00Z`));
    expect(isDue("2026-04-03")).toBe(true); // Good Friday
    expect(isDue("2026-10-12")).toBe(false); // Columbus
    expect(isDue("2026-11-11")).toBe(false); // Veterans
    expect(isDue("2026-09-12")).toBe(false); // Saturday
    expect(job(ENRICHMENT)?.schedule).toBe("*/30 * * * *");
    expect(job(FEED)).toBeUndefined();
  });

  test("begins with the last business day, and then catches up what it missed", async () => {
    world.add(...day("2026-09-04"), ...day("2026-09-08"), ...day("2026-09-09"), ...day("2026-09-10"));
    const it = await open("2026-09-08T13:00:00Z");
    // Labor Day lies between.
    expect(await it.run(INGEST)).toMatchObject({ outcome: "succeeded", rows: 3 });
    expect(days(it)).toEqual([{ date: "2026-09-04", source: "daily_index", filings: 3 }]);
    it.clock.set("2026-09-11T13:00:00Z");
    expect(await it.run(INGEST)).toMatchObject({ outcome: "succeeded", rows: 9 });
    expect(days(it).map(({ date }) => date)).toEqual([
      "2026-09-04",
      "2026-09-08",
      "2026-09-09",
      "2026-09-10",
    ]);
    expect(await it.run(INGEST)).toMatchObject({ outcome: "succeeded", rows: 0 });
  });

  test("what it brings is read at once, each filing once", async () => {
    world.add(...day("2026-09-08", 40));
    const it = await open("2026-09-09T13:00:00Z");
    await it.run(INGEST);
    while (pending(it) > 0) await Bun.sleep(10);
    expect(pending(it)).toBe(0);
    expect(await trades(it)).toBe(
      day("2026-09-08", 40).reduce((n, f) => n + (f.kind === "form" ? f.trades.length : 0), 0),
    );
    const read = world.asked.filter((path) => path.endsWith(".txt"));
    expect(read).toHaveLength(40);
    expect(new Set(read).size).toBe(40);
  });

  test("a day whose index is not out is asked again; one that never comes was none", async () => {
    const it = await open("2026-09-09T13:00:00Z");
    expect(await it.run(INGEST)).toMatchObject({ outcome: "succeeded", rows: 0 });
    expect(days(it)).toEqual([]);
    world.add(...day("2026-09-08"), ...day("2026-09-18"));
    await it.run(INGEST);
    expect(days(it).map(({ date }) => date)).toEqual(["2026-09-08"]);
    it.clock.set("2026-09-21T13:00:00Z");
    await it.run(INGEST);
    expect(days(it).map(({ date, source }) => [date, source])).toEqual([
      ["2026-09-08", "daily_index"],
      ...["2026-09-09", "2026-09-10", "2026-09-11", "2026-09-14", "2026-09-15"].map((date) => [
        date,
        "closed",
      ]),
      ["2026-09-18", "daily_index"],
    ]);
  });

  test("an outage fails the run and loses nothing", async () => {
    world.add(...day("2026-09-08"));
    const it = await open("2026-09-09T13:00:00Z");
    world.refuse({ status: 503 });
    expect(await it.run(INGEST)).toMatchObject({ outcome: "failed" });
    world.refuse(null);
    it.clock.set("2026-09-09T14:00:00Z");
    expect(await it.run(INGEST)).toMatchObject({ outcome: "succeeded", rows: 3 });
  });

  test("without a name for the regulator it does nothing, in order", async () => {
    const it = await open("2026-09-09T13:00:00Z", { SEC_USER_AGENT: "" });
    expect(await it.run(INGEST)).toMatchObject({ outcome: "succeeded", rows: 0 });
    expect(await it.run(ENRICHMENT)).toMatchObject({ outcome: "succeeded", rows: 0 });
  });
});

describe("the enrichment", () => {
  test("a filing that is not there yet is tried again, and given up at the third time", async () => {
    const [first, ...rest] = day("2026-09-08");
    world.add(...day("2026-09-08"));
    const it = await open("2026-09-09T13:00:00Z");
    await it.ingest.index(["2026-09-08"], () => {}, new AbortController().signal);
    world.only(rest);
    for (const [attempts, status] of [
      [1, "pending"],
      [2, "pending"],
      [3, "failed"],
    ] as const) {
      await it.run(ENRICHMENT);
      const [row] = it.sqlite.use((db) =>
        db.all("SELECT status, attempts FROM ownership_filings ORDER BY attempts DESC LIMIT 1"),
      );
      expect(row).toEqual({ status, attempts });
    }
    world.only([first as MadeFiling, ...rest]);
    await it.run(ENRICHMENT);
    expect(pending(it)).toBe(0);
  });

  test("an outage leaves everything pending", async () => {
    world.add(...day("2026-09-08", 30));
    const it = await open("2026-09-09T13:00:00Z");
    await it.ingest.index(["2026-09-08"], () => {}, new AbortController().signal);
    world.refuse({ status: 500 });
    expect(await it.run(ENRICHMENT)).toMatchObject({ outcome: "failed" });
    expect(pending(it)).toBe(30);
    const attempts = it.sqlite.use((db) => db.all("SELECT max(attempts) AS n FROM ownership_filings"));
    expect(attempts).toEqual([{ n: 0 }]);
  });
});

describe("what is no filing", () => {
  const index = (it: OwnershipTestService) =>
    it.ingest.index(["2026-09-08"], () => {}, new AbortController().signal);
  const states = ({ sqlite }: OwnershipTestService) =>
    sqlite.use((db) =>
      db.all("SELECT status, count(*) AS n FROM ownership_filings GROUP BY status ORDER BY status"),
    );

  test.each([
    ["a page in words with status 200", { status: 200, body: "<html><body>Maintenance</body></html>" }],
    ["too many requests", { status: 429, body: "<html>Request Rate Threshold Exceeded</html>" }],
    ["nothing", { status: 200, body: "" }],
  ])("%s in place of all filings is an outage: nothing is stored, nothing is lost", async (_, answer) => {
    world.add(...day("2026-09-08", 20));
    const it = await open("2026-09-09T13:00:00Z");
    await index(it);
    world.refuse(answer);
    expect(await it.run(ENRICHMENT)).toMatchObject({ outcome: "failed" });
    expect([states(it), await trades(it)]).toEqual([[{ status: "pending", n: 20 }], 0]);
  });

  test("one filing that is cut off every time is given up, and the others are read", async () => {
    world.add(...day("2026-09-08", 20));
    const it = await open("2026-09-09T13:00:00Z");
    await index(it);
    world.cutOff(day("2026-09-08", 20)[3]?.accession ?? "");
    for (let run = 0; run < 3; run++)
      expect(await it.run(ENRICHMENT)).toMatchObject({ outcome: "succeeded" });
    expect(states(it)).toEqual([
      { status: "failed", n: 1 },
      { status: "succeeded", n: 19 },
    ]);
  });

  test("an index that is none fails the day and stores nothing", async () => {
    world.refuse({ status: 200, body: "<html>no index</html>" });
    const it = await open("2026-09-09T13:00:00Z");
    expect(await it.run(INGEST)).toMatchObject({ outcome: "failed" });
    expect(days(it)).toEqual([]);
  });
});

describe("the current feed", () => {
  test("is followed only where it is wanted", async () => {
    const { job } = await open("2026-09-09T13:00:00Z", { OWNERSHIP_FEED: "on" });
    const feed = job(FEED);
    expect([feed?.schedule, feed?.zone]).toEqual(["* 6-22 * * *", "America/New_York"]);
    expect(feed?.gate?.(Temporal.Instant.from("2026-10-12T15:00:00Z"))).toBe(false);
  });

  test("brings filings before the index of the day, with their moments, and each once", async () => {
    world.add(...day("2026-09-09", 60));
    const it = await open("2026-09-09T22:00:00Z", { OWNERSHIP_FEED: "on" });
    expect(await it.run(FEED)).toMatchObject({ outcome: "succeeded", rows: 60 });
    const [known] = it.sqlite.use((db) =>
      db.all("SELECT count(*) AS n, count(accepted_at) AS dated FROM ownership_filings"),
    );
    expect(known).toEqual({ n: 60, dated: 60 });
    world.forget();
    expect(await it.run(FEED)).toMatchObject({ outcome: "succeeded", rows: 0 });
    // One page a form, and no filing again.
    expect(world.asked).toHaveLength(5);
    const before = await trades(it);
    await it.ingest.index(["2026-09-09"], () => {}, new AbortController().signal);
    await it.run(ENRICHMENT);
    expect(await trades(it)).toBe(before);
    expect(world.asked.filter((path) => path.endsWith(".txt"))).toEqual([]);
  });
});
