// Watches the server from the page: whether it answers, and whether its market is the fictional one.
import { batch, signal } from "@preact/signals";

const PING_MS = 5_000;
const PING_TIMEOUT_MS = 4_000;

export const isGone = signal(false);
/** The page says it at once, and every answer again. */
export const isSample = signal(globalThis.document?.body.dataset.mode === "sample");
export interface LastAnswer {
  /** RFC 3339. */
  readonly at: string;
  /** Whose clock says so: a proxy may remove the header in which the server states its time. */
  readonly clock: "server" | "browser";
}
/** When the server last answered; null before the first answer. */
export const lastAnswer = signal<LastAnswer | null>(null);
/** Grows each time a server that was gone answers again; panels then read their data again. */
export const returns = signal(0);

/** Asks the server for a sign of life; null when there is none. */
async function ping(): Promise<Headers | null> {
  try {
    const response = await fetch("/api/v1/health/live", { signal: AbortSignal.timeout(PING_TIMEOUT_MS) });
    return response.ok ? response.headers : null;
  } catch {
    return null;
  }
}

function answeredAt(date: string | null): LastAnswer {
  const stated = Date.parse(date ?? "");
  const browserMs = performance.timeOrigin + performance.now();
  if (Number.isNaN(stated)) return { at: new Date(browserMs).toISOString(), clock: "browser" };
  return { at: new Date(stated).toISOString(), clock: "server" };
}

async function look(): Promise<void> {
  const headers = await ping();
  // Together, because a return concerns a panel that also listens to isGone once only.
  batch(() => {
    if (headers !== null) {
      isSample.value = headers.get("x-data-mode") === "sample";
      lastAnswer.value = answeredAt(headers.get("date"));
      if (isGone.value) returns.value += 1;
    }
    isGone.value = headers === null;
  });
  document.body.dataset.connected = String(headers !== null);
  setTimeout(() => void look(), PING_MS);
}

/** Starts watching. */
export const watchConnection = (): void => void look();
