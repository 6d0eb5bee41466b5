// Changes about a symbol, in rows that name a company by its CIK.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { filed, lakeYard, DATASETS as PLAIN, price, prices } from "../../../../test/faults/lake-support.ts";
import { batchOf } from "../lake.ts";

setDefaultTimeout(1_200_000);

const DATASETS = [...PLAIN, filed];
const yard = lakeYard();
afterEach(yard.clear);

test("rows that name a company are about the symbol it has, or had when they became known", async () => {
  const lake = await yard.open({ datasets: DATASETS });
  const document = (cik: string, number: number, known_at: string | null) => ({ cik, number, known_at });
  const [before, after] = ["2026-01-05T00:00:00Z", "2026-02-05T00:00:00Z"];
  await lake.append([
    batchOf(prices, [price("A", "2026-03-03"), price("B", "2026-03-03")]),
    batchOf(filed, [
      document("1", 1, before),
      document("1", 2, after),
      document("2", 3, before),
      document("2", 4, after),
      document("2", 5, null),
      document("3", 6, before),
    ]),
  ]);
  const companies = [
    { cik: "1", until: null },
    { cik: "2", until: "2026-02-01T00:00:00Z" },
  ];
  const range = { from: 0, to: 1, datasets: DATASETS, symbol: "A" };
  const about = async (more: { companies?: typeof companies }) =>
    (await lake.ledger({ ...range, ...more })).map(
      ({ dataset, key }) => `${dataset} ${key.symbol ?? key.number}`,
    );
  const found = ["filed 1", "filed 2", "filed 3", "filed 5", "prices A"];
  expect(await about({ companies })).toEqual(found);
  expect(await about({ companies: [] })).toEqual(["prices A"]);
  expect(await about({})).toEqual(["prices A"]);
  const counts = await lake.ledgerCounts({ ...range, companies });
  expect(counts.reduce((sum, { changes }) => sum + changes, 0)).toBe(found.length);
  expect(await lake.ledgerEnd({ ...range, companies, rows: 1 })).toEqual({ to: 1, newest: 1 });
});
