// FINRA's file server over the sample market: the daily short-volume files, corrections among them, and short
// interest.
import { LRUCache } from "lru-cache";
import type { Market } from "../market.ts";
import { dayOf, type Session, secondsAt } from "../sessions.ts";
import type { Reply, SampleUpstream } from "../wire.ts";
import { settlements } from "./settlement.ts";
import { interestText } from "./short-interest.ts";
import { type Line, linesOn, partOf, testLines, written } from "./short-volume.ts";

const HOST = "cdn.finra.org";
const DAILY = /^\/equity\/regsho\/daily\/(CNMS|FNSQ|FNQC|FNYX|FNRA|FORF)shvol(\d{8})\.txt$/;
const BIWEEKLY = /^\/equity\/otcmarket\/biweekly\/shrt(\d{8})\.csv$/;
const HEADER = "Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market";
/** Nothing older is kept. */
const FIRST_DATE = "2018-08-01";
const NEW_YORK = "America/New_York";
const PUBLISHED = "18:00";
/** A corrected file appears on the second session after its day. */
const CORRECTED = { sessionsLater: 2, time: "12:00" } as const;
const FILES_MAX = 60;

/** The answer for what is not there, as the storage behind the server gives it. */
const missing = (): Reply => ({
  status: 403,
  headers: { "content-type": "application/xml", server: "AmazonS3", "x-cache": "Error from cloudfront" },
  body: '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>SAMPLE0000000000</RequestId></Error>',
});

const fileOf = (text: string, type: string, changedAt: number): Reply => ({
  status: 200,
  headers: {
    "content-type": type,
    "last-modified": new Date(changedAt * 1000).toUTCString(),
    server: "AmazonS3",
    "x-cache": "Miss from cloudfront",
  },
  body: text,
});

/** Whether the file of this day was published with mistakes: a line too few, one too many, a wrong figure. */
export const isCorrected = (date: string): boolean => dayOf(date) % 23 === 7;
/** The mistakes of the first version of such a file. */
export const MISTAKES = { missing: "GIBBL", tooMany: "VEXOQ", figure: "ZUBB", sharesShort: 1_000 } as const;

function edited(lines: readonly Line[], isFirst: boolean): Line[] {
  const wrong = isFirst ? MISTAKES.missing : MISTAKES.tooMany;
  return lines
    .filter(({ symbol }) => symbol !== wrong)
    .map((line) =>
      isFirst && line.symbol === MISTAKES.figure
        ? { ...line, short: line.short - MISTAKES.sharesShort }
        : line,
    );
}

const byteOrder = (a: Line, b: Line) => (a.symbol < b.symbol ? -1 : 1);

function textOf(lines: readonly Line[], date: string): string {
  const day = date.replaceAll("-", "");
  const rows = [...lines]
    .sort(byteOrder)
    .map(({ symbol, short, exempt, total, market }) =>
      [day, symbol, written(short, date), exempt, written(total, date), market].join("|"),
    );
  return `${[HEADER, ...rows, rows.length].join("\r\n")}\r\n`;
}

function linesOf(market: Market, facility: string, session: Session, isFirst: boolean): Line[] {
  if (facility === "FNRA") return [];
  if (facility === "FORF") return linesOn(market, session, true);
  const listed = linesOn(market, session, false);
  const lines = isCorrected(session.date) ? edited(listed, isFirst) : listed;
  const all = [...lines, ...testLines(market, session)];
  if (facility === "CNMS") return all;
  const code = facility === "FNSQ" ? "Q" : facility === "FNYX" ? "N" : "B";
  return all.flatMap((line) => partOf(line, code, session.date) ?? []);
}

const dashed = (compact: string) => `${compact.slice(0, 4)}-${compact.slice(4, 6)}-${compact.slice(6)}`;

/** The file server over a market. */
export function createFinra(market: Market): SampleUpstream {
  const texts = new LRUCache<string, string>({ max: FILES_MAX });
  const cached = (name: string, make: () => string) => {
    const text = texts.get(name) ?? make();
    texts.set(name, text);
    return text;
  };
  const sessionsNow = () => {
    const listing = market.listings().find(({ hours }) => hours === "us");
    return listing ? market.table(listing).sessions : [];
  };
  const daily = (facility: string, date: string): Reply => {
    const sessions = sessionsNow();
    const index = sessions.findIndex((session) => session.date === date);
    const session = sessions[index];
    const publishedAt = session ? secondsAt(date, PUBLISHED, NEW_YORK) : Number.POSITIVE_INFINITY;
    if (!session || date < FIRST_DATE || market.now() < publishedAt) return missing();
    const later = sessions[index + CORRECTED.sessionsLater];
    const correctedAt = later ? secondsAt(later.date, CORRECTED.time, NEW_YORK) : Number.POSITIVE_INFINITY;
    const isFirst = market.now() < correctedAt;
    const text = cached(`${facility} ${date} ${isFirst}`, () =>
      textOf(linesOf(market, facility, session, isFirst), date),
    );
    return fileOf(text, "text/plain", isFirst || !isCorrected(date) ? publishedAt : correctedAt);
  };
  const biweekly = (date: string): Reply => {
    const sessions = sessionsNow();
    const all = settlements(sessions);
    const place = all.findIndex(({ session }) => session.date === date);
    const found = all[place];
    if (!found || found.publishedAt === null || market.now() < found.publishedAt) return missing();
    const text = cached(`SHRT ${date}`, () => interestText(market, found, all[place - 1], sessions));
    return fileOf(text, "text/csv", found.publishedAt);
  };
  return {
    answer({ host, path }) {
      if (host !== HOST) return null;
      const day = DAILY.exec(path);
      if (day) return daily(day[1] ?? "", dashed(day[2] ?? ""));
      const fortnight = BIWEEKLY.exec(path);
      return fortnight ? biweekly(dashed(fortnight[1] ?? "")) : missing();
    },
  };
}
