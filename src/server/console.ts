// Serves the console: web pages without any external request.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Elysia } from "elysia";
import type { Config } from "../config.ts";

const FOLDER = join(import.meta.dir, "../console");

/** Nothing may be loaded from other hosts, and nothing in the page's text may run or style it. */
const policy = (styles: string) =>
  `default-src 'none'; script-src 'self'; style-src ${styles}; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'`;

/** The page with the chart of prices, whose library writes a style element. */
const CHART_PAGE = "ticker.html";

const outside = { detail: { hide: true, "x-outside-concurrency-limit": true, "x-open": true } };

/** Pages that consist of a script alone, each a file of the console of that name. */
const PAGES = [
  { name: "company", title: "Company", path: "/ticker/:ticker/:page" },
  { name: "data", title: "Data", path: "/data/:page" },
  // A page of the market with a script of its own, because it alone draws graphs.
  { name: "economy", title: "Economic series", path: "/market/economy" },
  { name: "filing", title: "Filing", path: "/filing/:accession" },
  { name: "market", title: "Market", path: "/market/:page" },
  { name: "sql", title: "SQL", path: "/sql" },
] as const;

/** The page of an address that has none. */
const MISSING = { script: "missing", title: "No such page" };

/** Runs in the head of every page, before it is painted. */
const FIRST_PAINT = "first-paint";

const SCRIPTS = ["overview", "ticker", FIRST_PAINT, MISSING.script, ...PAGES.map(({ name }) => name)];

const headersOf = (file: string) => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy(file === CHART_PAGE ? "'self' 'unsafe-inline'" : "'self'"),
});

/** The text of a page, which says from its first paint on that a market is fictional. */
async function page(
  file: string,
  isSample: boolean,
  words: Readonly<Record<string, string>> = {},
): Promise<Response> {
  let text = await Bun.file(join(FOLDER, file)).text();
  for (const [name, word] of Object.entries(words)) text = text.replaceAll(`{${name}}`, word);
  if (isSample) text = text.replace("<body>", '<body data-mode="sample">');
  return new Response(text, { headers: headersOf(file) });
}

/** The source of a page's script. */
const sourceOf = (name: string): string => {
  const path = join(FOLDER, `${name}.ts`);
  return existsSync(path) ? path : `${path}x`;
};

/** Bundles the script of a page with its imports into one file. Throws when the build fails. */
async function bundle(name: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [sourceOf(name)],
    target: "browser",
    // A script that the page waits for is no module: its names stay its own.
    format: name === FIRST_PAINT ? "iife" : "esm",
    minify: true,
  });
  const [script] = built.outputs;
  if (!script) throw new Error(`bundling the script of page ${name} gave no output`);
  return script.text();
}

/**
 * Whether a client shows pages: a browser that opens an address does, a program that asks for data does not.
 */
const showsPages = ({ method, headers }: Request): boolean =>
  (method === "GET" || method === "HEAD") && /\btext\/html\b/i.test(headers.get("accept") ?? "");

/** The answer to a browser that opens an address without a page; null for other clients and below the API. */
export async function missingPage(
  request: Request,
  path: string,
  { dataMode }: Pick<Config, "dataMode">,
): Promise<Response | null> {
  if (path.startsWith("/api/") || !showsPages(request)) return null;
  const { headers, body } = await page("page.html", dataMode === "sample", MISSING);
  headers.append("vary", "Accept");
  return new Response(body, { status: 404, headers });
}

/** Routes of the console. Scripts are bundled on first request. */
export function consoleRoutes({ dataMode }: Pick<Config, "dataMode">) {
  const isSample = dataMode === "sample";
  const made = new Map<string, Promise<string>>();
  const scriptOf = (name: string) => {
    const known = made.get(name) ?? bundle(name);
    made.set(name, known);
    return known;
  };
  const routes = new Elysia({ name: "console" })
    .get("/", () => page("index.html", isSample), outside)
    .get("/ticker/:ticker", () => page(CHART_PAGE, isSample), outside)
    .get(
      "/console/style.css",
      () =>
        new Response(Bun.file(join(FOLDER, "style.css")), {
          headers: { "content-type": "text/css; charset=utf-8" },
        }),
      outside,
    );
  for (const { path, title, name } of PAGES)
    routes.get(path, () => page("page.html", isSample, { title, script: name }), outside);
  for (const name of SCRIPTS)
    routes.get(
      `/console/${name}.js`,
      async () =>
        new Response(await scriptOf(name), { headers: { "content-type": "text/javascript; charset=utf-8" } }),
      outside,
    );
  return routes;
}
