// Names in the examples of requests, which are there to be tried: real ones, or those of the sample market where that is served.

/** Each real name with the one that stands for it in the sample market. */
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

/** Gives a value with the names in it, also in comma lists, lists and fields, replaced by those that can be asked for. */
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
