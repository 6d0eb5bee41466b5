// Progress where there is no terminal: the time that is left beside the count.
import { expect, spyOn, test } from "bun:test";
import { progress, roughTime } from "./progress.ts";

test("a time is said in whole hours, minutes or seconds, rounded up", () => {
  expect([0, 400, 50_000, 120_000, 120_001, 7_200_000, 7_200_001, 11_250_000].map(roughTime)).toEqual([
    "0 s",
    "1 s",
    "50 s",
    "120 s",
    "3 min",
    "120 min",
    "3 h",
    "4 h",
  ]);
});

test("a line at every twentieth part says the time that is left, the last one none", () => {
  const lines: string[] = [];
  const write = spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  const bar = progress(40, "days");
  for (let at = 0; at < 40; at++) bar.step(`${at}`);
  bar.end();
  write.mockRestore();
  expect(lines.length).toBe(20);
  expect(lines[0]).toMatch(/^2 of 40 days, \d+ (s|min|h) left\n$/);
  expect(lines.at(-1)).toBe("40 of 40 days\n");
});
