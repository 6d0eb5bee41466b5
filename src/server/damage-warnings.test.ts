// Where an answer says that rows of damaged files may be missing.
import { expect, test } from "bun:test";
import { damageWarnings } from "../platform/reading.ts";
import { warnOfDamage } from "./damage-warnings.ts";

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
