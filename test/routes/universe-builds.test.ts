// Builds of snapshots that meet trouble: broken off, two at once, providers that fail; and lists that cannot
// be read.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { batch } from "../support/overlay-world.ts";
import { type Problem, type Row, UniverseService } from "../support/universe.ts";

// On a busy machine a build takes a while; nothing is measured.
setDefaultTimeout(1_200_000);

interface Discovered {
  readonly discovered: number;
  readonly added: number;
  readonly updated: number;
  readonly delisted: number;
  readonly errors: number;
  readonly warnings: readonly string[];
}

const withUniverse = async (
  work: (universe: UniverseService) => Promise<void>,
  options: Parameters<typeof UniverseService.open>[0] = {},
) => {
  const universe = await UniverseService.open(options);
  try {
    await work(universe);
  } finally {
    await universe.stop();
  }
};

const TICKERS = ["ZORP", "KRONK", "QUIB"];
const MONTHS = { start_month: "2026-03", end_month: "2026-08" };

/** Every row of a stretch of months, without when it was built. */
async function rowsOf(universe: UniverseService): Promise<Row[]> {
  return universe.service
    .app()
    .lake.query<Row>(
      "SELECT * EXCLUDE (known_at, recorded) FROM universe_snapshots ORDER BY snapshot_date, listing",
    );
}

test("a build that was broken off goes on, and ends with the rows of one that was not", async () => {
  let whole: Row[] = [];
  await withUniverse(async (universe) => {
    await universe.post("/admin/discover", {});
    await universe.build({ ...MONTHS, tickers: TICKERS });
    whole = await rowsOf(universe);
    expect(whole).toHaveLength(18);
  });
  await withUniverse(async (universe) => {
    await universe.post("/admin/discover", {});
    // Two of the months are in, and the next build is broken off while it waits for a report.
    await universe.build({ ...MONTHS, end_month: "2026-04", tickers: ["ZORP", "QUIB"] });
    universe.service.sample.dials.set([{ fault: "stall", match: "companyfacts" }]);
    const begun = await universe.begin({ ...MONTHS, tickers: TICKERS });
    await universe.waitFor(begun.job_id, ({ phase }) => phase === "figures");
    await universe.service.reopen();
    expect((await universe.status(begun.job_id)).status).toBe("interrupted");
    universe.service.sample.dials.clear();
    universe.service.sample.resetTraffic();
    const resumed = await universe.build({ ...MONTHS, tickers: TICKERS });
    expect(resumed).toMatchObject({ status: "succeeded", errors: 0, months_done: 6, rows_written: 14 });
    expect(await rowsOf(universe)).toEqual(whole);
  });
});

test("two builds at once: the second is refused and learns of the first", async () => {
  await withUniverse(async (universe) => {
    await universe.post("/admin/discover", {});
    universe.service.sample.dials.set([{ fault: "stall", match: "v8/finance/chart" }]);
    const first = await universe.begin({ ...MONTHS, tickers: ["ZORP"] });
    const second = await universe.post<Problem>("/admin/build-snapshots", { ...MONTHS, tickers: ["QUIB"] });
    expect([second.status, second.body.code]).toEqual([409, "already_running"]);
    expect(second.body.hint).toContain(first.job_id);
  });
});

