// The European detour of the handshake: guce → consent.yahoo.com → guce → back, with redirects and a form to
// send.
import { type Reply, type SampleRequest, textReply } from "../wire.ts";

/** Makes worthless secrets: the same for the same words. */
export type MakeSecret = (what: string, length: number) => string;

export const redirect = (status: number, location: string, cookies: readonly string[] = []): Reply =>
  textReply(status, "", { location, ...(cookies.length > 0 && { "set-cookie": cookies }) });

const gucs = (secret: MakeSecret) =>
  `GUCS=${secret("gucs", 8)}; Max-Age=1800; Domain=.yahoo.com; Path=/; Secure`;

/** Where a visitor without a cookie is sent from `url`. */
export function toConsent(url: string, secret: MakeSecret): Reply {
  const to = `https://guce.yahoo.com/consent?brandType=eu&gcrumb=${secret("gcrumb", 7)}&done=${encodeURIComponent(url)}`;
  return redirect(307, to, [gucs(secret)]);
}

function page(fields: Readonly<Record<string, string>>): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value.replaceAll("&", "&amp;")}">`,
  );
  return `<!DOCTYPE html><html><body><form method="post" class="consent-form">${inputs.join("")}<button type="submit" name="agree" value="agree">Accept all</button></form></body></html>`;
}

/** The form, or what it leads to once it is sent back whole and agreed to. */
function collect(request: SampleRequest, done: string, secret: MakeSecret): Reply {
  const sessionId = request.query.get("sessionId") ?? "";
  const csrfToken = secret(`csrf ${sessionId}`, 7);
  if (request.method === "GET")
    return textReply(200, page({ csrfToken, sessionId, originalDoneUrl: done, namespace: "yahoo" }));
  const form = new URLSearchParams(request.body);
  const agreed = form.getAll("agree").includes("agree");
  if (!agreed || form.get("csrfToken") !== csrfToken || form.get("sessionId") !== sessionId)
    return textReply(400, "Bad Request");
  const to = new URL("https://guce.yahoo.com/copyConsent");
  to.searchParams.set("sessionId", sessionId);
  to.searchParams.set("lang", "en-GB");
  to.searchParams.set("done", form.get("originalDoneUrl") ?? done);
  return redirect(302, to.href, [`CFC=${secret("cfc", 12)}; Domain=consent.yahoo.com; Path=/; Secure`]);
}

/** The way back to where the visitor came from, with the cookie the consent was about. */
function copy(done: string, secret: MakeSecret, cookie: string): Reply {
  const to = URL.parse(done) ?? new URL("https://finance.yahoo.com/");
  to.searchParams.set("guccounter", "1");
  return redirect(302, to.href, [
    `GUC=${secret("guc", 16)}; Max-Age=31557600; Domain=.yahoo.com; Path=/; Secure`,
    cookie,
    `A1S=${secret("a1s", 16)}; Domain=.yahoo.com; Path=/; SameSite=Lax; Secure`,
  ]);
}

/**
 * Answers a request to one of the consent pages; null for any other. `freshCookie` makes the one that is
 * wanted.
 */
export function consentReply(
  request: SampleRequest,
  secret: MakeSecret,
  freshCookie: () => string,
): Reply | null {
  const { host, path, query } = request;
  const done = query.get("done") ?? "https://finance.yahoo.com/";
  if (host === "consent.yahoo.com" && path === "/v2/collectConsent") return collect(request, done, secret);
  if (host !== "guce.yahoo.com") return null;
  if (path === "/copyConsent") return copy(done, secret, freshCookie());
  if (path !== "/consent") return null;
  const sessionId = `3_cc-session_${secret(`session ${done}`, 12)}`;
  const to = `https://consent.yahoo.com/v2/collectConsent?sessionId=${sessionId}&done=${encodeURIComponent(done)}`;
  return redirect(302, to, [gucs(secret)]);
}
