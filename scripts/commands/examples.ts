// `bun run cli examples`: writes src/examples.json, the sample market's answers to one request of every
// route.
import { resolve } from "node:path";

/** List rows and map entries that are shown; a second one only where it is small. */
const SHOWN = 2;
const SMALL_CHARS = 400;
const TEXT_CHARS = 300;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first item, and the second where it is small. */
const few = <T>(list: readonly T[]): T[] =>
  list.slice(0, SHOWN).filter((item, i) => i === 0 || JSON.stringify(item).length <= SMALL_CHARS);

type Schema = Readonly<Record<string, unknown>>;

/**
 * An answer with its lists, maps and long texts cut. The schema's `patternProperties` tell a map from an
 * object.
 */
function trimmed(value: unknown, schema: Schema = {}): unknown {
  const ways = (schema.anyOf ?? []) as Schema[];
  const way = ways.find((each) => (Array.isArray(value) ? each.type === "array" : each.type === "object"));
  if (way) return trimmed(value, way);
  if (typeof value === "string") return value.length > TEXT_CHARS ? `${value.slice(0, TEXT_CHARS)}…` : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => trimmed(item, schema.items as Schema | undefined));
    return few(items);
  }
  if (!isObject(value)) return value;
  const [ofKeys] = Object.values((schema.patternProperties ?? {}) as Record<string, Schema>);
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const entries = Object.entries(value).map(
    ([name, inner]) => [name, trimmed(inner, properties[name] ?? ofKeys)] as const,
  );
  return Object.fromEntries(ofKeys ? few(entries) : entries);
}

/** The sample market's answers by route and status, with the body or the query parameters that were sent. */
async function collectExamples(): Promise<Map<string, Record<string, unknown>>> {
  // Imported here because an installation has no tests, and the list of commands must work there too.
  const { walkedMarket } = await import("../../test/support/walked-market.ts");
  const { document, answers } = await walkedMarket();
  const examples = new Map<string, Record<string, unknown>>();
  for (const { method, route, path, body, expected, status, text } of answers) {
    if (status !== expected) throw new Error(`${method} ${route}: ${status} ${text}`);
    const known = examples.get(`${method} /api/v1${route}`) ?? {};
    if (status >= 300 || String(status) in known) continue;
    const shown = document.operation(method, `/api/v1${route}`).responses[status];
    const [type = "", media] = Object.entries(shown?.content ?? {})[0] ?? [];
    const isJson = type.endsWith("json");
    const answer = isJson ? JSON.parse(text) : `${text.split("\n").slice(0, 3).join("\n")}\n`;
    const sent = [...new URL(path, "http://localhost").searchParams.keys()];
    examples.set(`${method} /api/v1${route}`, {
      ...(body === undefined ? {} : { body }),
      ...(sent.length === 0 ? {} : { sent }),
      ...known,
      [status]: trimmed(answer, media?.schema),
    });
  }
  return examples;
}

export async function run(): Promise<void> {
  const path = resolve(import.meta.dir, "../../src/examples.json");
  const routes = [...(await collectExamples())].sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = routes.map(([route, all]) => `${JSON.stringify(route)}: ${JSON.stringify(all)}`);
  await Bun.write(path, `{\n${lines.join(",\n")}\n}\n`);
  console.log(path);
}
