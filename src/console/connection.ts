// Watches the server from the page: says when it is gone, reloads the page's data when it is back, and names a fictional market.
import { byId, element } from "./elements.ts";
import { minute } from "./format.ts";

const PING_MS = 5_000;
const PING_TIMEOUT_MS = 4_000;

/** Asks the server for a sign of life; null when there is none. */
async function ping(): Promise<Headers | null> {
  try {
    const response = await fetch("/api/v1/health/live", { signal: AbortSignal.timeout(PING_TIMEOUT_MS) });
    return response.ok ? response.headers : null;
  } catch {
    return null;
  }
}

function showMode(headers: Headers): void {
  const isSample = headers.get("x-data-mode") === "sample";
  const banner = byId("mode");
  banner.hidden = !isSample;
  banner.textContent = isSample ? "Sample market: every company and figure here is fictional." : "";
}

/** Keeps the header true: `onReturn` is called when a server that was gone answers again. */
export function watchConnection(onReturn: () => void): void {
  let lastAnswer: string | null = null;
  let isGone = false;
  const look = async () => {
    const headers = await ping();
    const line = byId("connection");
    if (headers === null) {
      isGone = true;
      line.hidden = false;
      const since =
        lastAnswer === null ? "" : ` Its last answer was at ${minute(new Date(lastAnswer).toISOString())}.`;
      line.replaceChildren(element("strong", {}, "The server does not answer."), since);
    } else {
      showMode(headers);
      line.hidden = true;
      lastAnswer = headers.get("date");
      if (isGone) onReturn();
      isGone = false;
    }
    document.body.dataset.connected = String(headers !== null);
    setTimeout(() => void look(), PING_MS);
  };
  void look();
}
