// Asks the service the page came from. A key, where one is needed, stays in this tab.

/** A list answer of the service. */
export interface List<T> {
  readonly count: number;
  readonly total: number | null;
  readonly data: readonly T[];
}

/** What the service said no with. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const KEY = "asof-key";

let isAsked = false;

/** Asks the reader for the key, once a page: several questions may be refused at the same time. */
function keyOfReader(): string | null {
  if (isAsked) return null;
  isAsked = true;
  const given = window.prompt("This service needs a key (an API key, or the admin token for everything):");
  if (given) sessionStorage.setItem(KEY, given);
  return given || null;
}

const get = (path: string, key: string | null, signal?: AbortSignal) =>
  fetch(`/api/v1${path}`, {
    headers: key ? { "x-api-key": key, "x-admin-token": key } : {},
    ...(signal ? { signal } : {}),
  });

async function refusal(response: Response): Promise<Refused> {
  const body = (await response.json().catch(() => ({}))) as {
    code?: string;
    detail?: unknown;
    hint?: string;
  };
  const detail = typeof body.detail === "string" ? body.detail : `The service answered ${response.status}.`;
  return new Refused(response.status, body.code ?? "", body.hint ? `${detail} ${body.hint}` : detail);
}

/** GET below /api/v1. Throws Refused with the service's own words. Asks once for a key where one is needed. */
export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  let used = sessionStorage.getItem(KEY);
  let response = await get(path, used, signal);
  if (response.status === 401) {
    // Another question may have got the key meanwhile.
    const known = sessionStorage.getItem(KEY);
    const key = known === used ? (used === null ? keyOfReader() : null) : known;
    if (key !== null) {
      used = key;
      response = await get(path, key, signal);
    }
  }
  if (!response.ok) {
    if (response.status === 401 && sessionStorage.getItem(KEY) === used) sessionStorage.removeItem(KEY);
    throw await refusal(response);
  }
  return (await response.json()) as T;
}

/** A path with its query; what is null or empty is left out. */
export function pathOf(
  path: string,
  query: Readonly<Record<string, string | number | boolean | null>>,
): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === "" ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}
