// The parts of spark/*.sql that repeat what the datasets and the calendar say. `bun run engines` compares
// their answers with the macros.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exchangeCalendar } from "../market/calendar.ts";
import { addDays, weekday } from "../market/date.ts";
import { DATASETS, MACROS } from "./index.ts";

const read = (name: string) => readFileSync(join(import.meta.dir, "spark", `${name}.sql`), "utf8");
const FUNCTIONS = [
  "bars",
  "pit_panel",
  "financials",
  "filings_as_of",
  "insider_transactions_as_of",
  "ownership_as_of",
  "universe",
  "short_volume_as_of",
  "dividends_as_of",
  "observations_as_of",
];
const SPARK_TYPES: Readonly<Record<string, string>> = {
  VARCHAR: "STRING",
  TIMESTAMPTZ: "TIMESTAMP",
  INTEGER: "INT",
};

test("empty.sql has the columns of each dataset that a function reads, and only those datasets", () => {
  const views = [...read("empty").matchAll(/VIEW (\w+) AS [^']*'\{\}', '([^']*)'/g)].map(
    ([, name = "", columns = ""]) => [name, columns.trim().split(/,\s+/)] as const,
  );
  for (const [name, columns] of views) {
    const dataset = DATASETS.find((one) => one.name === name);
    const declared = Object.entries(dataset?.columns ?? {}).map(
      ([column, { type }]) => `${column} ${SPARK_TYPES[type] ?? type}`,
    );
    expect(columns, name).toEqual([...declared, "recorded BIGINT"]);
  }
  const sql = [...FUNCTIONS, "corporate-actions"].map(read).join("\n");
  const readThere = DATASETS.map(({ name }) => name).filter((name) =>
    new RegExp(`(FROM|JOIN) ${name}\\b`).test(sql),
  );
  expect(views.map(([name]) => name).sort()).toEqual(readThere.sort());
});

test("each function is named and called as its macro", () => {
  for (const name of FUNCTIONS) {
    const [, parameters = ""] =
      new RegExp(`FUNCTION ${name}\\(([^)]*)\\) RETURNS TABLE`).exec(read(name)) ?? [];
    const names = parameters.split(", ").map((parameter) => parameter.split(" ")[0]);
    const macro = MACROS.find((one) => one.name === name);
    expect(names, name).toEqual((macro?.parameters ?? []).map((parameter) => parameter.split(" ")[0]));
  }
});

test("the closures of common.sql are those of the exchange calendar", () => {
  const calendar = exchangeCalendar();
  const closed: string[] = [];
  for (let date = calendar.firstDate; date <= calendar.lastDate; date = addDays(date, 1))
    if (weekday(date) <= 5 && !calendar.isSession(date)) closed.push(date.replaceAll("-", ""));
  const listed = [...read("common").matchAll(/\((\d{4}), '([\d ]+)'\)/g)].flatMap(
    ([, year = "", days = ""]) => days.split(" ").map((day) => year + day),
  );
  expect(listed).toEqual(closed);
});
