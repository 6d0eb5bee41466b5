// Reads Yahoo's JSON field by field; an unexpected shape is an error that names the path.
import { UpstreamMisread } from "../../platform/errors.ts";
import { JsonPlace, jsonOf } from "../../platform/upstream/json-place.ts";
import type { UpstreamAnswer } from "../../platform/upstream/policy.ts";

const UPSTREAM = "yahoo";

/** Numbers that JSON lacks; Yahoo writes them as text where a ratio divides by zero. */
const NOT_NUMBERS = new Set(["Infinity", "-Infinity", "NaN", ""]);
const DECIMAL = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i;

/** One place in an answer of Yahoo. */
export class Wire extends JsonPlace {
  protected get upstream() {
    return UPSTREAM;
  }

  /**
   * A finite number, also as text or as `{raw, fmt}` (`formatted=true`); null when absent, null, "" or `{}`.
   */
  numberOrNull(): number | null {
    if (this.isMissing) return null;
    if (typeof this.value === "number") {
      // JSON.parse turns 1e999 into Infinity.
      if (!Number.isFinite(this.value)) throw this.wrong("a finite number");
      return this.value;
    }
    if (typeof this.value === "string") {
      if (NOT_NUMBERS.has(this.value)) return null;
      if (DECIMAL.test(this.value) && Number.isFinite(Number(this.value))) return Number(this.value);
      throw this.wrong("a number");
    }
    if (typeof this.value === "object" && !Array.isArray(this.value)) return this.at("raw").numberOrNull();
    throw this.wrong("a number");
  }

  /** A list of finite numbers and nulls with exactly `length` items: Yahoo's lists are parallel. */
  numbers(length: number): (number | null)[] {
    const list = this.list();
    if (list.length !== length) throw this.wrong(`a list of ${length}, not of ${list.length}`);
    return list.map((v, i) => {
      if (v === null) return null;
      if (typeof v === "number" && Number.isFinite(v)) return v;
      throw new Wire(this.document, `${this.path}[${i}]`, v).wrong("a finite number or null");
    });
  }

  /** Seconds since the epoch as an instant; null when absent. */
  instantOrNull(): Temporal.Instant | null {
    const seconds = this.numberOrNull();
    if (seconds === null) return null;
    // Beyond the years 0001–9999 a date cannot be written as text; a value of that size is milliseconds.
    if (!Number.isInteger(seconds) || Math.abs(seconds) > 60_000_000_000)
      throw this.wrong("seconds of the epoch");
    return Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
  }

  instant(): Temporal.Instant {
    const instant = this.instantOrNull();
    if (instant === null) throw this.wrong("seconds of the epoch");
    return instant;
  }
}

/**
 * The JSON body of an answer. Throws UpstreamFailed when it is not complete JSON, or a refusal not in Yahoo's
 * format.
 */
export function readJson(document: string, answer: UpstreamAnswer): Wire {
  const body = new Wire(document, document, jsonOf(UPSTREAM, document, answer));
  const { status } = answer;
  // 401 and 403 concern the session, whatever their body.
  if (status >= 400 && status !== 401 && status !== 403 && readError(body) === null)
    throw new UpstreamMisread(UPSTREAM, `yahoo answered ${document} with status ${status}`, {
      upstreamStatus: status,
    });
  return body;
}

/** A refusal by Yahoo. Its envelope varies, and its error may be an object or plain text. */
export interface YahooError {
  /** The document that holds it; `finance` is Yahoo's front end, not the requested document. */
  readonly envelope: string;
  readonly code: string;
  readonly description: string;
}

/** Keys under which answers wrap their result and error; a refusal may use the key of another document. */
const ENVELOPES = ["chart", "quoteResponse", "spark", "finance", "quoteSummary"];

/** The refusal in an answer with any status; null when there is none. */
export function readError(body: Wire): YahooError | null {
  for (const name of ENVELOPES) {
    const envelope = body.at(name);
    if (envelope.isMissing) continue;
    const error = envelope.at("error");
    if (error.isMissing) continue;
    if (typeof error.value === "string")
      return { envelope: name, code: error.value, description: error.value };
    const code = error.at("code").textOrNull() ?? "Error";
    return { envelope: name, code, description: error.at("description").textOrNull() ?? code };
  }
  return null;
}

/** True when Yahoo requires a session, or a different one. Some of these answers have status 200. */
export function isDenied(error: YahooError | null, status: number): boolean {
  return status === 401 || status === 403 || /^(?:unauthorized|forbidden)$/i.test(error?.code ?? "");
}
