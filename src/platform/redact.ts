// Removes secrets from text and values before they are logged, stored or shown. Pure.

import { AsofError } from "./errors.ts";

const HIDDEN = "[redacted]";

/** Names whose value is a secret; matched in lower case with `-` for `_`. */
const SECRET_NAME =
  /^(proxy-)?authorization$|^(set-)?cookie$|^x-(api-key|admin-token)$|^apca-|api-?key$|(^|-)(token|crumb|secret|password|passwd|credentials?|session-?id|csrf-?token|signature)(-|$)|secret-?key$|^key$/;

/** Whether a header, query parameter or field of this name holds a secret. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1-$2");
  return SECRET_NAME.test(words.toLowerCase().replaceAll("_", "-"));
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
};

/**
 * A query string (with or without `?`) with the values of secret parameters hidden; the rest is unchanged.
 */
export function redactQuery(query: string): string {
  const mark = query.startsWith("?") ? "?" : "";
  const pairs = query.slice(mark.length).split(/([&;])/);
  return (
    mark +
    pairs
      .map((pair) => {
        const at = pair.indexOf("=");
        return at > 0 && isSecretName(decoded(pair.slice(0, at))) ? `${pair.slice(0, at)}=${HIDDEN}` : pair;
      })
      .join("")
  );
}

/** A URL, absolute or a path, with secret parameters, user name, password and fragment hidden. */
export function redactUrl(url: string): string {
  const [beforeFragment = "", fragment] = url.split("#", 2);
  const at = beforeFragment.indexOf("?");
  const address = at < 0 ? beforeFragment : beforeFragment.slice(0, at);
  const query = at < 0 ? "" : redactQuery(beforeFragment.slice(at));
  const end = fragment === undefined ? "" : `#${HIDDEN}`;
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, `$1${HIDDEN}@`) + query + end;
}

// Each pattern is anchored and bounded, so that a megabyte of letters is scanned in linear time.
const ANY_URL = /\b[a-z][a-z0-9+.-]{0,15}:\/\/[^\s"'<>`]+/gi;
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{4,}/gi;
/** Header lines whose entire value is the secret. */
const HEADER_LINE = /\b(authorization|set-cookie|cookie)(\\*"?\s*[:=]\s*)(?!\/\/)[^\r\n"]+/gi;
/** A name before a value: `name=`, `name: `, `"name":"`, also inside quoted JSON. */
const NAMED = /(?<![A-Za-z0-9_-])([A-Za-z][A-Za-z0-9_-]{0,63})\\*["']?\s{0,8}[=:]\s{0,8}\\*["']?/g;
const VALUE = /[^\s"'&;,}\]\\]+/y;

/**
 * Hides the value after each secret name. The value after any other name is searched too, since it may
 * contain one.
 */
function redactNamed(text: string): string {
  let out = "";
  let at = 0;
  for (const match of text.matchAll(NAMED)) {
    const valueAt = match.index + match[0].length;
    if (match.index < at || !isSecretName(match[1] ?? "") || text.startsWith(HIDDEN, valueAt)) continue;
    VALUE.lastIndex = valueAt;
    const value = VALUE.exec(text)?.[0] ?? "";
    if (value === "") continue;
    out += text.slice(at, valueAt) + HIDDEN;
    at = valueAt + value.length;
  }
  return out + text.slice(at);
}

/** Hides only the given secrets, literal or percent-encoded. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let out = text;
  for (const secret of secrets)
    if (secret.length >= 4)
      for (const form of new Set([secret, encodeURIComponent(secret)])) out = out.replaceAll(form, HIDDEN);
  return out;
}

/**
 * Hides secrets in free text (messages, stacks): in URLs, bearer tokens and `name=value` pairs of secret
 * names, and each of `secrets` wherever it occurs.
 */
export function redactText(text: string, secrets: readonly string[] = []): string {
  const out = withoutSecrets(text, secrets)
    .replace(ANY_URL, (url) => redactUrl(url))
    .replace(HEADER_LINE, (_, name: string, between: string) => `${name}${between}${HIDDEN}`)
    .replace(BEARER, (_, scheme: string) => `${scheme} ${HIDDEN}`);
  return redactNamed(out);
}

/**
 * Text on one line: line breaks and other control characters become visible escapes, so that no line can be
 * forged.
 */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (c) => {
    if (c === "\r") return "\\r";
    if (c === "\n") return "\\n";
    if (c === "\t") return "\\t";
    return `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

// The ninth object inside another is "[too deep]"; of a list of 250 items 100 are shown, then "[150 more]".
const DEPTH_MAX = 8;
const ITEMS_MAX = 100;

/** An error and its causes in words: `name: message ← name: message`. */
function causesOf(cause: unknown, depth: number): string {
  if (!(cause instanceof Error) || depth >= DEPTH_MAX) return String(cause);
  const own = `${cause.name}: ${cause.message}`;
  return cause.cause === undefined ? own : `${own} ← ${causesOf(cause.cause, depth + 1)}`;
}

/**
 * An expected error: what it says and where it comes from, without the stacks, which only lead to its class.
 */
function redactExpected(
  error: AsofError,
  secrets: readonly string[],
  depth: number,
): Record<string, unknown> {
  const { cause: _, ...facts } = error.facts;
  return {
    name: error.name,
    code: error.code,
    message: redactText(error.message, secrets),
    facts: redactValue(facts, secrets, depth + 1),
    ...(error.cause === undefined ? {} : { cause: redactText(causesOf(error.cause, depth), secrets) }),
  };
}

function redactError(error: Error, secrets: readonly string[], depth: number): Record<string, unknown> {
  if (error instanceof AsofError) return redactExpected(error, secrets, depth);
  const { name, message, stack, cause, ...rest } = error as Error & Record<string, unknown>;
  return {
    name: redactText(String(name), secrets),
    message: redactText(String(message), secrets),
    ...(redactValue(rest, secrets, depth + 1) as Record<string, unknown>),
    ...(stack === undefined ? {} : { stack: redactText(String(stack), secrets) }),
    ...(cause === undefined ? {} : { cause: redactValue(cause, secrets, depth + 1) }),
  };
}

/**
 * Any value as plain data for a log line: secret fields hidden, errors with their causes, bounded in depth
 * and length.
 */
export function redactValue(value: unknown, secrets: readonly string[] = [], depth = 0): unknown {
  if (typeof value === "string") return redactText(value, secrets);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
  if (value === null || typeof value !== "object") return value;
  if (depth >= DEPTH_MAX) return "[too deep]";
  if (value instanceof Error) return redactError(value, secrets, depth);
  if (value instanceof URL) return redactUrl(value.href);
  if (value instanceof Headers || value instanceof Map)
    return redactValue(Object.fromEntries(value as Iterable<[string, unknown]>), secrets, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) {
    const shown = value.slice(0, ITEMS_MAX).map((item) => redactValue(item, secrets, depth + 1));
    return value.length > ITEMS_MAX ? [...shown, `[${value.length - ITEMS_MAX} more]`] : shown;
  }
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return redactText(String(value), secrets);
  const out: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value).slice(0, ITEMS_MAX))
    out.push([key, isSecretName(key) && inner != null ? HIDDEN : redactValue(inner, secrets, depth + 1)]);
  return Object.fromEntries(out);
}
