// Calls of the SQL macros, each with arguments that the sample market has rows for.
import type { Macro } from "../../src/platform/lake/dataset.ts";

/** Arguments of the parameters that have no default, by macro. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  price_digits: ["1.23456789::DOUBLE"],
  is_session: ["DATE '2026-09-08'"],
  open_after: ["DATE '2026-09-08'"],
  universe: ["DATE '2026-12-31'"],
  pit_panel: ["DATE '2026-08-01'", "DATE '2026-09-30'"],
  overlay_inputs: ["DATE '2026-09-09'", "DATE '2026-09-08'", "DATE '2026-08-31'", "DATE '2026-08-10'"],
};

/** The call of a macro in SQL; further arguments follow those without a default. */
export function callOf({ name, parameters }: Macro, further: readonly string[] = []): string {
  const own = ARGUMENTS[name] ?? [];
  if (own.length !== parameters.filter((parameter) => !parameter.includes(":=")).length)
    throw new Error(`The macro ${name} needs arguments: name them in test/support/macro-calls.ts.`);
  return `${name}(${[...own, ...further].join(", ")})`;
}