describe("providers that fail", () => {
  test("a listing whose prices cannot be had gets no row, and the next build makes it", async () => {
    await withUniverse(async (universe) => {
      await universe.post("/admin/discover", {});
      universe.service.sample.dials.set([{ fault: "status", status: 500, match: "chart/KRONK" }]);
      const built = await universe.build({ ...MONTHS, start_month: "2026-08", tickers: TICKERS });
      expect(built).toMatchObject({ status: "succeeded", errors: 1, rows_written: 2 });
      expect(built.error_list[0]?.ticker).toBe("KRONK");
      universe.service.sample.dials.clear();
      universe.service.clock.set("2026-09-09T22:00:00Z");
      const again = await universe.build({ ...MONTHS, start_month: "2026-08", tickers: TICKERS });
      expect(again).toMatchObject({ errors: 0, rows_written: 1 });
      expect((await universe.row("2026-08-31", "KRONK")).market_cap).toBeGreaterThan(0);
    });
  });

  test("without a name for the SEC: the price provider's counts, none of the day, and a warning", async () => {
    await withUniverse(
      async (universe) => {
        const { body } = await universe.post<Discovered>("/admin/discover", {});
        expect([body.errors, body.warnings.length]).toEqual([0, 1]);
        const built = await universe.build({ ...MONTHS, start_month: "2026-08", tickers: ["ZORP"] });
        expect(built).toMatchObject({ status: "succeeded", errors: 0, rows_written: 1 });
        expect(await universe.row("2026-08-31", "ZORP")).toMatchObject({
          cik: null,
          shares_source: "price_provider",
          market_cap_pit: null,
          missing: "no_shares_pit",
        });
      },
      { env: {} },
    );
  });
});

describe("lists that cannot be read", () => {
  const faults = [
    ["a page", { fault: "html" }],
    ["cut off", { fault: "truncated" }],
    ["empty", { fault: "empty" }],
    ["an error", { fault: "status", status: 503 }],
  ] as const;

  test.each(faults)("one file, %s: nothing is gone, the other is taken in", async (_what, dial) => {
    await withUniverse(async (universe) => {
      await universe.post("/admin/discover", {});
      universe.service.sample.dials.set([{ ...dial, match: "nasdaqlisted" }]);
      const { status, body } = await universe.post<Discovered>("/admin/discover", {});
      expect([status, body.errors, body.delisted, body.updated]).toEqual([200, 1, 0, 0]);
      expect(body.warnings[0]).toContain("nasdaqlisted.txt could not be read");
      expect((await universe.get<{ total: number }>("/registry?is_active=false")).body.total).toBe(0);
    });
  });

  test("both: the provider's failure is the answer, and nothing is stored", async () => {
    await withUniverse(async (universe) => {
      universe.service.sample.dials.set([{ fault: "html", match: "SymDir" }]);
      const { status, body } = await universe.post<Problem>("/admin/discover", {});
      expect([status, body.code]).toEqual([502, "upstream_error"]);
      expect((await universe.get<{ total: number }>("/registry")).body.total).toBe(0);
    });
  });

  test("a 429 of the provider is answered with 429", async () => {
    await withUniverse(async (universe) => {
      universe.service.sample.dials.set([{ fault: "status", status: 429, match: "nasdaqtrader" }]);
      const { status, body } = await universe.post<Problem>("/admin/discover", {});
      expect([status, body.code]).toEqual([429, "upstream_rate_limited"]);
    });
  });

  test("a failing screener or SEC leaves their earlier data in place", async () => {
    await withUniverse(async (universe) => {
      await universe.post("/admin/discover", {});
      const before = await universe.get<{ data: Row[] }>("/registry?q=zorp");
      universe.service.sample.dials.set([
        { fault: "wrong_shape", match: "screener" },
        { fault: "status", status: 500, match: "company_tickers_exchange" },
      ]);
      const { body } = await universe.post<Discovered>("/admin/discover", {});
      expect(body).toMatchObject({ errors: 2, updated: 0, delisted: 0 });
      expect(body.warnings).toHaveLength(2);
      const after = await universe.get<{ data: Row[] }>("/registry?q=zorp");
      const reported = ({ last_seen: _seen, ...row }: Row) => row;
      expect(after.body.data.map(reported)).toEqual(before.body.data.map(reported));
    });
  });

  test("a list that has lost half of its lines is not believed", async () => {
    await withUniverse(async (universe) => {
      await universe.post("/admin/discover", {});
      const text = await (
        await fetch(`${universe.service.sample.url}/www.nasdaqtrader.com/dynamic/SymDir/otherlisted.txt`)
      ).text();
      const lines = text.trim().split("\r\n");
      const short = [...lines.slice(0, 4), lines.at(-1)].join("\r\n");
      universe.service.sample.dials.set([
        { fault: "status", status: 200, body: short, match: "otherlisted" },
      ]);
      const { body } = await universe.post<Discovered>("/admin/discover", {});
      expect([body.errors, body.delisted]).toEqual([1, 0]);
      expect(body.warnings[0]).toContain("has shrunk");
    });
  });
});

