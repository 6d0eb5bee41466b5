// Variables of the environment that are not ours but resemble one of ours. It stands apart from config.ts,
// which the entry loads before it chooses the bundle, and which therefore may import no package.
import { closest, distance } from "fastest-levenshtein";
import { VARIABLES } from "./config.ts";

/** Names of variables closer than this share of their length are taken for a misspelt one of ours. */
const MISSPELT_SHARE = 0.2;

/** One line for each variable that is not ours but resembles one that is not set. Never contains a value. */
export function misspeltVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const plain = (name: string) => name.toUpperCase().replace(/[^A-Z0-9]/g, "");
  const ours = new Map(VARIABLES.filter(({ name }) => !env[name]).map(({ name }) => [plain(name), name]));
  const known = new Set(VARIABLES.map(({ name }) => name));
  return Object.keys(env).flatMap((name) => {
    if (known.has(name)) return [];
    const near = closest(plain(name), [...ours.keys()]);
    const isNear = distance(plain(name), near) <= Math.floor(near.length * MISSPELT_SHARE);
    return isNear
      ? [`${name} is set and is no variable of this service. Did you mean ${ours.get(near)}?`]
      : [];
  });
}
