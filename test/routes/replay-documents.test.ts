// Documents of filings from an earlier data version: the list and the text that were stored then, whatever
// was stored or lost since.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const REPORT = "0009079327-25-900001";
/** Of another company; its index page is gone, so that the whole submission stands in for it. */
const WHOLE = "0009086051-24-900001";
const PATHS = [
  `/filings/documents?accession_number=${REPORT}`,
  `/filings/documents?accession_number=${REPORT}&as_of=2026-09-08`,
  `/filings/exhibit?accession_number=${REPORT}`,
  `/filings/exhibit?accession_number=${REPORT}&exhibit=EX-99.1&as_of=2026-09-08&max_chars=40`,
  `/filings/exhibit?accession_number=${REPORT.replaceAll("-", "")}&exhibit=EX-99.1&format=html`,
  `/filings/documents?accession_number=${WHOLE}&cik=0009086051`,
  `/filings/exhibit?accession_number=${WHOLE}&exhibit=EX-99.01`,
];

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ env: { SEC_USER_AGENT: "Test test@example.com" } });
});
afterAll(() => service.stop());

interface Said {
  readonly status: number;
  readonly version: number;
  readonly text: string;
}
async function ask(path: string, version?: number): Promise<Said> {
  const given = version === undefined ? "" : `&data_version=${version}`;
  const response = await service.fetch(`/api/v1${path}${given}`);
  const text = await response.text();
  return { status: response.status, version: Number(response.headers.get("x-data-version") ?? -1), text };
}
const refusal = ({ status, text }: Said) => [status, JSON.parse(text).code];
const generation = () => service.app().lake.generation();

let version = -1;
let before = -1;
const said = new Map<string, Said>();

test("documents of a version stay what they were, and ask and store nothing", async () => {
  service.sample.dials.set([{ match: `${WHOLE}-index.html`, fault: "wrong_shape", body: "<html></html>" }]);
  await ask(PATHS[0] ?? "");
  before = await generation();
  for (const path of PATHS) expect([path, (await ask(path)).status]).toEqual([path, 200]);
  for (const path of PATHS) said.set(path, await ask(path));
  version = await generation();
  expect([...said].map(([path, one]) => [path, one.version])).toEqual(PATHS.map((path) => [path, version]));
  expect(JSON.parse(said.get(PATHS[3] ?? "")?.text ?? "")).toMatchObject({
    exhibit: "EX-99.1",
    truncated: true,
  });
  service.sample.dials.clear();

  service.clock.set("2026-12-02T15:00:00Z");
  // Another party's list is indexed, and another file of the filing is stored.
  await ask("/filings/search?ticker=ZORP&start_date=2020-01-01");
  await ask(`/filings/exhibit?accession_number=${REPORT}&exhibit=8-K`);
  await service.reopen();
  const db = new Database(join(service.dataDir, "ops.sqlite"));
  const stored = db.query("SELECT url FROM vault_objects WHERE url LIKE ? ORDER BY url").values(`%${WHOLE}%`);
  expect(stored.map(([url]) => url)).toEqual([`edgar:${WHOLE}/${WHOLE}.txt`, expect.stringContaining("99")]);
  db.run("DELETE FROM filings");
  db.run("UPDATE vault_objects SET url = 'gone:' || url");
  db.close();
  const asked = [service.sample.traffic().total, await generation()];
  for (const [path, then] of said) {
    const again = await ask(path, version);
    expect([path, again.status, again.version, again.text]).toEqual([path, 200, version, then.text]);
  }
  expect([service.sample.traffic().total, await generation()]).toEqual(asked);
});

test("a version without the document, and one without the filing, refuse it", async () => {
  for (const [path, of] of [
    // The list alone was stored by then.
    [`/filings/exhibit?accession_number=${REPORT}&exhibit=EX-99.1`, before],
    [`/filings/exhibit?accession_number=${REPORT}&exhibit=8-K`, version],
    [`/filings/documents?accession_number=${WHOLE}`, before],
    ["/filings/documents?accession_number=0009079327-25-999999", version],
  ] as const)
    expect([path, refusal(await ask(path, of))]).toEqual([path, [400, "not_replayable"]]);
  const early = await ask(`/filings/documents?accession_number=${REPORT}&as_of=2024-01-01`, version);
  expect(refusal(early)).toEqual([404, "no_data"]);
});
