// Overlay scores whose inputs arrive later: the scheduled runs, their order and their rows.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { addDays } from "../../src/market/date.ts";
import { batch, figuresByHand, LAST, SESSIONS, store, worldOf } from "../support/overlay-world.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Row {
  readonly date: string;
  readonly short_volume_date: string | null;
  readonly short_volume_z: number | null;
  readonly known_at: string;
}

const world = worldOf(20_260_917);
/** The session that is scored first, and the file of the session before it that arrives afterwards. */
const DAY = SESSIONS.at(-12) ?? LAST;
const FILE = SESSIONS.at(-13) ?? LAST;
let service: SampleService;

async function computeScore(date: string, minute: number): Promise<number | null> {
  service.clock.set(
    Temporal.Instant.from(`${addDays(date, 1)}T02:50:00Z`)
      .add({ minutes: minute })
      .toString(),
  );
  const run = await service.app().jobs.runNow("overlay-scores").done;
  expect(run).toMatchObject({ outcome: "succeeded" });
  return run?.rows ?? null;
}
const rowsOf = (date: string) =>
  service.app().lake.query<Row>(
    `SELECT date, short_volume_date, short_volume_z, known_at FROM overlay_scores
        WHERE symbol = 'OVA' AND date = $date::DATE ORDER BY known_at`,
    { date },
  );

beforeAll(async () => {
  service = await openSampleService({ at: "2026-08-01T02:50:00Z", symbols: 30, years: 1 });
  await store(service.app().lake, {
    ...world,
    ratios: world.ratios.filter(({ date }) => date !== FILE),
  });
});
afterAll(() => service.stop());

test("a file that arrives after the run gives the session a later row, and the earlier one stays", async () => {
  await computeScore(DAY, 0);
  const [first, ...none] = await rowsOf(DAY);
  expect(none).toEqual([]);
  expect(first?.short_volume_date).toBe(SESSIONS.at(-14) as string);

  const late = world.ratios.find(({ date }) => date === FILE);
  if (!late) throw new Error("no such file");
  const { known_at } = late;
  const next = SESSIONS.at(-1) ?? LAST;
  const fetched_at = `${next}T22:15:00Z`;
  await service.app().lake.append([
    batch("short_volume", [
      {
        symbol: "OVA",
        date: FILE,
        facility: "CNMS",
        short_volume: Math.round(late.value * 1e6),
        total_volume: 1e6,
        known_at,
        fetched_at,
      },
    ]),
    batch("finra_files", [{ date: FILE, facility: "CNMS", known_at, fetched_at }]),
  ]);
  // More than five sessions later: only what arrived names the session.
  await computeScore(next, 0);
  const [before, after, ...more] = await rowsOf(DAY);
  expect(more).toEqual([]);
  expect(before).toEqual(first as Row);
  expect(after?.short_volume_date).toBe(FILE);
  expect(after?.short_volume_z).toBeCloseTo(figuresByHand(world, DAY).short_volume_z ?? Number.NaN, 5);
  expect(after?.known_at.startsWith(addDays(next, 1))).toBe(true);
});

test("once computed again, it is not computed a third time", async () => {
  expect(await computeScore(LAST, 5)).toBe(0);
  expect(await rowsOf(DAY)).toHaveLength(2);
});