test("a month's snapshot without a row has failed: the registry is empty before the lists are read", async () => {
  await withUniverse(async ({ service }) => {
    expect(await service.app().jobs.runNow("universe-snapshots").done).toMatchObject({
      outcome: "failed",
      rows: null,
      error: "The registry has no listing to build snapshots of.",
    });
  });
});

test("a row that could not be computed for a month is added by the next scheduled build", async () => {
  await withUniverse(
    async (universe) => {
      const { service } = universe;
      const run = async () => (await service.app().jobs.runNow("universe-snapshots").done)?.outcome;
      const rows = () =>
        service.app().lake.query<Record<string, unknown>>(
          `SELECT market_cap_pit IS NULL AS lacked, missing FROM universe_snapshots
             WHERE symbol = 'ZORP' AND snapshot_date = DATE '2026-08-31' ORDER BY known_at`,
        );
      await universe.post("/admin/discover", {});
      service.sample.dials.set([{ fault: "status", status: 500, match: "companyfacts" }]);
      expect(await run()).toBe("succeeded");
      // A listing whose reports cannot be read has no row.
      expect(await rows()).toEqual([]);
      service.sample.dials.clear();
      service.clock.set("2026-10-02T22:30:00Z");
      expect(await run()).toBe("succeeded");
      const later = [{ lacked: false, missing: null }];
      expect(await rows()).toEqual(later);
      // A snapshot that is whole is not computed again.
      service.clock.set("2026-11-03T22:30:00Z");
      expect(await run()).toBe("succeeded");
      expect(await rows()).toEqual(later);
    },
    { symbols: 8 },
  );
});

test("a row that lacked its shares gets a later row once they are known", async () => {
  await withUniverse(
    async ({ service }) => {
      const { jobs, lake } = service.app();
      await service.post("/api/v1/universe/admin/discover", {});
      service.clock.set("2026-08-03T22:30:00Z");
      expect((await jobs.runNow("universe-snapshots").done)?.outcome).toBe("succeeded");
      const [july] = await lake.query<Record<string, unknown>>(
        "SELECT * EXCLUDE (recorded) FROM universe_snapshots WHERE symbol = 'ZORP'",
      );
      const lacking = {
        ...july,
        snapshot_date: "2026-08-31",
        market_cap_pit: null,
        missing: "no_shares_pit",
        known_at: "2026-09-01T22:30:00Z",
      };
      await lake.append([batch("universe_snapshots", [lacking])]);
      service.clock.set("2026-09-02T22:30:00Z");
      expect((await jobs.runNow("universe-snapshots").done)?.outcome).toBe("succeeded");
      const rows = await lake.query<Record<string, unknown>>(
        `SELECT market_cap_pit > 0 AS known, missing, known_at FROM universe_snapshots
         WHERE symbol = 'ZORP' AND snapshot_date = DATE '2026-08-31' ORDER BY known_at`,
      );
      expect(rows.map(({ known, missing }) => [known, missing])).toEqual([
        [null, "no_shares_pit"],
        [true, null],
      ]);
    },
    { symbols: 8, at: "2026-08-01T12:00:00Z" },
  );
});

test("the schedule: every session's morning, and the first session after a month", async () => {
  await withUniverse(
    async (universe) => {
      const { body } = await universe.service.get<
        { jobs: { name: string; next_run_at: string }[] } | { name: string; next_run_at: string }[]
      >("/api/v1/scheduler/jobs");
      const jobs = Array.isArray(body) ? body : ((body as { data?: [] }).data ?? body.jobs);
      const next = (name: string) => jobs.find((job) => job.name === name)?.next_run_at;
      expect([next("universe-discover"), next("universe-snapshots")]).toEqual([
        "2026-09-10T10:15:00.000Z",
        "2026-10-01T22:30:00.000Z",
      ]);
    },
    { env: { JOBS: "on", SEC_USER_AGENT: "Asof tests tests@asof.example" } },
  );
});
