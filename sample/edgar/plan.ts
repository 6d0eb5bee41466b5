// Plans a filer's filings of a year, beside those set by hand: reports after each quarter, releases before
// them, current reports on chance days. All of it follows from (seed, filer, period or year).
import { keyOf, uniform } from "../randomness.ts";
import { dateOf, dayOf } from "../sessions.ts";
import { businessDayFrom, OPENS_S, openingOf } from "./days.ts";
import { isRestatedYear } from "./ex27.ts";
import { factsOf } from "./facts.ts";
import type { Filer } from "./filers.ts";
import { accessionOf, datesOf, type Filing, type Layout, NAMED_FROM, TIMED_FROM } from "./filing.ts";
import { type Quarter, quartersBetween } from "./fiscal.ts";
import { fundReports } from "./fund-plan.ts";
import { ownershipFilings } from "./ownership-plan.ts";

/** A filing without its number, which follows from its place in the year. */
type Draft = Omit<Filing, "accession" | "seed"> & { readonly day: number };

const HOUR_S = 3600;

const LAYOUTS: readonly Layout[] = [
  "paragraphs",
  "paragraphs",
  "paragraphs",
  "paragraphs",
  "inline",
  "inline",
  "inline",
  "cells",
  "split",
  "wrapped",
];

type Kind = readonly [items: string, exhibits: readonly string[]];
const KINDS: readonly Kind[] = [
  ["5.02", []],
  ["5.02,9.01", ["EX-10.1"]],
  ["5.02", []],
  ["1.01,9.01", ["EX-10.1"]],
  ["1.01,2.03", []],
  ["7.01,9.01", ["release"]],
  ["7.01,9.01", ["release", "EX-99.2"]],
  ["8.01", []],
  ["8.01", []],
  ["8.01,9.01", ["release"]],
  ["8.01,9.01", ["release"]],
  ["5.03,9.01", ["EX-3.1"]],
  ["2.05", []],
];

interface FilerOptions {
  readonly key: number;
  readonly day: number;
  /** Seconds after midnight in New York, from 06:00 to 22:00. */
  readonly time: number;
  readonly form: string;
  readonly period: string;
  readonly kind?: Kind;
}

function draft(filer: Filer, { key, day, time, form, period, kind }: FilerOptions): Draft {
  const at = businessDayFrom(day);
  const acceptedAt = openingOf(at) + time - OPENS_S;
  return {
    day: at,
    filer,
    partner: null,
    form,
    period,
    key,
    acceptedAt,
    items: kind?.[0].split(",") ?? [],
    ...datesOf(at, time, acceptedAt, form),
    layout: kind ? (LAYOUTS[Math.floor(uniform(key, 90) * LAYOUTS.length)] ?? "paragraphs") : "paragraphs",
    exhibits: kind?.[1].map((type) => (type === "release" ? filer.releaseType : type)) ?? [],
    oddity: null,
    content: null,
  };
}

/** Most come before the open or after the close, one in ten after 17:30. */
function timeOf(key: number, n: number): number {
  const where = uniform(key, n);
  const part = uniform(key, n + 1);
  const [from, to] =
    where < 0.25 ? [6, 9.5] : where < 0.45 ? [9.5, 16] : where < 0.9 ? [16, 17.5] : [17.5, 22];
  return Math.floor((from + (to - from) * part) * HOUR_S);
}

/** The quarters that can be reported in `year`. */
function reportable(filer: Filer, year: number): Quarter[] {
  return quartersBetween(filer, dayOf(`${year - 1}-06-30`), dayOf(`${year}-12-31`));
}

const REPORTS = { quarter: "10-Q", year: "10-K", transition: "10-KT" } as const;

