// Overlay scores before their inputs are there, and once they were there and stay away.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { addDays } from "../../src/market/date.ts";
import { LAST, SESSIONS, store, worldOf } from "../support/overlay-world.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ at: "2026-08-01T02:50:00Z", symbols: 30, years: 1 });
});
afterAll(() => service.stop());

/** Runs the job without a date on the evening of a session. */
const runOn = (date: string) => {
  service.clock.set(`${addDays(date, 1)}T02:50:00Z`);
  return service.app().jobs.runNow("overlay-scores").done;
};

test("a run on an empty box is skipped and says which inputs it waits for", async () => {
  expect(await runOn(SESSIONS.at(-3) ?? LAST)).toMatchObject({
    outcome: "skipped",
    rows: null,
    error:
      "Waiting for its inputs: no ticker could be scored yet. Nothing is stored yet of: attention, news, short_volume, insider, bars.",
  });
});

test("once the inputs are there it scores, the session before them too", async () => {
  await store(service.app().lake, worldOf(20_260_917));
  const run = await runOn(SESSIONS.at(-2) ?? LAST);
  expect(run).toMatchObject({ outcome: "succeeded", error: null });
  const scored = await service
    .app()
    .lake.query<{ date: string }>("SELECT DISTINCT date FROM overlay_scores ORDER BY date");
  expect(scored.map(({ date }) => date)).toEqual(SESSIONS.slice(-3, -1));
});

test("inputs that were there and are missing fail each run, not only the first one", async () => {
  for (const day of ["2027-01-05", "2027-01-06"])
    expect(await runOn(day)).toMatchObject({
      outcome: "failed",
      error: `No ticker has a score for ${day}: the inputs are missing`,
    });
});
