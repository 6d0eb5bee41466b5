// Reads FRED's answers: complete JSON of the endpoint's shape, observations row by row. Rejects anything
// else.
import { isRealDay } from "../../market/date.ts";
import { InvalidRequest, NotFound, UpstreamMisread } from "../../platform/errors.ts";
import { type Fields, isFields, shapeChangedBy } from "../../platform/upstream/json-place.ts";
import type { UpstreamAnswer } from "../../platform/upstream/policy.ts";
import type { FredEndpoint } from "./endpoints.ts";

/**
 * One observation. `value` is null where FRED writes a dot. The days of the real-time period are in Chicago
 * time.
 */
export interface FredObservation {
  readonly date: string;
  readonly value: number | null;
  readonly realtime_start: string;
  readonly realtime_end: string;
}

export interface FredAnswer {
  /** The JSON as FRED sent it. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Length of the endpoint's list. */
  readonly records: number;
  /**
   * The rows of series/observations with output_type 1 (one row per observation); null for any other request.
   */
  readonly observations: readonly FredObservation[] | null;
  readonly receivedAtMs: number;
}

const shapeChanged = shapeChangedBy("fred");

function jsonOf(answer: UpstreamAnswer, endpoint: string, apiKey: string): Fields {
  let text: string;
  let body: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(answer.bytes);
    // FRED does not write the key into its answers; if it ever does, the key must not reach a client.
    body = JSON.parse(text.includes(apiKey) ? text.replaceAll(apiKey, "[redacted]") : text);
  } catch (cause) {
    const facts = { upstreamStatus: answer.status, cause };
    throw new UpstreamMisread("fred", `fred's answer to ${endpoint} is not complete JSON`, facts);
  }
  if (!isFields(body)) throw shapeChanged(endpoint, "the answer", "an object");
  return body;
}

const KEY_HINT = "FRED refuses this server's key, not the request. Check ECONDATA_API_KEY.";

/** FRED's refusal as an error with FRED's own message. */
function refusalOf(status: number, body: Fields, endpoint: string): Error {
  const { error_code, error_message } = body;
  if (typeof error_message !== "string")
    return new UpstreamMisread(
      "fred",
      `fred answered ${endpoint} with status ${status} and no error message`,
      {
        upstreamStatus: status,
      },
    );
  const facts = {
    upstream: "fred",
    upstreamStatus: status,
    upstreamErrorCode: Number.isSafeInteger(error_code) ? Number(error_code) : undefined,
    hint: /api_key/.test(error_message) ? KEY_HINT : undefined,
  };
  return status === 404
    ? new NotFound("not_found", error_message, facts)
    : new InvalidRequest("bad_request", error_message, facts);
}

/** The parameters of the request that the answer is checked against. */
export interface FredRequested {
  readonly output_type?: string | undefined;
  /** Last day of the real-time period. */
  readonly realtime_end?: string | undefined;
}

/**
 * Rejects an answer about a later real time than requested: figures not known on that day must not appear as
 * if they were. Lists of categories and tags have no real time.
 */
function refuseLater(
  body: Fields,
  { name, collection }: Pick<FredEndpoint, "name" | "collection">,
  end: string | undefined,
): void {
  if (end === undefined) return;
  const list: readonly unknown[] = Array.isArray(body[collection]) ? body[collection] : [];
  const rows = list.filter(isFields);
  const dates = collection === "release_dates" ? rows.map(({ date }) => date) : [];
  // Vintage dates are a list of days.
  const days = [body.realtime_end, ...rows.map((row) => row.realtime_start), ...dates, ...list];
  const later = days.find((day) => typeof day === "string" && isRealDay(day) && day > end);
  if (later !== undefined)
    throw new UpstreamMisread("fred", `fred was asked about ${end} and answered ${name} as of ${later}`);
}

/**
 * Reads one answer. Throws InvalidRequest or NotFound with FRED's own message for a refusal, UpstreamFailed
 * for another shape.
 */
export function readAnswer(
  answer: UpstreamAnswer,
  { name, collection }: FredEndpoint,
  apiKey: string,
  { output_type = "1", realtime_end }: FredRequested = {},
): FredAnswer {
  const body = jsonOf(answer, name, apiKey);
  if (answer.status !== 200) throw refusalOf(answer.status, body, name);
  const list = body[collection];
  const isList = Array.isArray(list);
  // release/tables answers with an object of elements by id.
  if (!isList && !(collection === "elements" && isFields(list)))
    throw shapeChanged(name, collection, "a list");
  const isSeries = name === "series/observations";
  if (isSeries) readEnvelope(body, name);
  refuseLater(body, { name, collection }, realtime_end);
  return {
    body,
    records: isList ? list.length : Object.keys(list as object).length,
    observations: isSeries && output_type === "1" ? observationsOf(body) : null,
    receivedAtMs: answer.receivedAt.epochMilliseconds,
  };
}

function readEnvelope(body: Fields, endpoint: string): void {
  for (const name of ["realtime_start", "realtime_end"])
    if (!isRealDay(String(body[name]))) throw shapeChanged(endpoint, name, "a day");
  if (!Number.isSafeInteger(body.count)) throw shapeChanged(endpoint, "count", "a whole number");
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function numberOf(text: unknown): number | null | undefined {
  if (text === ".") return null;
  const value = typeof text === "string" && NUMBER.test(text) ? Number(text) : undefined;
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

/** Throws UpstreamFailed for a row of another shape, or one that appears twice. */
function observationsOf(body: Fields): FredObservation[] {
  const endpoint = "series/observations";
  const seen = new Set<string>();
  const rows: unknown[] = Array.isArray(body.observations) ? body.observations : [];
  return rows.map((row, i) => {
    const at = `observations[${i}]`;
    if (!isFields(row)) throw shapeChanged(endpoint, at, "an object");
    const { date, realtime_start, realtime_end } = row;
    for (const [name, day] of Object.entries({ date, realtime_start, realtime_end }))
      if (typeof day !== "string" || !isRealDay(day)) throw shapeChanged(endpoint, `${at}.${name}`, "a day");
    const value = numberOf(row.value);
    if (value === undefined) throw shapeChanged(endpoint, `${at}.value`, "a number as text, or a dot");
    const observation = { date, value, realtime_start, realtime_end } as FredObservation;
    const key = `${observation.date} ${observation.realtime_start}`;
    if (seen.has(key)) throw shapeChanged(endpoint, at, "a day not listed before");
    seen.add(key);
    return observation;
  });
}
