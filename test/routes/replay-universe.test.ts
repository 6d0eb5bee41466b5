// The universe from an earlier data version: the same listings, whatever was stored since, no list read and
// nothing written.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { batch } from "../support/overlay-world.ts";
import { type Problem, type Row, type Screen, UniverseService } from "../support/universe.ts";

setDefaultTimeout(1_200_000);

const DISCOVERED = "2026-09-09T20:00:00Z";
const AS_OF = "2026-09-09T20:30:00Z";
const REREAD = "2026-09-10T16:00:00Z";
const BUILT = "2026-09-09T21:00:00Z";
const LATER = "2026-09-10T20:00:00Z";
const SCREEN = "/screen?date=2025-06-30";
const REGISTRY = `/registry?q=ZORP&as_of=${AS_OF}`;
const ROWS = "/api/v1/universe/screen?date=2025-06-30&format=csv";

let universe: UniverseService;
let version: number;
let listedName: unknown;
beforeAll(async () => {
  universe = await UniverseService.open({ at: DISCOVERED });
  await universe.post("/admin/discover", {});
  listedName = (await asked<Listed>(REGISTRY)).body.data.find(({ ticker }) => ticker === "ZORP")?.name;
  universe.service.clock.set(BUILT);
  const month = { start_month: "2025-06", end_month: "2025-06", tickers: ["ZORP", "NURBL"] };
  expect(await universe.build(month)).toMatchObject({ status: "succeeded", rows_written: 2 });
  // The build indexes filings, which are parsed in the background: closing the service ends that, and no
  // replay begins it.
  await universe.service.reopen();
  version = await universe.service.app().lake.generation();
});
afterAll(() => universe.stop());

interface Listed {
  readonly total: number;
  readonly data: readonly Row[];
}

const asked = async <T>(path: string) => {
  const { status, headers, body } = await universe.get<T>(path);
  expect([path, status, (body as { code?: string }).code]).toEqual([path, 200, undefined]);
  return { version: Number(headers.get("x-data-version")), body };
};
const csv = async (version?: number) => {
  const query = version === undefined ? "" : `&data_version=${version}`;
  return (await universe.service.fetch(`${ROWS}${query}`)).text();
};

test("screen and registry of a version stay what they were when listings and snapshots are stored later", async () => {
  const screen = await asked<Screen>(SCREEN);
  const registry = await asked<Listed>(REGISTRY);
  const rows = await csv();
  expect([screen.version, registry.version]).toEqual([version, version]);
  expect(screen.body.total).toBe(2);
  const { lake } = universe.service.app();
  // The snapshot is built again with another close, and a listing is read again under another name, known
  // before as_of.
  const [built] = await lake.query<Row>(
    "SELECT * EXCLUDE (recorded) FROM universe_snapshots WHERE symbol = 'ZORP'",
  );
  const [listed] = await lake.query<Row>(
    "SELECT * EXCLUDE (recorded) FROM universe_registry WHERE symbol = 'ZORP'",
  );
  const known_at = new Date(universe.service.clock.nowMs()).toISOString();
  await lake.append([
    batch("universe_snapshots", [{ ...built, close_price: Number(built?.close_price) + 7, known_at }]),
    batch("universe_registry", [{ ...listed, name: "Zorp Renamed", known_at: "2026-09-09T20:10:00Z" }]),
  ]);
  // A reading of the lists that finds no change: only when they were last read differs.
  universe.service.clock.set(REREAD);
  await universe.post("/admin/discover", {});
  const world = async () => [
    universe.service.sample.traffic().total,
    await lake.generation(),
    await lake.query("SELECT count(*) AS rows, max(recorded) AS newest FROM universe_registry"),
    await lake.query("SELECT count(*) AS rows, max(recorded) AS newest FROM universe_snapshots"),
  ];
  const before = await world();
  const closeOf = ({ data }: Listed | Screen) => data.find(({ ticker }) => ticker === "ZORP")?.close_price;
  const nameOf = ({ data }: Listed) => data.find(({ ticker }) => ticker === "ZORP")?.name;

  const now = [await asked<Screen>(SCREEN), await asked<Listed>(REGISTRY)] as const;
  expect(closeOf(now[0].body)).toBe(Number(closeOf(screen.body)) + 7);
  expect(nameOf(now[1].body)).toBe("Zorp Renamed");
  expect(nameOf(registry.body)).not.toBe("Zorp Renamed");
  expect(await csv()).not.toBe(rows);

  // As known at a later moment, the version has neither the later name nor the later reading.
  const lastSeen = ({ data }: Listed) => data.find(({ ticker }) => ticker === "ZORP")?.last_seen;
  const late = (await asked<Listed>(`/registry?q=ZORP&as_of=${LATER}&data_version=${version}`)).body;
  expect([nameOf(late), lastSeen(late)]).toEqual([nameOf(registry.body), lastSeen(registry.body)]);
  expect(lastSeen(registry.body)).toStartWith("2026-09-09T20:0");
  universe.service.clock.set("2026-09-10T20:30:00Z");
  const seenNow = lastSeen((await asked<Listed>(`/registry?q=ZORP&as_of=${LATER}`)).body);
  expect(seenNow).toStartWith("2026-09-10T16:0");

  expect(await asked<Screen>(`${SCREEN}&data_version=${screen.version}`)).toEqual(screen);
  expect(await asked<Listed>(`${REGISTRY}&data_version=${registry.version}`)).toEqual(registry);
  expect(await csv(screen.version)).toBe(rows);
  expect(await world()).toEqual(before);
});

