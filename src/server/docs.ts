// /docs: the API reference page, every byte of it from this machine.
import { Elysia } from "elysia";

const SCRIPT = Bun.resolveSync("@scalar/api-reference", import.meta.dir).replace(
  /dist\/index\.js$/,
  "dist/browser/standalone.js",
);

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Asof API</title>
</head>
<body>
<div id="app"></div>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `Scalar.createApiReference("#app", {
  url: "/api/v1/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
});
`;

/** Nothing may be loaded from elsewhere; the page styles itself inline. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'";

const outside = { detail: { hide: true, "x-outside-concurrency-limit": true, "x-open": true } };

/** Routes of the reference page. */
export function docsRoutes() {
  const script = Bun.file(SCRIPT);
  const html = (body: string) =>
    new Response(body, {
      headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY },
    });
  return new Elysia({ name: "docs" })
    .get("/docs", () => html(PAGE), outside)
    .get(
      "/docs/start.js",
      () => new Response(START, { headers: { "content-type": "text/javascript; charset=utf-8" } }),
      outside,
    )
    .get(
      "/docs/reference.js",
      () =>
        new Response(script, {
          headers: { "content-type": "text/javascript; charset=utf-8", "cache-control": "max-age=86400" },
        }),
      outside,
    )
    .get("/api/v1/docs", () => Response.redirect("/docs", 307), outside);
}
