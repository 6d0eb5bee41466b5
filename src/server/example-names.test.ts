import { expect, test } from "bun:test";
import { exampleNames } from "./example-names.ts";

test("examples name companies of the sample market there, and real ones elsewhere", () => {
  const sample = exampleNames(true);
  expect(sample("AAPL,MSFT,BRK-B")).toBe("ZORP,SMPLF,QUIB-B");
  expect(sample("2026-09-04")).toBe("2026-09-04");
  const real = exampleNames(false);
  expect(
    real({ tickers: ["ZORP", "QUIB-B"], days: 60, items: [{ accession_number: "0009079327-26-000010" }] }),
  ).toEqual({
    tickers: ["AAPL", "BRK-B"],
    days: 60,
    items: [{ accession_number: "0000320193-26-000010" }],
  });
  expect([real(true), real(null), real("AAPL")]).toEqual([true, null, "AAPL"]);
});
