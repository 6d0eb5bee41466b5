// Every provider with every fault it can meet: the outcome is as documented, nothing faulty is stored, stored
// data is served.
import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Dial } from "../../sample/faults.ts";
import { openSampleService, type SampleService } from "../support/service.ts";
import { type Answered, type Outcome, ROWS, type Row } from "./matrix-rows.ts";

setDefaultTimeout(1_200_000);

const ENV = {
  SEC_USER_AGENT: "Asof tests tests@asof.example",
  MARKETFEED_API_KEY: "SAMPLEKEY",
  MARKETFEED_SECRET_KEY: "SampleSecret",
  ECONDATA_API_KEY: "abcdefghijklmnopqrstuvwxyz012345",
};
const { MARKETFEED_API_KEY: _id, MARKETFEED_SECRET_KEY: _secret, ...KEYLESS } = ENV;
/** Longer than any breaker stays open after failures. */
const LATER_MS = 20 * 60_000;
/** Longer than a provider itself asks to wait. */
const LATER_OWN_MS = 70 * 60_000;
/** A provider's time-out of a minute passes in a sixth of a second. */
const STALL_SPEED = 400;
/** The body must be read to our limit before the provider's time-out. */
const HUGE_SPEED = 2;
const HUGE_BYTES = 40_000_000;

/** The service and its upstream share this process: whatever delays one delays the other and these looks. */
const QUIET_LOOKS = 10;
const QUIET_LOOK_MS = 30;

const LIMITED = [429, "upstream_rate_limited"] as const;
const FAILED = [502, "upstream_error"] as const;
const LATE = [504, "upstream_timeout"] as const;

/** Each fault and its outcome, unless the row names another. */
const DIALS: readonly (readonly [name: string, dial: Dial, outcome: Outcome])[] = [
  ["429", { fault: "rate_limited" }, LIMITED],
  ["429 with Retry-After", { fault: "rate_limited", retryAfterS: 7 }, LIMITED],
  ["429 until a date", { fault: "rate_limited", retryAfterS: 90, retryAfterAs: "date" }, LIMITED],
  ["500", { fault: "status", status: 500 }, FAILED],
  ["503", { fault: "status", status: 503 }, FAILED],
  ["403", { fault: "status", status: 403 }, FAILED],
  ["404", { fault: "status", status: 404 }, FAILED],
  ["html", { fault: "html" }, FAILED],
  ["empty", { fault: "empty" }, FAILED],
  ["another shape", { fault: "wrong_shape" }, FAILED],
  ["reset", { fault: "reset" }, FAILED],
  ["truncated", { fault: "truncated" }, FAILED],
  ["huge", { fault: "huge", bytes: HUGE_BYTES }, FAILED],
  ["silence", { fault: "stall" }, LATE],
  ["half, then silence", { fault: "stall", bytes: 40 }, LATE],
];

const later = ({ clock }: SampleService, { hasOwnPause }: Row) =>
  clock.set(
    Temporal.Instant.fromEpochMilliseconds(
      clock.nowMs() + (hasOwnPause ? LATER_OWN_MS : LATER_MS),
    ).toString(),
  );

const ask = ({ get, post }: SampleService, asked: string | readonly [string, unknown]): Promise<Answered> =>
  typeof asked === "string" ? get(asked) : post(...asked);

const rowsOf = (service: SampleService, dataset: string) =>
  service
    .app()
    .lake.stats()
    .find((d) => d.dataset === dataset)?.rows ?? 0;

/** The outcome of a problem document; a row that answers with a warning instead has its own `outcome`. */
const problem = ({ status, body }: Answered): Outcome => [status, body.code as string];

const outcomeOf = (row: Row, answer: Answered): Outcome => row.outcome?.(answer) ?? problem(answer);

async function health(service: SampleService, name: string) {
  const { status, body } = await service.get<{ dependencies: Record<string, { status: string }> }>(
    "/api/v1/health",
  );
  return [status, body.dependencies[name]?.status];
}

/** Waits until the row's datasets have grown: some rows reach the lake a moment after the answer. */
async function grown(service: SampleService, { writes = [] }: Row, before: readonly number[]) {
  const left = () => writes.filter((dataset, i) => rowsOf(service, dataset) <= (before[i] ?? 0));
  while (left().length > 0) await Bun.sleep(10);
}

