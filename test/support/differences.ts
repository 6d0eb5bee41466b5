// Compares two answers field by field.

type Fields = Readonly<Record<string, unknown>>;

/** Where two values differ, as paths. */
export function differencesOf(a: unknown, b: unknown, path = ""): string[] {
  if (Bun.deepEquals(a, b)) return [];
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object")
    return [`${path}: ${JSON.stringify(a)?.slice(0, 150)} → ${JSON.stringify(b)?.slice(0, 150)}`];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) => differencesOf((a as Fields)[key], (b as Fields)[key], `${path}.${key}`));
}
