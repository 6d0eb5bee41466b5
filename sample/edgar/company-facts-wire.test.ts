// The file of tagged figures against recorded ones: the same keys, types, order and calendar periods.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { cikOf, days, type Facts, fileOf, flat, late } from "../../test/support/sample-facts.ts";

setDefaultTimeout(1_200_000);

const FOLDER = join(
  process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"),
  "edgar/companyfacts",
);

if (!existsSync(FOLDER)) {
  test("skipped: no recordings", () => expect(existsSync(FOLDER)).toBe(false));
} else {
  describe("the wire has the shape of the recordings", async () => {
    const recorded = await Promise.all(
      readdirSync(FOLDER).map((name): Promise<{ facts: Facts }> => Bun.file(join(FOLDER, name)).json()),
    );
    const ours = ["ZORP", "GIBBL", "MUMBQ", "KLUNQ", "RUMBQ"].map((symbol) => fileOf(late, cikOf(symbol)));
    const shapes = (files: { facts: Facts }[]) => ({
      top: new Set(files.map((file) => Object.keys(file).join())),
      tag: new Set(
        files.flatMap(({ facts }) =>
          Object.values(facts).flatMap((tags) => Object.values(tags).map((tag) => Object.keys(tag).join())),
        ),
      ),
      row: new Set(
        files.flatMap(({ facts }) =>
          flat(facts).map(({ row }) =>
            Object.entries(row)
              .map(([key, value]) => `${key} ${value === null ? "null" : typeof value}`)
              .join(),
          ),
        ),
      ),
    });

    test("keys in their order, with their types", () => {
      const [theirs, mine] = [shapes(recorded), shapes(ours)];
      for (const part of ["top", "tag", "row"] as const)
        expect([...mine[part]].filter((shape) => !theirs[part].has(shape))).toEqual([]);
      expect(mine.row.size).toBeGreaterThanOrEqual(5);
    });

    test("rows by end, then start; a calendar period stands on one row, by one rule", () => {
      const rules = (files: { facts: Facts }[]) => {
        let [framed, misplaced, disordered, doubled, stale] = [0, 0, 0, 0, 0];
        for (const { facts } of files)
          for (const tags of Object.values(facts))
            for (const { units } of Object.values(tags))
              for (const rows of Object.values(units)) {
                const frames = rows.flatMap(({ frame }) => frame ?? []);
                framed += frames.length;
                doubled += frames.length - new Set(frames).size;
                for (const [i, row] of rows.entries()) {
                  const before = rows[i - 1];
                  if (before && [before.end, before.start].join() > [row.end, row.start].join()) disordered++;
                  if (!row.frame) continue;
                  if (
                    rows.some(
                      (one) => one.start === row.start && one.end === row.end && one.filed > row.filed,
                    )
                  )
                    stale++;
                  if (row.start === undefined || days(row.start, row.end) < 61) continue;
                  const middle = new Date(
                    Math.floor((Date.parse(row.start) + Date.parse(row.end)) / 2 / 86_400_000) * 86_400_000,
                  );
                  const quarter = `Q${Math.floor(middle.getUTCMonth() / 3) + 1}`;
                  const name = `CY${middle.getUTCFullYear()}${days(row.start, row.end) < 200 ? quarter : ""}`;
                  if (name !== row.frame) misplaced++;
                }
              }
        return { framed: framed > 100, misplaced, disordered, doubled, stale };
      };
      expect(rules(ours)).toEqual(rules(recorded));
    });
  });
}
