// How fresh a job says its data are, at each turn of its life.
import { expect, setDefaultTimeout, test } from "bun:test";
import { hanging, settle, start, world } from "../../../test/support/jobs-world.ts";
import { type Job, RunSkipped } from "./job.ts";

setDefaultTimeout(1_200_000);

const FRIDAY_8 = "2026-11-20T13:00:00Z";

test("not due, running, current, behind, and current again by a later run", async () => {
  const w = world(FRIDAY_8);
  const work = hanging();
  const runs: Job["run"][] = [];
  const { jobs } = start(w, {
    fills: ["short_volume"],
    retry: false,
    run: (context) => (runs.shift() ?? work.run)(context),
  });
  const status = () => {
    const [job] = jobs.list();
    return [job?.freshness, job?.last_due_at, job?.fills];
  };
  // Due at 09:00 in New York; the slot of Thursday was before this installation.
  expect(status()).toEqual(["not_due", "2026-11-19T14:00:00.000Z", ["short_volume"]]);
  w.clock.set("2026-11-20T14:00:00Z");
  expect(status()[0]).toBe("behind");
  const first = jobs.due("ingest");
  await settle();
  expect(status()).toEqual(["running", "2026-11-20T14:00:00.000Z", ["short_volume"]]);
  work.end({ rows: 1 });
  await first;
  expect(status()[0]).toBe("current");
  w.clock.set("2026-11-23T14:00:00Z");
  runs.push(() => Promise.reject(new Error("upstream")));
  await jobs.due("ingest");
  expect(status()).toEqual(["behind", "2026-11-23T14:00:00.000Z", ["short_volume"]]);
  expect(jobs.list()[0]?.last_succeeded_at).toBe("2026-11-20T14:00:00.000Z");
  w.clock.set("2026-11-24T14:00:00Z");
  runs.push(() => Promise.resolve({ rows: 2 }));
  await jobs.due("ingest");
  expect(status()[0]).toBe("current");
});

test("a job that lacks a setting is skipped, and one that is off says so", async () => {
  const w = world(FRIDAY_8);
  const { jobs } = start(w, { run: () => Promise.reject(new RunSkipped("Set KEY.")) });
  w.clock.set("2026-11-20T14:00:00Z");
  await jobs.due("ingest");
  expect(jobs.list()[0]?.freshness).toBe("skipped");
  const off = start(world(FRIDAY_8), { enabled: false });
  expect(off.jobs.list()[0]).toMatchObject({ freshness: "off", last_due_at: null, next_run_at: null });
});