/** Filings and events of the operational database that the lake does not have yet. */
function unpublished({ dataDir }: SampleService): number {
  const database = new Database(join(dataDir, "ops.sqlite"), { readonly: true });
  try {
    const count = (table: string) =>
      database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table} WHERE NOT published`).get()?.n ??
      0;
    return count("filings") + count("filing_events");
  } finally {
    database.close();
  }
}

/**
 * Waits until no request goes out any more and nothing is left to publish: new filings are parsed in the
 * background, where a request could take the breaker's only probe from the row's own, and their rows reach
 * the lake later still.
 */
async function quiet(service: SampleService) {
  let seen = -1;
  for (let still = 0; still < QUIET_LOOKS; still++) {
    const { total } = service.sample.traffic();
    if (total !== seen || unpublished(service) > 0) still = 0;
    seen = total;
    await Bun.sleep(QUIET_LOOK_MS);
  }
}

/** Checks one fault of one row for everything that the file's first line says. */
async function checkFault(service: SampleService, row: Row, n: number, kept: unknown) {
  const [name, dial, usual] = DIALS[n] ?? expect.unreachable();
  const { clock, sample } = service;
  const outcome = row.outcomes?.[name] ?? row.all ?? usual;
  later(service, row);
  const before = (row.writes ?? []).map((dataset) => rowsOf(service, dataset));
  sample.dials.set([{ ...dial, match: row.match }]);
  if (dial.fault === "stall") clock.setSpeed(STALL_SPEED);
  if (dial.fault === "huge") clock.setSpeed(HUGE_SPEED);
  const answer = await ask(service, row.ask(n));
  clock.setSpeed(row.speed);
  const seen = await health(service, row.health);
  const stored = row.stored ? await ask(service, row.stored.ask) : null;
  sample.dials.clear();
  expect([name, ...outcomeOf(row, answer)]).toEqual([name, ...outcome]);
  if (answer.status >= 400) {
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    if (answer.status !== 413) expect([row.upstream, row.health]).toContain(answer.body.upstream as string);
    const retryAfter = answer.headers.get("retry-after");
    const upstream = String(answer.body.upstream);
    // The regulator is left alone for ten minutes; for the price provider the pause is always 30 s.
    if (answer.status === 429 && /^(edgar|sec)/.test(upstream))
      expect([name, Number(retryAfter) > 30, Number(retryAfter) <= 600]).toEqual([name, true, true]);
    else if (answer.status === 429 && (row.hasOwnPause || !upstream.startsWith("yahoo")))
      expect(Number(retryAfter)).toBeGreaterThan(0);
    else expect([name, retryAfter]).toEqual([name, answer.status === 429 ? "30" : null]);
  }
  expect([name, answer.headers.get("x-request-id") !== null]).toEqual([name, true]);
  if (row.stored && stored)
    expect([name, stored.status, row.stored.pick(stored.body)]).toEqual([name, 200, kept]);
  // Health stays: a changed shape is found only when the answer is decoded, and a worded refusal is an
  // answer.
  const affectsHealth = !["another shape", ...(row.quiet ?? [])].includes(name);
  if (affectsHealth) expect([name, ...seen]).toEqual([name, 200, expect.stringMatching(/^(degraded|down)$/)]);
  expect([name, (row.writes ?? []).map((dataset) => rowsOf(service, dataset))]).toEqual([name, before]);
}

describe.each(ROWS.map((row) => [row.name, row] as const))("%s", (_, row) => {
  test("each fault has its documented outcome and leaves nothing behind; afterwards everything is as before", async () => {
    const service = await openSampleService({
      env: row.keyless ? KEYLESS : ENV,
      ...(row.speed === undefined ? {} : { speed: row.speed }),
    });
    try {
      for (const path of row.before ?? [])
        expect([path, (await ask(service, path)).status]).toEqual([path, 200]);
      const first = row.stored ? await ask(service, row.stored.ask) : null;
      expect(first?.status ?? 200).toBe(200);
      const kept = row.stored?.pick(first?.body ?? {});
      if (row.stored) expect(JSON.stringify(kept).length).toBeGreaterThan(20);
      if (row.stored) await grown(service, row, []);
      await quiet(service);
      for (const n of DIALS.keys()) await checkFault(service, row, n, kept);
      later(service, row);
      const before = (row.writes ?? []).map((dataset) => rowsOf(service, dataset));
      const recovered = await ask(service, row.ask(DIALS.length));
      expect(outcomeOf(row, recovered)[1] ?? "").toBe(row.outcome ? "well" : "");
      expect([recovered.status, ...(await health(service, row.health))]).toEqual([200, 200, "healthy"]);
      await grown(service, row, before);
      const errors = service.log.lines.filter((l) => l.level === "error" && !row.logs?.includes(l.message));
      expect(errors).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});

test("the matrix has every host of the providers' policies, or a reason why not", () => {
  const policies = new Bun.Glob("src/providers/*/*policy.ts").scanSync(join(import.meta.dir, "../.."));
  const hosts = [...policies].flatMap((path) =>
    [
      ...readFileSync(join(import.meta.dir, "../..", path), "utf8").matchAll(
        /"([a-z0-9-]+(?:\.[a-z0-9-]+)+)"/g,
      ),
    ].map(([, host]) => host ?? ""),
  );
  const missingOnPurpose: Readonly<Record<string, string>> = {
    "fc.yahoo.com": "hands out its cookie whatever its page says; price-faults.test.ts injects its faults",
    "finance.yahoo.com": "as above",
    "guce.yahoo.com": "as above",
    "consent.yahoo.com": "as above",
    "nasdaq.com": "only the target of redirects; upstream-address.test.ts tests redirects",
    "globenewswire.com": "as above",
    "rss.globenewswire.com": "as above",
  };
  const missing = hosts.filter(
    (host) => !(host in missingOnPurpose) && !ROWS.some((row) => row.host === host),
  );
  expect(missing).toEqual([]);
  expect(hosts.length).toBeGreaterThan(10);
});
