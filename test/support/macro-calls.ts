// Calls of the SQL macros, each with arguments that the sample market has rows for.
import type { Macro } from "../../src/platform/lake/dataset.ts";

/** Arguments of the parameters that have no default, by parameter. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  price: "1.23456789::DOUBLE",
  volume: "1237.5::DOUBLE",
  day: "DATE '2026-09-08'",
  on_date: "DATE '2026-12-31'",
  start_date: "DATE '2026-08-01'",
  end_date: "DATE '2026-09-30'",
  session: "DATE '2026-09-09'",
  priced: "DATE '2026-09-08'",
  priced_5: "DATE '2026-08-31'",
  priced_20: "DATE '2026-08-10'",
};

/** The call of a macro in SQL; further arguments follow those without a default. */
export function callOf({ name, parameters }: Macro, further: readonly string[] = []): string {
  const own = parameters.filter((parameter) => !parameter.includes(":="));
  const unknown = own.filter((parameter) => ARGUMENTS[parameter] === undefined);
  if (unknown.length > 0)
    throw new Error(`Name an argument for ${unknown.join(", ")} of ${name} in test/support/macro-calls.ts.`);
  return `${name}(${[...own.map((parameter) => ARGUMENTS[parameter]), ...further].join(", ")})`;
}
