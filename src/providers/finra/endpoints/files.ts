// Fetches FINRA's files of one day; null where the server has no such file.

import { createHash } from "node:crypto";
import { decoding, fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { fileText } from "../parse/file-text.ts";
import { readShortInterestFile } from "../parse/short-interest.ts";
import { readShortVolumeFile } from "../parse/short-volume.ts";
import { FINRA_HOST } from "../policy.ts";
import type { Facility, FileFacts, ShortInterestFile, ShortVolumeFile } from "../records.ts";

const compact = (date: string) => date.replaceAll("-", "");

export const shortVolumeName = (facility: Facility, date: string) => `${facility}shvol${compact(date)}.txt`;
export const shortInterestName = (date: string) => `shrt${compact(date)}.csv`;

const shortVolumeUrl = (name: string) => `https://${FINRA_HOST}/equity/regsho/daily/${name}`;
const shortInterestUrl = (name: string) => `https://${FINRA_HOST}/equity/otcmarket/biweekly/${name}`;

const isAbsent = ({ status }: UpstreamAnswer) => status === 403 || status === 404;

/** The Last-Modified header as an instant; null when it is missing or invalid. */
function lastModified(headers: Headers): string | null {
  const ms = Date.parse(headers.get("last-modified") ?? "");
  return Number.isNaN(ms) ? null : Temporal.Instant.fromEpochMilliseconds(ms).toString();
}

function fileFacts(answer: UpstreamAnswer, text: string): FileFacts {
  return {
    sha256: createHash("sha256").update(text).digest("hex"),
    last_modified: lastModified(answer.headers),
    fetched_at: answer.receivedAt.round({ smallestUnit: "millisecond", roundingMode: "floor" }).toString(),
  };
}

async function fetchText(upstream: Upstream, url: string, name: string, signal: AbortSignal | undefined) {
  return fetchDecoded(upstream, { url, signal, label: name }, (answer) => {
    if (isAbsent(answer)) return null;
    const text = fileText(answer.bytes, name);
    return { text, facts: fileFacts(answer, text) };
  });
}

/**
 * Fetches the short volume of a trade date. Tries the gzip file where the plain one is missing, unless
 * `plainOnly` is set (for files not published yet). Throws UpstreamFailed (also for a truncated file),
 * UpstreamRateLimited, UpstreamTimeout.
 */
export async function askShortVolume(
  upstream: Upstream,
  facility: Facility,
  date: string,
  { plainOnly, signal }: { plainOnly: boolean; signal?: AbortSignal | undefined },
): Promise<ShortVolumeFile | null> {
  const name = shortVolumeName(facility, date);
  const plain = await fetchText(upstream, shortVolumeUrl(name), name, signal);
  const packed = `${name}.gz`;
  const found =
    plain ?? (plainOnly ? null : await fetchText(upstream, shortVolumeUrl(packed), packed, signal));
  if (!found) return null;
  const { lines, test_lines } = await decoding(upstream, () => readShortVolumeFile(found.text, date, name));
  return { lines, test_lines, ...found.facts };
}

/** Fetches the short interest of a settlement date. Throws as askShortVolume. */
export async function askShortInterest(
  upstream: Upstream,
  date: string,
  signal?: AbortSignal,
): Promise<ShortInterestFile | null> {
  const name = shortInterestName(date);
  const found = await fetchText(upstream, shortInterestUrl(name), name, signal);
  if (!found) return null;
  const lines = await decoding(upstream, () => readShortInterestFile(found.text, date, name));
  return { lines, ...found.facts };
}
