// The ledger as events: order, live commits, heartbeats, cuts, slow readers and the end.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { filed, lakeYard, DATASETS as PLAIN, price, prices } from "../../../test/faults/lake-support.ts";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import type { ListedHolder, ListedHolders } from "../../market/issuer.ts";
import { batchOf, type Change, type Lake } from "../../platform/lake/lake.ts";
import { changeRequests } from "./requests.ts";
import type { ChangesQuery } from "./schema.ts";
import { changeStream } from "./stream.ts";

setDefaultTimeout(1_200_000);

const DATASETS = [...PLAIN, filed];

const yards = lakeYard({ publishes: false });
const yard = { ...yards, open: () => yards.open({ datasets: DATASETS }) };
afterEach(yards.clear);

function streamOver(lake: Lake, listedHolders: ListedHolders = () => []) {
  const clock = fakeClock("2026-03-10T00:00:00Z");
  const ending = new AbortController();
  const open = changeStream(
    { lake, clock },
    changeRequests({ lake, datasets: DATASETS, generationOf: () => null, listedHolders }),
    ending.signal,
  );
  return {
    clock,
    ending,
    async reader(query: ChangesQuery = {}, headers: Record<string, string> = {}) {
      const { facts } = await open(query, new Request("http://localhost/", { headers }));
      if (!facts.events) throw new Error("no events");
      return textReader(facts.events.getReader());
    },
  };
}

/** Reads a stream of events, text by text. */
function textReader(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let text = "";
  const decoder = new TextDecoder();
  const more = async () => {
    const { done, value } = await reader.read();
    text += value ? decoder.decode(value, { stream: true }) : "";
    return !done;
  };
  return {
    text: () => text,
    more,
    async until(isSo: (text: string) => boolean) {
      while (!isSo(text)) if (!(await more())) throw new Error(`the stream ended: ${text.slice(-200)}`);
      return text;
    },
    cancel: () => reader.cancel(),
  };
}

/** The changes in a text of whole events, and the last id. */
function eventsIn(text: string) {
  const whole = text.slice(0, text.lastIndexOf("\n\n") + 2).split("\n\n");
  const rows = whole.filter((event) => !event.startsWith("event: "));
  const lines = rows.flatMap((event) => event.split("\n"));
  return {
    changes: lines
      .filter((line) => line.startsWith("data: "))
      .map((line) => JSON.parse(line.slice(6)) as Change),
    id: lines
      .filter((line) => line.startsWith("id: "))
      .at(-1)
      ?.slice(4),
  };
}

const day = (n: number) => new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);
const all = (lake: Lake, to: number) => lake.ledger({ from: 0, to, datasets: DATASETS });

test("what is there comes first, each event with its cursor, then each commit as it is made", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", day(1)), price("B", day(1))])]);
  await lake.append([batchOf(prices, [price("A", day(2))])]);
  const reader = await streamOver(lake).reader();
  const first = await reader.until((text) => text.includes("id: 2\n\n"));
  expect(first).toStartWith("retry: 2000\n\nid: 0\ndata: {");
  expect(eventsIn(first).changes).toEqual(await all(lake, 2));
  expect([...first.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(["0", "1", "2", "2"]);
  const reading = reader.more();
  await lake.append([batchOf(prices, [price("A", day(3))])]);
  await reading;
  await reader.until((text) => text.includes("id: 3\n\n"));
  expect(eventsIn(reader.text()).changes).toEqual(await all(lake, 3));
  await reader.cancel();
});

test("a filter leaves rows out and moves the cursor on", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", day(1))])]);
  await lake.append([batchOf(prices, [price("B", day(1))])]);
  const reader = await streamOver(lake).reader({ symbol: "a" });
  const { changes, id } = eventsIn(await reader.until((text) => text.includes("id: 2\n\n")));
  expect([changes.map(({ symbol }) => symbol), id]).toEqual([["A"], "2"]);
  await reader.cancel();
});

test("a stream about a symbol says what it leaves out, and which companies it is about once that changes", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(filed, [{ cik: "1", number: 1, known_at: "2026-01-01T00:00:00Z" }])]);
  const holders: ListedHolder[] = [];
  const reader = await streamOver(lake, () => holders).reader({ symbol: "A" });
  const unknown = await reader.until((text) => text.includes("id: 1\n\n"));
  expect(unknown).toStartWith(
    'retry: 2000\n\nevent: warning\ndata: {"warnings":["Changes of these datasets are left out, because their rows name a company by its CIK, and no list of the SEC that was read has a company with the symbol A: filed. Ask for one of them with dataset, without symbol."]}\n\n',
  );
  expect(unknown).not.toContain('"number"');
  holders.push(
    { cik: "2", name: "New", predecessor_ciks: [], gone_at: null },
    { cik: "1", name: "Old", predecessor_ciks: [], gone_at: "2026-01-02T00:00:00Z" },
  );
  const document = (number: number, known_at: string) => ({ cik: "1", number, known_at });
  await lake.append([
    batchOf(filed, [document(2, "2026-01-01T00:00:00Z"), document(3, "2026-01-03T00:00:00Z")]),
  ]);
  const later = (await reader.until((text) => text.includes("id: 2\n\n"))).slice(unknown.length);
  expect(later).toContain(
    'event: warning\ndata: {"warnings":["holder_changed: rows that name a CIK and not A are those of New (CIK 2), which has it; of Old (CIK 1) for rows known before 2026-01-02T00:00:00Z, when the SEC\'s list lacked it."]}\n\n',
  );
  await reader.until((text) => text.endsWith("id: 2\n\n"));
  expect(eventsIn(reader.text()).changes.map(({ key }) => key)).toEqual([{ cik: "1", number: 2 }]);
  await reader.cancel();
});