test("a version before the first snapshot and the first listing has none, and does not tell of later ones", async () => {
  const none = await universe.get<Problem>(`${SCREEN}&as_of=${LATER}&data_version=0`);
  expect([none.status, none.body.code]).toEqual([404, "no_data"]);
  // The first commit of listings comes before that of the snapshot.
  const [first] = await universe.service
    .app()
    .lake.query<Row>(
      "SELECT recorded, known_at FROM universe_registry WHERE symbol = 'ZORP' ORDER BY recorded LIMIT 1",
    );
  const only = await asked<Listed>(
    `/registry?q=ZORP&as_of=${first?.known_at}&data_version=${Number(first?.recorded)}`,
  );
  expect(only.body.data.find(({ ticker }) => ticker === "ZORP")).toMatchObject({
    name: listedName,
    market_cap: null,
  });
  const early = await universe.get<Problem>(`${SCREEN}&data_version=${Number(first?.recorded)}`);
  expect([early.status, early.body.code]).toEqual([404, "no_data"]);
});

test("a version has the listings without a moment too, and no market values, which are those of now", async () => {
  const before = universe.service.sample.traffic().total;
  const own = await asked<Listed>(`/registry?q=ZORP&data_version=${version}`);
  const now = (await asked<Listed>("/registry?q=ZORP")).body;
  const zorp = ({ data }: Listed) => data.find(({ ticker }) => ticker === "ZORP");
  expect(own.version).toBe(version);
  expect<unknown>([zorp(own.body)?.name, zorp(now)?.name]).toEqual([listedName, "Zorp Renamed"]);
  expect(zorp(own.body)).toMatchObject({ market_cap: null, market_cap_at: null, is_active: true });
  expect(zorp(own.body)?.last_seen).toStartWith("2026-09-09T20:0");
  expect(Number(zorp(now)?.market_cap)).toBeGreaterThan(0);
  expect(universe.service.sample.traffic().total).toBe(before);
});

test("a day after as_of is in the future, in every version and at any later time", async () => {
  const ahead = `/screen?date=2026-09-20&as_of=${LATER}&data_version=${version}`;
  const first = await asked<Screen>(ahead);
  expect(first.body.warnings).toEqual([
    `2026-09-20 is in the future: the answer is the newest stored snapshot, that of ${first.body.snapshot_date}.`,
    `not_read: The snapshot of 2026-08-31 is not stored: the answer is that of ${first.body.snapshot_date}.`,
  ]);
  universe.service.clock.set("2026-10-01T20:00:00Z");
  expect(await asked<Screen>(ahead)).toEqual(first);
});

test("readings that an earlier release noted without a version are stored at the next reading, and not guessed before", async () => {
  // Such a release left a reading in the operational database alone.
  const old = "2026-08-01T14:00:00Z";
  const state = new Database(join(universe.service.dataDir, "ops.sqlite"));
  state.run("INSERT INTO universe_readings (list, read_at, rows) VALUES ('nasdaqlisted', ?, 1)", [
    "2026-08-01T14:00:00.000Z",
  ]);
  state.close();
  const before = await asked<Screen>(SCREEN);
  expect(before.body.listings_known_since).toBe(old);
  const replayed = await asked<Screen>(`${SCREEN}&data_version=${before.version}`);
  expect(replayed.body.listings_known_since).toStartWith("2026-09-09T20:0");
  await universe.post("/admin/discover", {});
  const after = await asked<Screen>(SCREEN);
  expect(after.body.listings_known_since).toBe(old);
  expect(await asked<Screen>(`${SCREEN}&data_version=${after.version}`)).toEqual(after);
});
