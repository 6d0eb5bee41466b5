// Names in example requests, so that they can be tried: real ones, or those of the sample market when that is
// served.

/** Each real name with its counterpart in the sample market. */
const NAMES = [
  ["AAPL", "ZORP"],
  ["MSFT", "SMPLF"],
  ["BRK-B", "QUIB-B"],
  ["IVV", "ZTEKF"],
  ["Apple Inc.", "Zorp Dynamics"],
  ["320193", "9079327"],
  ["0000320193-26-000010", "0009079327-26-000010"],
  ["GDP", "FICGDP"],
] as const;

/**
 * Returns a function that replaces names in a value, also in comma lists, arrays and fields, by names that
 * exist.
 */
export function exampleNames(isSample: boolean): (value: unknown) => unknown {
  const names = new Map<string, string>(
    NAMES.map(([real, sample]) => (isSample ? [real, sample] : [sample, real])),
  );
  const named = (value: unknown): unknown => {
    if (typeof value === "string")
      return value
        .split(",")
        .map((each) => names.get(each) ?? each)
        .join(",");
    if (Array.isArray(value)) return value.map(named);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, named(each)]));
  };
  return named;
}
