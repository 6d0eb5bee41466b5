import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../platform/clock.ts";
import type { RowOf } from "../platform/lake/dataset.ts";
import { batchOf, type Lake, openLake } from "../platform/lake/lake.ts";
import { MACROS } from "./macros.ts";
import { ownershipAsOf, ownershipEvents, ownershipPositions } from "./ownership-events.ts";

setDefaultTimeout(1_200_000);

type Row = RowOf<typeof ownershipEvents>;
interface Filing {
  readonly on: string;
  readonly cusips?: string;
  readonly title?: string;
  readonly exit?: boolean;
  readonly keys?: string;
}

let lake: Lake;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "asof-positions-"));
  const knownBy = MACROS.filter(({ name }) => name === "known_by");
  const macros = [...knownBy, ownershipAsOf, ownershipPositions];
  lake = await openLake({ dir, datasets: [ownershipEvents], macros, clock: systemClock, publishes: false });
});
afterAll(async () => {
  await lake.close();
  await rm(dir, { recursive: true, force: true });
});

let issuers = 0;
const row = (
  issuer: number,
  n: number,
  { on, cusips, title, exit = false, keys = "cik:1|name:H" }: Filing,
): Row => ({
  accession_number: `${issuer}-${n}`,
  person: 1,
  reading: 1,
  form_type: "SCHEDULE 13G",
  schedule: "13G",
  is_amendment: n > 0,
  amendment_number: null,
  previous_accession_number: null,
  is_structured: true,
  filing_date: on,
  accepted_at: null,
  event_date: null,
  issuer_cik: String(issuer),
  issuer_name: "I",
  cusips: cusips ?? null,
  class_title: title ?? null,
  holder_cik: "1",
  holder_name: "H",
  holder_keys: keys,
  person_cik: null,
  person_name: "H",
  person_types: null,
  member_of_group: null,
  ownership_pct: null,
  shares_owned: null,
  sole_voting: null,
  shared_voting: null,
  sole_dispositive: null,
  shared_dispositive: null,
  filing_pct: exit ? 0 : 6,
  filing_shares: null,
  is_exit: exit,
  is_activist: false,
  activist_reason: null,
  source_sha256: "",
  known_at: `${on}T20:00:0${n}.000Z`,
});

/** The filings of one holder that are positions, by their place in the list; an exit has a minus. */
async function positions(...filings: Filing[]): Promise<string[]> {
  const issuer = ++issuers;
  await lake.append([
    batchOf(
      ownershipEvents,
      filings.map((filing, n) => row(issuer, n, filing)),
    ),
  ]);
  const found = await lake.query<Pick<Row, "accession_number" | "is_exit">>(
    "SELECT accession_number, is_exit FROM ownership_positions(NULL) WHERE issuer_cik = $issuer ORDER BY 1",
    { issuer: String(issuer) },
  );
  return found.map(({ accession_number, is_exit }) => (is_exit ? "-" : "") + accession_number.split("-")[1]);
}

const [A, B] = ["90100A101", "90100B109"];
const day = (n: number) => `202${n}-02-12`;

test("classes are positions of their own, also where the titles are one", async () => {
  expect(
    await positions(
      { on: day(1), cusips: A, title: "Class A Common Stock" },
      { on: day(1), cusips: B, title: "Class B Common Stock" },
      { on: day(2), cusips: B, title: "Class B Common Stock", exit: true },
    ),
  ).toEqual(["0", "-2"]);
  expect(
    await positions(
      { on: day(1), cusips: A, title: "Common Stock" },
      { on: day(1), cusips: B, title: "Common Stock" },
      { on: day(2), cusips: B, title: "Common Stock", exit: true },
    ),
  ).toEqual(["0", "-2"]);
});

test("without a CUSIP a class is its title, whatever its par value and case", async () => {
  expect(
    await positions(
      { on: day(1), title: "Class A Common Stock, $0.01 par value per share" },
      { on: day(1), title: "Class B common stock, no par value" },
      { on: day(2), title: "CLASS B COMMON STOCK", exit: true },
      { on: day(3), title: "Class A Common Stock, par value $.001", cusips: A },
    ),
  ).toEqual(["-2", "3"]);
});

test("one class is never split: another spelling, another CUSIP later, no class at all", async () => {
  expect(
    await positions(
      { on: day(1), cusips: A, title: "Common Stock" },
      { on: day(2), cusips: A.slice(0, 8), title: "Common Shares" },
      { on: day(3), cusips: "000000000", title: "Common Shares" },
      { on: day(4), cusips: "90100A 200", title: "Common Shares, $1.00 par value" },
      { on: day(5), exit: true },
    ),
  ).toEqual(["-4"]);
});

test("a filing without a class closes none of two; one of both classes is in place until each is replaced", async () => {
  expect(
    await positions({ on: day(1), cusips: A }, { on: day(1), cusips: B }, { on: day(2), exit: true }),
  ).toEqual(["0", "1", "-2"]);
  const both = { on: day(1), cusips: `${A},${B}`, title: "Common Stock" };
  expect(await positions(both, { on: day(2), cusips: A, title: "Common Stock" })).toEqual(["0", "1"]);
  expect(await positions(both, { on: day(2), cusips: A }, { on: day(3), cusips: B })).toEqual(["1", "2"]);
});

test("a person who joins the holder continues its position", async () => {
  expect(
    await positions(
      { on: day(1), cusips: A },
      { on: day(2), cusips: A, keys: "name:H|name:P" },
      { on: day(3), cusips: A, keys: "name:P", exit: true },
    ),
  ).toEqual(["-2"]);
  expect(
    await positions(
      { on: day(1), cusips: A },
      { on: day(2), cusips: A, keys: "name:H|name:P" },
      { on: day(3), keys: "name:P", exit: true },
    ),
  ).toEqual(["-2"]);
});
