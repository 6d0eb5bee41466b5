// Requests to the service that served the page. A key, where one is required, is stored for this browser tab only.

/** A list answer of the service. */
export interface List<T> {
  readonly count: number;
  readonly total: number | null;
  readonly data: readonly T[];
}

/** An error response of the service; status 0 where there was no response. */
export class RequestFailed extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const KEY = "asof-key";

let wasPrompted = false;

/** Prompts the user for the key, once per page load, because several requests may be refused at the same time. */
function promptForKey(): string | null {
  if (wasPrompted) return null;
  wasPrompted = true;
  const given = window.prompt("This service requires a key (an API key, or the admin token for everything):");
  if (given) sessionStorage.setItem(KEY, given);
  return given || null;
}

/** Throws RequestFailed with status 0 when no server answers. */
async function get(path: string, key: string | null): Promise<Response> {
  try {
    return await fetch(`/api/v1${path}`, { headers: key ? { "x-api-key": key, "x-admin-token": key } : {} });
  } catch {
    throw new RequestFailed(0, "unreachable", "The server does not answer.");
  }
}

async function errorOf(response: Response): Promise<RequestFailed> {
  const body = (await response.json().catch(() => ({}))) as {
    code?: string;
    detail?: unknown;
    hint?: string;
  };
  const detail = typeof body.detail === "string" ? body.detail : `The service answered ${response.status}.`;
  return new RequestFailed(response.status, body.code ?? "", body.hint ? `${detail} ${body.hint}` : detail);
}

/** GET below /api/v1. Throws RequestFailed with the service's message. Prompts once for a key where one is required. */
export async function fetchJson<T>(path: string): Promise<T> {
  let used = sessionStorage.getItem(KEY);
  let response = await get(path, used);
  if (response.status === 401) {
    // Another request may have stored a key meanwhile.
    const known = sessionStorage.getItem(KEY);
    const key = known === used ? (used === null ? promptForKey() : null) : known;
    if (key !== null) {
      used = key;
      response = await get(path, key);
    }
  }
  if (!response.ok) {
    if (response.status === 401 && sessionStorage.getItem(KEY) === used) sessionStorage.removeItem(KEY);
    throw await errorOf(response);
  }
  return (await response.json()) as T;
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
