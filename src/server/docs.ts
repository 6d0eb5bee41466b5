// /docs: the API reference page. Every byte of it comes from this machine.
import { dirname, join } from "node:path";
import { Elysia } from "elysia";

const FOLDER = dirname(Bun.resolveSync("swagger-ui-dist/package.json", import.meta.dir));

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/reference.css">
<title>Asof API</title>
</head>
<body>
<div id="reference"></div>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  url: "/api/v1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
});
fetch("/api/v1/health/live").then((answer) => {
  if (answer.headers.get("x-data-mode") !== "sample") return;
  const line = document.createElement("p");
  line.id = "mode";
  line.setAttribute("role", "note");
  line.style = "margin:0;padding:0.4rem 1rem;background:#fdf0d5;color:#7a4b00;font:15px/1.45 system-ui,sans-serif";
  line.textContent = "Sample market: every company and figure here is fictional.";
  document.body.prepend(line);
}, () => {});
`;

/** Nothing may be loaded from elsewhere. The page sets styles inline. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'";

const outside = { detail: { hide: true, "x-outside-concurrency-limit": true, "x-open": true } };

/** Serves a file of the package, which changes with upgrades only. */
const packageFile = (name: string, type: string) => {
  const file = Bun.file(join(FOLDER, name));
  return () =>
    new Response(file, {
      headers: { "content-type": `${type}; charset=utf-8`, "cache-control": "max-age=86400" },
    });
};

/** Routes of the reference page. */
export function docsRoutes() {
  return new Elysia({ name: "docs" })
    .get(
      "/docs",
      () =>
        new Response(PAGE, {
          headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY },
        }),
      outside,
    )
    .get(
      "/docs/start.js",
      () => new Response(START, { headers: { "content-type": "text/javascript; charset=utf-8" } }),
      outside,
    )
    .get("/docs/reference.js", packageFile("swagger-ui-bundle.js", "text/javascript"), outside)
    .get("/docs/reference.css", packageFile("swagger-ui.css", "text/css"), outside)
    .get("/api/v1/docs", () => Response.redirect("/docs", 307), outside);
}
