// A service that is killed while it reads a company's current reports reads the others when it is asked
// again, each once.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FilingService } from "../support/filing-service.ts";
import { MANY_EVENTS, openManyEvents } from "../support/many-events.ts";

setDefaultTimeout(1_200_000);

const NOT_READ = /^not_read: \d+ filings of these days are not read yet\. /;

/** Reports that are parsed, and those that wait. */
const states = ({ sqlite }: FilingService, status: "succeeded" | "pending") =>
  sqlite
    .use((db) =>
      db.all<{ accession_number: string }>(
        `SELECT accession_number FROM filing_parses WHERE status = '${status}' ORDER BY accession_number`,
      ),
    )
    .map(({ accession_number }) => accession_number);

const events = async (service: FilingService) => (await service.get(`/events/${MANY_EVENTS}`)).body;

/** Every row of the lake as text, without the moment of its reading and the commit that it came with. */
const rows = async ({ lake }: FilingService) =>
  (await lake.query("SELECT * EXCLUDE (recorded, parsed_at) FROM filing_events"))
    .map((row) => JSON.stringify(row))
    .sort();

/** The result of an undisturbed run. */
let reference: { readonly data: unknown; readonly rows: string[]; readonly reports: string[] };
beforeAll(async () => {
  const service = await openManyEvents(() => {});
  await events(service);
  await service.capability.idle();
  reference = {
    data: (await events(service)).data,
    rows: await rows(service),
    reports: states(service, "succeeded"),
  };
  await service.stop();
});

// The request reads the newest for five seconds, the background the others.
test.each([
  [3, "in the request"],
  [60, "in the background"],
])("killed when %d reports were begun, %s", async (last, place) => {
  const dataDir = await mkdtemp(join(tmpdir(), "asof-events-"));
  const script = join(import.meta.dir, "events-killed.ts");
  const child = Bun.spawn([process.execPath, script, dataDir, String(last)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const said = await new Response(child.stdout).text();
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  if (place === "in the request") expect(said).toBe("");
  else expect(JSON.parse(said)[0]).toMatch(NOT_READ);

  const begun: string[] = [];
  const service = await openManyEvents((report) => begun.push(report), dataDir);
  try {
    const [kept, left] = [states(service, "succeeded"), states(service, "pending")];
    expect([...kept, ...left].sort()).toEqual(reference.reports);
    // Six are under way at once: four of the request, two in the background.
    expect(kept.length).toBeLessThanOrEqual(last);
    expect(kept.length).toBeGreaterThanOrEqual(last - 6);
    const first = await events(service);
    expect(first.warnings).toEqual([expect.stringMatching(NOT_READ)]);
    expect(reference.data).toEqual(expect.arrayContaining(first.data as unknown[]));
    await service.capability.idle();
    const whole = await events(service);
    expect([whole.warnings, whole.parsed_now, whole.data]).toEqual([[], 0, reference.data]);
    expect(begun.sort()).toEqual(left);
    expect(await rows(service)).toEqual(reference.rows);
    const { findings } = await service.lake.check();
    expect(findings.filter(({ severity }) => severity !== "warning")).toEqual([]);
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
