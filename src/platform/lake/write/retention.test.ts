// How long replaced files stay: as set, or as the disk allows.
import { expect, test } from "bun:test";
import { lakeRetention } from "./retention.ts";

const HOUR_MS = 3_600_000;

test("the hours of the setting count, and never less than a quarter of an hour", () => {
  const full = () => 0;
  expect([0, 1, 8760].map((hours) => lakeRetention(hours, "/", full)() / HOUR_MS)).toEqual([0.25, 1, 8760]);
});

test("without a setting a week while a fifth of the disk is free, a day once it is not", () => {
  let free = 0.2;
  const asked: string[] = [];
  const retention = lakeRetention(null, "/data", (folder) => {
    asked.push(folder);
    return free;
  });
  expect(retention() / HOUR_MS).toBe(168);
  free = 0.199;
  expect(retention() / HOUR_MS).toBe(24);
  free = 0.5;
  expect(retention() / HOUR_MS).toBe(168);
  expect(asked).toEqual(["/data", "/data", "/data"]);
  const silent = lakeRetention(null, "/data", () => {
    throw new Error("not known");
  });
  expect(silent() / HOUR_MS).toBe(24);
});

test("a real disk has a share", () => {
  expect([24, 168]).toContain(lakeRetention(null, import.meta.dir)() / HOUR_MS);
});