/** When the results of a quarter are published: day number, and seconds after midnight in New York. */
export function releaseOf(seed: number, filer: Filer, { end }: Quarter) {
  const key = keyOf(seed, `edgar ${filer.cik} ${dateOf(end)}`);
  const released = end + 18 + Math.floor(uniform(key, 0) * 14);
  const morning = uniform(key, 2) < 0.4;
  const time = Math.floor((morning ? 6.5 + 2 * uniform(key, 3) : 16 + 0.6 * uniform(key, 3)) * HOUR_S);
  return { key, released, day: businessDayFrom(released), time, morning };
}

/** Release, then report, of one quarter. */
function reportDrafts(seed: number, filer: Filer, quarter: Quarter): Draft[] {
  const { end, closes } = quarter;
  const period = dateOf(end);
  const annual = closes !== "quarter";
  const { key, released, day: releaseDay, time } = releaseOf(seed, filer, quarter);
  const lag = annual ? 20 + uniform(key, 1) * 15 : 1 + uniform(key, 1) * 8;
  return [
    draft(filer, {
      key,
      day: releaseDay,
      time,
      form: "8-K",
      period: dateOf(releaseDay),
      kind: ["2.02,9.01", ["release"]],
    }),
    draft(filer, {
      key: key + 1,
      day: released + Math.ceil(lag),
      time: timeOf(key, 5),
      form: REPORTS[closes],
      period,
    }),
  ];
}

/** Annual meeting and its papers, and what happens by chance. */
function currentDrafts(seed: number, filer: Filer, year: number, plain: boolean): Draft[] {
  const key = keyOf(seed, `edgar ${filer.cik} ${year}`);
  const first = dayOf(`${year}-01-01`);
  const at = (n: number, most: number) => first + Math.floor(uniform(key, n) * most);
  const meeting = first + 115 + Math.floor(uniform(key, 0) * 60);
  const vote: Kind = ["5.07", []];
  const drafts = [
    draft(filer, { key, day: meeting - 40, time: timeOf(key, 2), form: "DEF 14A", period: dateOf(meeting) }),
    draft(filer, {
      key: key + 1,
      day: meeting + 2,
      time: timeOf(key, 4),
      form: "8-K",
      period: dateOf(meeting),
      kind: vote,
    }),
  ];
  const count = plain ? 2 : 2 + Math.floor(uniform(key, 6) * 4);
  for (let i = 0; i < count; i++) {
    const n = 10 + 5 * i;
    const day = businessDayFrom(at(n, 360));
    const kind = KINDS[Math.floor(uniform(key, n + 1) * KINDS.length)] ?? vote;
    const happened = day - Math.floor(uniform(key, n + 2) * 4);
    const options = {
      key: key + 2 + i,
      day,
      time: timeOf(key, n + 3),
      form: "8-K",
      period: dateOf(happened),
      kind,
    };
    drafts.push(draft(filer, options));
  }
  return drafts;
}

/** Two pricing papers each business day: the reason why some lists have several pages. */
function noteDrafts(seed: number, filer: Filer, year: number): Draft[] {
  const drafts: Draft[] = [];
  const key = keyOf(seed, `edgar notes ${filer.cik} ${year}`);
  const end = dayOf(`${year + 1}-01-01`);
  for (let day = businessDayFrom(dayOf(`${year}-01-01`)); day < end; day = businessDayFrom(day + 1))
    for (const n of [0, 1])
      drafts.push(
        draft(filer, {
          key: key + 2 * day + n,
          day,
          time: timeOf(key, 4 * day + 2 * n),
          form: "424B2",
          period: "",
        }),
      );
  return drafts;
}

function fundDrafts(seed: number, filer: Filer, year: number): Draft[] {
  const contents = [
    ["485BPOS", "04-25"],
    ["N-CSR", "03-05"],
    ["N-CSRS", "09-04"],
    ["497", "07-16"],
  ] as const;
  return contents.map(([form, monthDay], i) => {
    const key = keyOf(seed, `edgar ${filer.cik} ${year} ${form}`);
    return draft(filer, {
      key,
      day: dayOf(`${year}-${monthDay}`) + i,
      time: timeOf(key, 0),
      form,
      period: "",
    });
  });
}

