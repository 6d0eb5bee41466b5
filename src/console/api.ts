// Requests to the service that served the page. A key, where one is required, is stored for this browser tab
// only.

/** A list answer of the service. */
export interface List<T> {
  readonly count: number;
  readonly total: number | null;
  readonly data: readonly T[];
  readonly warnings?: readonly string[];
}

/** An error response of the service; status 0 where there was no response. */
export class RequestFailed extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Says what to do about it; empty where the service says nothing. It is also the end of the message. */
    readonly hint = "",
    /** Whether the service has not read what was asked for, as opposed to nothing being there. */
    readonly isNotRead = false,
  ) {
    super(message);
  }
}

const KEY = "asof-key";

let wasPrompted = false;

/**
 * Prompts the user for the key, once per page load, because several requests may be refused at the same time.
 */
function promptForKey(): string | null {
  if (wasPrompted) return null;
  wasPrompted = true;
  const given = window.prompt("This service requires a key (an API key, or the admin token for everything):");
  if (given) sessionStorage.setItem(KEY, given);
  return given || null;
}

/** A request: GET, or POST of JSON where it has a body. */
export interface Sent {
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly accept?: string;
}

/** Throws RequestFailed with status 0 when no server answers. */
async function send(path: string, key: string | null, { body, signal, accept }: Sent): Promise<Response> {
  try {
    return await fetch(`/api/v1${path}`, {
      headers: {
        ...(key ? { "x-api-key": key, "x-admin-token": key } : {}),
        ...(accept === undefined ? {} : { accept }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestFailed(0, "unreachable", "The server does not answer.");
  }
}

/** Returns an error's detail: a sentence, or a fault for each field of the request that is wrong. */
function detailOf(detail: unknown): string | null {
  if (typeof detail === "string") return detail;
  if (!Array.isArray(detail)) return null;
  return (detail as { loc?: unknown[]; msg?: string }[])
    .map(({ loc = [], msg = "" }) => faultWords(String(loc.at(-1) ?? ""), msg))
    .join(" ");
}

/** A fault of a field as a sentence that names the field once. */
export function faultWords(field: string, message: string): string {
  const words = message.replace(/^Value error, /, "").replace(/\.$/, "");
  return words.startsWith(`${field} `) ? `${words}.` : `${field}: ${words}.`;
}

async function errorOf(response: Response): Promise<RequestFailed> {
  const body = (await response.json().catch(() => ({}))) as {
    code?: string;
    detail?: unknown;
    hint?: string;
    absence?: string;
  };
  const detail = detailOf(body.detail) ?? `The service answered ${response.status}.`;
  const message = body.hint ? `${detail} ${body.hint}` : detail;
  return new RequestFailed(
    response.status,
    body.code ?? "",
    message,
    body.hint ?? "",
    body.absence === "not_read",
  );
}

/**
 * Asks below /api/v1. Throws RequestFailed with the service's message. Prompts once for a key where one is
 * required.
 */
export async function ask(path: string, sent: Sent = {}): Promise<Response> {
  let used = sessionStorage.getItem(KEY);
  let response = await send(path, used, sent);
  if (response.status === 401) {
    // Another request may have stored a key meanwhile.
    const known = sessionStorage.getItem(KEY);
    const key = known === used ? (used === null ? promptForKey() : null) : known;
    if (key !== null) {
      used = key;
      response = await send(path, key, sent);
    }
  }
  if (!response.ok) {
    if (response.status === 401 && sessionStorage.getItem(KEY) === used) sessionStorage.removeItem(KEY);
    throw await errorOf(response);
  }
  return response;
}

/** GET of JSON below /api/v1, as `ask`. */
export const fetchJson = async <T>(path: string): Promise<T> => (await (await ask(path)).json()) as T;

/** Asks for a file and saves it under a name. */
export async function download(path: string, name: string, sent: Sent = {}): Promise<void> {
  const url = URL.createObjectURL(await (await ask(path, sent)).blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** A path with its query; parameters that are null or empty are left out. */
export function pathOf(
  path: string,
  query: Readonly<Record<string, string | number | boolean | null>>,
): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === "" ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}
