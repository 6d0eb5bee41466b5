// Where an answer says that rows of damaged files may be missing.
import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { dataVersionField } from "../market/params.ts";
import { NotFound } from "../platform/errors.ts";
import { currentReading, damageWarnings, refuseDamage, sharedReading } from "../platform/reading.ts";
import { warnOfDamage } from "./damage-warnings.ts";
import { answerFromVersion, type VersionStore } from "./replay.ts";
import { openRequestContext } from "./request-context.ts";
import type { RouteEntry } from "./route-table.ts";
import { rowsOfOneVersion } from "./rows-of-version.ts";

const WARNING = "damaged: rows of prices may be missing, because their file is missing.";
const damage = [{ path: "prices/base-1.parquet", dataset: "prices", of: "", description: "is missing" }];
const json = (body: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(body), {
    ...init,
    headers: { "content-type": "application/json", etag: '"1"', "x-request-id": "7" },
  });

test("an answer with a list of warnings begins it with the damage, and loses the hash of its body", async () => {
  const answer = await warnOfDamage(json({ data: [], warnings: ["nothing_there: none"] }), damage);
  expect(await answer.json()).toEqual({ data: [], warnings: [WARNING, "nothing_there: none"] });
  expect([answer.headers.get("etag"), answer.headers.get("x-request-id")]).toEqual([null, "7"]);
  expect(answer.headers.get("x-warnings")).toBeNull();
});

test("an answer without one, rows and an answer without a body have the header", async () => {
  const csv = new Response("a,b\r\n", { headers: { "content-type": "text/csv", "x-warnings": '["other"]' } });
  const given = [json([1, 2]), json({ data: [] }), csv, new Response(null, { status: 304 })];
  const texts = await Promise.all(
    given.map(async (response) => {
      const answer = await warnOfDamage(response, damage);
      return [await answer.text(), answer.headers.get("x-warnings")];
    }),
  );
  expect(texts).toEqual([
    ["[1,2]", JSON.stringify([WARNING])],
    ['{"data":[]}', JSON.stringify([WARNING])],
    ["a,b\r\n", JSON.stringify([WARNING, "other"])],
    ["", JSON.stringify([WARNING])],
  ]);
});

test("nothing is there only where nothing is damaged; other errors stay", async () => {
  await expect(warnOfDamage(json({}, { status: 404 }), damage)).rejects.toMatchObject({ code: "damaged" });
  const busy = json({ warnings: [] }, { status: 503 });
  expect(await warnOfDamage(busy, damage)).toBe(busy);
  const whole = json({ warnings: [] });
  expect(await warnOfDamage(whole, [])).toBe(whole);
});

test("many files of a dataset are one warning, with the ranges of the first", () => {
  const files = [1, 2, 3].map((n) => ({
    path: `prices/${n}.parquet`,
    dataset: "prices",
    of: `year=202${n}`,
    description: "is missing",
  }));
  const other = { path: "facts/1.parquet", dataset: "facts", of: "", description: "is missing" };
  expect(damageWarnings([...files, other])).toEqual([
    "damaged: rows of prices (year=2021; 2 more files) may be missing, because their file, the first, is missing.",
    "damaged: rows of facts may be missing, because their file is missing.",
  ]);
});

const RECORDED = { recorded_at: "2026-09-01T00:00:00Z" };
const store = {
  generation: async () => 9,
  oldestVersion: () => 1,
  commits: async () => ({ commits: [RECORDED] }),
  lineOf: () => "a",
  isRowless: () => true,
  generationOf: () => null,
} as unknown as VersionStore;
const route = {
  schemas: { query: Type.Object({ data_version: dataVersionField, as_of: Type.Optional(Type.String()) }) },
} as unknown as RouteEntry;
const answered = (query: string, answer: () => Promise<Response>) => {
  const path = "/api/v1/made-up";
  const request = new Request(`http://asof.example${path}${query}`);
  openRequestContext(request, { requestId: "7", peer: "127.0.0.1", path });
  return answerFromVersion(request, route, store, answer);
};
const note = async () => currentReading()?.noteDamage(damage);
/** Shared work, of which every request that waits for it takes over the damage. */
const noteShared = async () => {
  const [request, shared] = [currentReading(), sharedReading()];
  await shared.run(note).finally(() => request?.absorb(shared));
};

test("no part of an answer that catches the error of a damaged file makes it one of a version", async () => {
  const parts: (() => Promise<Response>)[] = [
    () =>
      note().then(
        () => json({}),
        () => json({ part: null }),
      ),
    () =>
      noteShared().then(
        () => json({}),
        () => json({ part: null }),
      ),
    () =>
      note()
        .catch(() => {
          throw new NotFound("no_data", "None.", {});
        })
        .then(() => json({})),
    () =>
      rowsOfOneVersion(store, () =>
        note().then(
          () => json([]),
          () => json([]),
        ),
      ),
  ];
  for (const part of parts)
    await expect(answered("?data_version=7", part)).rejects.toMatchObject({ code: "damaged" });
  const panel = async () => {
    refuseDamage();
    await noteShared();
    return json([]);
  };
  await expect(answered("", panel)).rejects.toMatchObject({ code: "damaged" });
  const newest = await answered("", () => noteShared().then(() => json({ warnings: [] })));
  expect(await newest.json()).toEqual({ warnings: [WARNING] });
});

test("as of a moment no file is named whose rows all became known later, and no range of days", async () => {
  const file = { path: "prices/1.parquet", dataset: "prices", of: "year=2026", description: "is missing" };
  const later = {
    ...file,
    path: "facts/1.parquet",
    dataset: "facts",
    publicFrom: Temporal.Instant.from("2026-08-20T05:00:00Z"),
  };
  const read = async () => {
    const [request, shared] = [currentReading(), sharedReading()];
    request?.noteDamage([file]);
    await shared
      .run(async () => currentReading()?.noteDamage([later]))
      .finally(() => request?.absorb(shared));
    return json({ warnings: [] });
  };
  const warningsOf = async (query: string) => (await (await answered(query, read)).json()).warnings;
  const ofFacts = "damaged: rows of facts may be missing, because their file is missing.";
  const ofFactsNow = "damaged: rows of facts (year=2026) may be missing, because their file is missing.";
  expect(await warningsOf("?as_of=2026-08-19")).toEqual([WARNING]);
  expect(await warningsOf("?as_of=2026-08-20")).toEqual([WARNING, ofFacts]);
  expect(await warningsOf("?as_of_date=2026-08-18")).toEqual([
    WARNING.replace("prices", "prices (year=2026)"),
    ofFactsNow,
  ]);
  // In a version a later file is none that its answer lacks.
  const readLater = async () => {
    const [request, shared] = [currentReading(), sharedReading()];
    await shared
      .run(async () => currentReading()?.noteDamage([later]))
      .finally(() => request?.absorb(shared));
    return json({ warnings: [] });
  };
  expect(await (await answered("?data_version=7&as_of=2026-08-19", readLater)).json()).toEqual({
    warnings: [],
  });
  await expect(answered("?data_version=7&as_of=2026-08-20", readLater)).rejects.toMatchObject({
    code: "damaged",
  });
});