/**
 * Returns the filing of a foreign company in place of a draft: one report a year, and letters without items
 * for all the rest.
 */
function asForeign(draft: Draft): Draft[] {
  if (draft.form === "10-Q" || draft.form === "DEF 14A") return [];
  return [{ ...draft, form: draft.form === "10-K" ? "20-F" : "6-K", items: [] }];
}

function draftsOf(seed: number, filer: Filer, year: number, plain: boolean): Draft[] {
  if (filer.habit === "fund") return fundDrafts(seed, filer, year);
  const reports = reportable(filer, year).flatMap((quarter) => reportDrafts(seed, filer, quarter));
  const notes = filer.habit === "notes" ? noteDrafts(seed, filer, year) : [];
  const drafts = [...reports, ...currentDrafts(seed, filer, year, plain), ...notes];
  return filer.habit === "foreign" ? drafts.flatMap(asForeign) : drafts;
}

/** Before this day items had other numbers; what chance files then has the plain-text form of the time. */
const NEW_ITEMS_FROM = "2004-08-23";
const OLD_ITEMS: Readonly<Record<string, string>> = {
  "2.02": "12",
  "7.01": "9",
  "8.01": "5",
  "9.01": "7",
  "5.02": "6",
  "1.01": "5",
  "2.03": "5",
  "5.03": "5",
  "2.05": "5",
  "5.07": "5",
};

/** The schedules of figures that reports carried until they were given up; the year of a change has two. */
function schedulesOf({ filer, form, period }: Draft): string[] {
  if (!form.startsWith("10-")) return [];
  return isRestatedYear(filer, period) ? ["EX-27", "EX-27"] : ["EX-27"];
}

function inItsTime(filing: Draft): Draft {
  const timed: Draft = filing.filingDate < TIMED_FROM ? { ...filing, oddity: "no_acceptance" } : filing;
  const old: Draft =
    filing.filingDate < NAMED_FROM
      ? { ...timed, layout: "legacy", exhibits: [...timed.exhibits, ...schedulesOf(filing)] }
      : timed;
  if (filing.filingDate >= NEW_ITEMS_FROM || filing.items.length === 0) return old;
  const items = [...new Set(filing.items.map((item) => OLD_ITEMS[item] ?? "5"))];
  return { ...old, items, layout: "legacy" };
}

/**
 * Everything a filer files in a calendar year of acceptance, oldest first, the future included. `plain`:
 * fewer current reports, for companies made up by number.
 */
export function planOf(seed: number, filer: Filer, year: number, plain: boolean): readonly Filing[] {
  const first = dayOf(`${year}-01-01`);
  const end = dayOf(`${year + 1}-01-01`);
  const [since, until] = [dayOf(filer.since), Math.min(dayOf(filer.until), end - 1)];
  if (since >= end || until < first) return [];
  const facts = factsOf(seed, filer).filter(
    ({ acceptedAt }) => acceptedAt >= openingOf(first) - OPENS_S && acceptedAt < openingOf(end) - OPENS_S,
  );
  const byHand = (d: Draft) => facts.some(({ form, period }) => form === d.form && period === d.period);
  const drafts = draftsOf(seed, filer, year, plain)
    .filter(
      (d) =>
        d.day >= first &&
        d.day < end &&
        d.day >= since &&
        d.day <= until &&
        !(d.form.startsWith("10-") && byHand(d)),
    )
    .sort((a, b) => a.acceptedAt - b.acceptedAt)
    .map(inItsTime)
    .map(({ day: _, ...rest }, i): Filing => ({ ...rest, seed, accession: accessionOf(filer, year, i + 1) }));
  const onHoldings = ownershipFilings(seed, filer, year, plain);
  return [...drafts, ...facts, ...onHoldings, ...fundReports(seed, filer, year)].sort(
    (a, b) => a.acceptedAt - b.acceptedAt,
  );
}
