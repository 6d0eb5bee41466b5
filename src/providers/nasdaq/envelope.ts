// The envelope of every answer of the API: data, or a refusal that mostly comes with status 200.
import { UpstreamFailed } from "../../platform/errors.ts";
import { jsonOf } from "../../platform/upstream/json-place.ts";
import type { UpstreamAnswer } from "../../platform/upstream/policy.ts";
import { UPSTREAM, Wire } from "./wire.ts";

export interface Envelope {
  /** Null: Nasdaq has nothing to say, or `refusal` says why not. */
  readonly data: Wire | null;
  /** A remark beside the data, such as why a list is empty. */
  readonly message: string | null;
  /** Nasdaq's words for not answering (an unknown symbol, a bad date); null when it did. */
  readonly refusal: string | null;
}

/** Throws UpstreamFailed for what is no envelope, and for a failure that Nasdaq itself reports in one. */
export function readEnvelope(document: string, answer: UpstreamAnswer): Envelope {
  const body = new Wire(document, document, jsonOf(UPSTREAM, document, answer));
  const status = body.at("status");
  const data = body.at("data");
  // Without its envelope a refusal is somebody else's, such as a proxy's.
  if (answer.status >= 400 && data.isMissing && (status.isMissing || typeof status.value === "number"))
    throw new UpstreamFailed(UPSTREAM, `nasdaq answered ${document} with status ${answer.status}`, {
      upstreamStatus: answer.status,
    });
  const message = body.at("message").textOrNull();
  // Recordings that keep the data alone have no status.
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
