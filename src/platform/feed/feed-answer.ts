// Classifies and parses answers of feed providers; the same for all of them.
import { UpstreamMisread, UpstreamRefused } from "../errors.ts";
import { bodyStart } from "../upstream/body-start.ts";
import type { Classify, UpstreamAnswer } from "../upstream/policy.ts";
import { type Feed, FeedBroken, feedText, readFeed } from "./feed.ts";

/** How much of a body is looked at: a page is recognised by its first lines. */
const PEEK_BYTES = 1_024;

/** `name` is the display name of the provider. Whether the feed is complete shows when it is parsed. */
export const classifyFeed =
  (name: string): Classify =>
  (answer) => {
    const { status } = answer;
    const body = bodyStart(answer, PEEK_BYTES);
    if (status === 429) return { kind: "rate_limited", detail: `${name} refuses further requests (429)` };
    if (status === 403 || status === 401)
      return { kind: "rate_limited", detail: `${name} blocks this address (${status})` };
    if (status >= 500) return { kind: "failed", detail: `${name} answered with status ${status}` };
    if (status >= 400) return { kind: "answered" };
    if (status < 200 || status >= 300)
      return { kind: "failed", detail: `${name} answered with status ${status}` };
    if (body === "") return { kind: "failed", detail: `${name} sent an empty answer` };
    if (/^<(?:!doctype\s+html|html)\b/i.test(body))
      return { kind: "failed", detail: `${name} sent an HTML page instead of a feed` };
    if (!body.startsWith("<")) return { kind: "failed", detail: `${name} sent something other than a feed` };
    return { kind: "ok" };
  };

/** The feed of an answer. Throws UpstreamMisread when it is incomplete, UpstreamRefused for a 4xx. */
export function feedOf(upstream: string, name: string, answer: UpstreamAnswer): Feed {
  if (answer.status >= 400)
    throw new UpstreamRefused(upstream, `${name} refused the request (status ${answer.status})`, {
      upstreamStatus: answer.status,
    });
  try {
    return readFeed(feedText(answer.bytes));
  } catch (cause) {
    if (!(cause instanceof FeedBroken)) throw cause;
    throw new UpstreamMisread(upstream, `${name} sent a feed that cannot be used: ${cause.message}`, {
      upstreamStatus: answer.status,
      cause,
    });
  }
}
