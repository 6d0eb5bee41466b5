// The day by the service's clock, which a sample market sets to another day than the browser's.
import { fetchJson } from "./api.ts";
import { newYorkDay } from "./as-of.ts";

/**
 * Without an answer the moment the page was opened decides; the panels then say that the server does not
 * answer.
 */
export const serviceDay: Promise<string> = fetchJson<{ timestamp: string }>("/health").then(
  ({ timestamp }) => newYorkDay(timestamp),
  () => newYorkDay(new Date(performance.timeOrigin).toISOString()),
);
