// The dividends of all companies from an earlier data version: the same rows and warnings, and no day passes
// for read that was not.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const MARKET = "/api/v1/dividends/calendar";
const LIST = "api.nasdaq.com/api/calendar/dividends";
const READ = "2026-08-20T15:00:00Z";
const LATER = "2026-09-08T15:00:00Z";
const PATHS = [
  "from_date=2026-09-14&to_date=2026-09-25",
  "date=2026-09-22&as_of_date=2026-08-18",
  "from_date=2026-09-14&to_date=2026-09-25&limit=3&offset=1&format=csv",
  "from_date=2026-08-20&to_date=2026-08-24&as_of_date=2026-08-20",
];

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ at: READ, env: { SEC_USER_AGENT: "Test test@example.com" } });
});
afterAll(() => service.stop());

interface Answer {
  readonly version: number;
  readonly status: number;
  readonly text: string;
}
async function ask(query: string, version?: number): Promise<Answer> {
  const given = version === undefined ? "" : `&data_version=${version}`;
  const response = await service.fetch(`${MARKET}?${query}${given}`);
  const text = await response.text();
  return { version: Number(response.headers.get("x-data-version") ?? -1), status: response.status, text };
}
const bodyOf = ({ text }: Answer) =>
  JSON.parse(text) as { warnings: string[]; data: { ticker: string }[]; total: number; code?: string };
const generation = () => service.app().lake.generation();
const asked = () => service.sample.traffic().total;

let version = -1;

test("days of a version stay what they were when dividends are declared, and ask and store nothing", async () => {
  const first: Answer[] = [];
  for (const path of PATHS) await ask(path);
  // Else the lake would merge these files by itself meanwhile, which makes a further version of the same
  // rows.
  await service.app().lake.compact({ force: true });
  for (const path of PATHS) first.push(await ask(path));
  version = await generation();
  expect(first.map((one) => [one.status, one.version])).toEqual(PATHS.map(() => [200, version]));
  expect(bodyOf(first[0] as Answer).total).toBeGreaterThan(0);

  service.clock.set(LATER);
  const now = await ask(PATHS[0] ?? "");
  // More was declared by now.
  expect(bodyOf(now).total).toBeGreaterThan(bodyOf(first[0] as Answer).total);
  expect(now.version).toBeGreaterThan(version);
  await service.app().lake.compact({ force: true });
  const before = [asked(), await generation()];
  for (const [i, path] of PATHS.entries()) {
    const again = await ask(path, version);
    expect([path, again.version, again.text]).toEqual([path, version, first[i]?.text ?? ""]);
  }
  expect([asked(), await generation()]).toEqual(before);
});

test("a day with an empty list has nothing there; one that was not read is refused or named", async () => {
  // 14 December has been read, and has an empty list; the days after it have not.
  const empty = await ask("date=2026-12-14");
  expect(bodyOf(empty).warnings).toEqual([expect.stringMatching(/^nothing_there: /)]);
  const listed = await generation();
  expect((await ask("date=2026-12-14", listed)).text).toBe(empty.text);
  const unread = await ask("date=2026-12-15", listed);
  expect([unread.status, bodyOf(unread).code]).toEqual([400, "not_replayable"]);
  expect(unread.text).toContain("the lists of 2026-12-15");
  // In a span with dividends of other days it is named.
  const span = await ask("from_date=2026-09-24&to_date=2026-09-28", listed);
  expect(span.status).toBe(200);
  expect(bodyOf(span).warnings).toContainEqual(
    "not_read: The lists of 2026-09-28 were not read in this data version: what it has of these days is served.",
  );
});

test("a list that could not be read is none of the version, which says so", async () => {
  service.clock.set("2026-09-09T15:00:00Z");
  service.sample.dials.clear();
  service.sample.dials.set([{ match: LIST, fault: "status", status: 503 }]);
  const partly = await ask("from_date=2026-09-24&to_date=2026-09-28");
  expect(bodyOf(partly).warnings).toContainEqual(expect.stringMatching(/^outage: The lists of /));
  service.sample.dials.clear();
  // Something else is read, which makes a version of a later time.
  await service.get(`${MARKET}/KRONK`);
  const later = await generation();
  const again = bodyOf(await ask("from_date=2026-09-24&to_date=2026-09-28", later));
  expect(again.data).toEqual(bodyOf(partly).data);
  expect(again.warnings.filter((text) => text.startsWith("not_read: "))).toEqual([
    "not_read: The lists of 2026-09-28 were not read in this data version: what it has of these days is served.",
    "not_read: The lists of 2026-09-24, 2026-09-25 are in this data version as they were some time before: later declarations are missing.",
  ]);
  // A day that lies before the reading is answered from it.
  const past = bodyOf(await ask("from_date=2026-09-24&to_date=2026-09-25&as_of_date=2026-09-07", later));
  expect(past.warnings.filter((text) => text.startsWith("not_read: "))).toEqual([]);
});

test("a version of an earlier release, and a day after the version, are refused", async () => {
  for (const [query, of] of [
    [PATHS[3], 0],
    ["date=2026-09-22&as_of_date=2026-08-21", version],
  ] as const) {
    const refused = await ask(query ?? "", of);
    expect([query, refused.status, bodyOf(refused).code]).toEqual([query, 400, "not_replayable"]);
  }
});
