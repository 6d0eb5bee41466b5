// The envelope of every API answer: data, or a refusal, which usually comes with status 200.
import { UpstreamFailed } from "../../platform/errors.ts";
import { jsonOf } from "../../platform/upstream/json-place.ts";
import type { UpstreamAnswer } from "../../platform/upstream/policy.ts";
import { UPSTREAM, Wire } from "./wire.ts";

export interface Envelope {
  /** Null when Nasdaq has no data, or refused (see `refusal`). */
  readonly data: Wire | null;
  /** A message beside the data, such as why a list is empty. */
  readonly message: string | null;
  /** Nasdaq's message for a refusal (an unknown symbol, a bad date); null when it answered. */
  readonly refusal: string | null;
}

/**
 * Reads the envelope. Throws UpstreamFailed when there is none, and for a failure that Nasdaq reports in it.
 */
export function readEnvelope(document: string, answer: UpstreamAnswer): Envelope {
  const body = new Wire(document, document, jsonOf(UPSTREAM, document, answer));
  const status = body.at("status");
  const data = body.at("data");
  // A refusal without the envelope comes from something else, such as a proxy.
  if (answer.status >= 400 && data.isMissing && (status.isMissing || typeof status.value === "number"))
    throw new UpstreamFailed(UPSTREAM, `nasdaq answered ${document} with status ${answer.status}`, {
      upstreamStatus: answer.status,
    });
  const message = body.at("message").textOrNull();
  // Some recordings have only the data, without a status.
  const code = status.isMissing ? 200 : (status.at("rCode").numberOrNull() ?? answer.status);
  if (status.isMissing && data.isMissing) throw status.wrong("an object");
  if (code < 400 && answer.status < 400)
    return { data: data.isMissing ? null : data, message, refusal: null };
  const reasons = status.isMissing ? [] : status.at("bCodeMessage").itemsOrNone();
  const words = reasons.flatMap((reason) => reason.at("errorMessage").textOrNull() ?? []);
  const refusal = words.join("; ") || message || `code ${code}`;
  if (code >= 500 || code === 429 || code === 403)
    throw new UpstreamFailed(UPSTREAM, `nasdaq failed on ${document}: ${refusal}`, { upstreamStatus: code });
  return { data: null, message, refusal };
}
