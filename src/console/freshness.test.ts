import { expect, test } from "bun:test";
import { type FillingJob, freshnessLine } from "./freshness.ts";

const job = (name: string, freshness: FillingJob["freshness"], fills = ["short_volume"]): FillingJob => ({
  name,
  fills,
  freshness,
  last_due_at: "2026-11-20T23:15:00Z",
  last_succeeded_at: null,
});

test("a dataset is as fresh as its worst job, which is named", () => {
  const line = (...jobs: FillingJob[]) => freshnessLine("short_volume", jobs);
  expect(line(job("a", "current"))).toBe("current as of 2026-11-20 18:15 EST");
  expect(line(job("a", "current"), job("b", "behind"))).toBe("behind: b was due 2026-11-20 18:15 EST");
  expect(line(job("a", "running"), job("b", "skipped"))).toBe("not filled: b was skipped, see its runs");
  expect(line(job("a", "not_due"), job("b", "off"))).toBe("not kept up to date: b is off");
  expect(line(job("a", "current"), job("b", "not_due"))).toBe("b was not due yet");
});

test("a dataset without a job is filled on request", () => {
  expect(freshnessLine("bars_intraday", [job("a", "behind")])).toBe("filled when it is asked for");
});