test("a stream without commits shows every 15 s that it lives", async () => {
  const lake = await yard.open();
  const { clock, reader: open } = streamOver(lake);
  const reader = await open();
  await reader.until((text) => text.includes("retry"));
  for (const beat of [1, 2]) {
    let isRead = false;
    const reading = reader.more().then(() => {
      isRead = true;
    });
    // Nothing comes before the 15 s are over, however often the stream has its turn.
    for (let turn = 0; turn < 50; turn++) await Bun.sleep(0);
    clock.advance(14_999);
    for (let turn = 0; turn < 50; turn++) await Bun.sleep(0);
    expect(isRead).toBe(false);
    clock.advance(1);
    await reading;
    expect(reader.text().split(": heartbeat\n\n").length - 1).toBe(beat);
  }
  await reader.cancel();
});

test("a client that is cut off again and again, anywhere in an event, misses nothing", async () => {
  const lake = await yard.open();
  // CUT_COMMITS=100 CUT_ROWS=1000 is the full size, 100,000 changes.
  const [commits, rows] = [Number(process.env.CUT_COMMITS ?? 34), Number(process.env.CUT_ROWS ?? 25)];
  for (let n = 0; n < commits; n++)
    await lake.append([
      batchOf(
        prices,
        Array.from({ length: rows }, (_, at) => price(`S${at}`, day(n), n + 1)),
      ),
    ]);
  const expected = await all(lake, commits);
  const { reader: open } = streamOver(lake);
  const seen = new Set<string>();
  const nameOf = ({ data_version, key }: Change) => `${data_version} ${JSON.stringify(key)}`;
  let id: string | undefined;
  // As many cuts as there are places below, each once.
  for (let cut = 0; cut < commits - 10; cut++) {
    const reader = await open({}, id === undefined ? {} : { "last-event-id": id });
    // Somewhere in the second commit that follows, so that each connection handles one.
    const events = rows + 1 + ((cut * 7) % (rows - 1));
    const text = await reader.until(
      (got) => got.split("data: ").length > events + 1 || got.includes(`id: ${commits}\n\n`),
    );
    await reader.cancel();
    const place = text.split("data: ", events + 1).join("data: ").length + 10;
    const received = eventsIn(text.slice(0, place));
    for (const change of received.changes) seen.add(nameOf(change));
    id = received.id ?? id;
  }
  expect(Number(id)).toBeLessThan(commits);
  const last = await open({}, { "last-event-id": String(id) });
  const { changes } = eventsIn(await last.until((text) => text.includes(`id: ${commits}\n\n`)));
  await last.cancel();
  for (const change of changes) seen.add(nameOf(change));
  expect(seen.size).toBe(expected.length);
  expect(seen).toEqual(new Set(expected.map(nameOf)));
});

test("for a reader that takes nothing, nothing is read ahead; its file goes when it leaves", async () => {
  const lake = await yard.open();
  await lake.append([
    batchOf(
      prices,
      Array.from({ length: 5_000 }, (_, n) => price("A", day(n))),
    ),
  ]);
  let files = 0;
  let left = 0;
  const counted: Lake = {
    ...lake,
    async ledgerOut(...given) {
      files++;
      const file = await lake.ledgerOut(...given);
      return file && { ...file, discard: () => file.discard().finally(() => left++) };
    },
  };
  const reader = await streamOver(counted).reader();
  await reader.until((text) => text.includes("retry"));
  for (let turn = 0; turn < 50; turn++) await Bun.sleep(0);
  expect(files).toBe(0);
  await reader.until((text) => text.includes("data: "));
  expect(reader.text().length).toBeLessThan(1_000_000);
  await reader.cancel();
  expect([files, left]).toEqual([1, 1]);
});

test("when the service stops, streams end without an error, waiting or not", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", day(1))])]);
  const { ending, reader: open } = streamOver(lake);
  const [waiting, unread] = [await open(), await open()];
  await waiting.until((text) => text.includes("id: 1\n\n"));
  await waiting.until((text) => text.endsWith("id: 1\n\n"));
  const reading = waiting.more();
  ending.abort();
  while (await reading.then(() => waiting.more()));
  while (await unread.more());
  const late = await open();
  while (await late.more());
  expect(late.text()).toBe("retry: 2000\n\n");
});

test("a cursor that is none, or of another store, is refused", async () => {
  const lake = await yard.open();
  const { reader: open } = streamOver(lake);
  for (const id of ["x", "-1", "1.5", "99"])
    await expect(open({}, { "last-event-id": id })).rejects.toThrow();
});
