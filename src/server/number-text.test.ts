// Numbers are written as the engine writes them.
import { afterEach, expect, test } from "bun:test";
import fc from "fast-check";
import { lakeYard } from "../../test/faults/lake-support.ts";
import { csvDouble, jsonDouble } from "./formats.ts";

const yard = lakeYard();
afterEach(yard.clear);

const GIVEN = [
  0, -0, 10, -7, 0.1, 1e-4, 1.23e-5, 5e-7, -2.5e-8, 4.35, 1e15, 1.5e15, 1e16, 1.2345e20, 1e21, 1e300,
];

test("a DOUBLE is the engine's, in CSV and in JSON", async () => {
  const lake = await yard.open();
  const prices = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((each) => each / 1_000);
  const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
  const values = [...GIVEN, ...fc.sample(prices, 1_000), ...fc.sample(doubles, 1_000)];
  const columns = [{ name: "x", type: "DOUBLE" }] as const;
  const linesOf = async (format: "csv" | "ndjson") => {
    const file = await lake.copyRows(
      columns,
      values.map((x) => ({ x })),
      format,
    );
    const lines = (await Bun.file(file.path).text()).trimEnd().split(/\r?\n/);
    await file.discard();
    return lines;
  };
  expect(values.map(csvDouble)).toEqual((await linesOf("csv")).slice(1));
  expect(values.map((x) => `{"x":${jsonDouble(x)}}`)).toEqual(await linesOf("ndjson"));
});
