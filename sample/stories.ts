// The stories about the fictional companies: press releases on the days of their reports and between them,
// and articles of a news desk. Who carries which is the providers' business (newswires/, alpaca/news.ts).
import { LRUCache } from "lru-cache";
import { allNamed } from "./edgar/filers.ts";
import { quartersBetween } from "./edgar/fiscal.ts";
import { releaseOf } from "./edgar/plan.ts";
import type { Listing } from "./listing.ts";
import type { Market } from "./market.ts";
import { keyOf, uniform } from "./randomness.ts";
import { dateAt, dateOf, dayOf, secondsAt } from "./sessions.ts";

/** One article. Texts are plain: how they are escaped differs from provider to provider. */
export interface Story {
  readonly id: number;
  /**
   * `wire`: a company's own release; `desk`: an article about one or two companies; `abroad`: of a company
   * that is not listed here.
   */
  readonly kind: "wire" | "desk" | "abroad";
  /** Epoch seconds. */
  readonly at: number;
  /** Of its change; null: it never changes. */
  readonly changesAt: number | null;
  readonly headline: string;
  readonly summary: string;
  /** In the price provider's spelling. */
  readonly symbols: readonly string[];
  readonly issuer: string;
  readonly exchange: Listing["exchange"];
}

export interface Stories {
  /** The newest `count` that are out and fit, newest first, of the last hundred days. */
  newest(count: number, fits: (story: Story) => boolean): Story[];
  /** Out and within the seconds given, oldest first. */
  between(from: number, to: number): Story[];
}

const NEW_YORK = "America/New_York";
const DAYS_BACK = 100;
const DESK_A_DAY = 8;
const WIRE_A_DAY = 3;
const LAG_DAYS_MAX = 45;
const REPORTING = new Set(["reports", "notes"]);
const UPDATED_AFTER_S = 40 * 60;

const WORDS = [
  (name: string) => `${name}'s R&D spending is "on plan", its chief says`,
  (name: string) => `Why ${name} shares are moving today`,
  (name: string) => `Analysts at Gribble & Sons raise their view of ${name}`,
  (name: string) => `${name} trades at P/E <20: what it means`,
  (name: string) => `${name} names a new head of operations – café chain veteran`,
] as const;
const ANNOUNCED = [
  (name: string) => `${name} to Present at the Autumn Conference of Gribble & Sons`,
  (name: string) => `${name} Appoints New Chief Financial Officer`,
  (name: string) => `${name} Declares Date of Annual Meeting`,
] as const;
const QUARTERS = ["First", "Second", "Third", "Fourth"];

const pick = <T>(list: readonly T[], at: number): T | undefined => list[Math.floor(at * list.length)];

/** Only common shares are written about. */
const isWrittenAbout = ({ type, hours, symbol }: Listing) =>
  type === "EQUITY" && hours === "us" && /^[A-Z]+(?:-[AB])?$/.test(symbol);

interface Subject {
  readonly listing: Listing;
  /** Its symbol on the day of the story. */
  readonly symbol: string;
}

/** A company's own release; its text has `sentences` sentences. */
const announcementOf = (
  { listing, symbol }: Subject,
  headline: string,
  at: number,
  sentences: number,
): Omit<Story, "id"> => ({
  kind: "wire",
  at,
  changesAt: null,
  headline,
  summary: `${listing.name} made this known today. `.repeat(sentences).trim(),
  symbols: [symbol],
  issuer: listing.name,
  exchange: listing.exchange,
});

/** The daily release of a foreign company whose symbol belongs to another company here. */
const storyFromAbroad = (midnight: number): Omit<Story, "id"> => ({
  kind: "abroad",
  at: midnight + 8 * 3600,
  changesAt: null,
  headline: "Zorpa Energia informs about its share buy-back",
  summary: "Of a company abroad whose symbol is another one's here.",
  symbols: ["ZORP"],
  issuer: "Zorpa Energia S.A.",
  exchange: "PNK",
});

export function createStories(market: Market): Stories {
  const days = new LRUCache<number, readonly Story[]>({ max: 400 });
  let subjects: readonly Listing[] | undefined;

  /** A company that is listed on the day, by its symbol of then. */
  const subjectOn = (date: string, at: number): Subject | null => {
    subjects ??= market.listings().filter(isWrittenAbout);
    const listing = pick(subjects, at);
    if (!listing) return null;
    const { formerly } = listing;
    const symbol = formerly && date <= formerly.until ? formerly.symbol : listing.symbol;
    return market.findOn(symbol, date)?.kind === "listed" ? { listing, symbol } : null;
  };

  const releases = (day: number, midnight: number): Omit<Story, "id">[] => {
    const date = dateOf(day);
    return allNamed().flatMap((filer) => {
      const [first] = filer.listings;
      if (!first || !REPORTING.has(filer.habit) || date < filer.since || date > filer.until) return [];
      const { formerly } = first;
      const symbol = formerly && date <= formerly.until ? formerly.symbol : first.symbol;
      if (market.findOn(symbol, date)?.kind !== "listed") return [];
      return quartersBetween(filer, day - LAG_DAYS_MAX, day - 10).flatMap((quarter) => {
        const release = releaseOf(market.seed, filer, quarter);
        if (release.day !== day) return [];
        const which = `${QUARTERS[quarter.number - 1] ?? "Latest"} Quarter ${quarter.year}`;
        return [
          {
            kind: "wire" as const,
            at: midnight + release.time,
            changesAt: null,
            headline: `${filer.name} Announces ${which} Results`,
            summary: `${filer.name} today announced results of the quarter ended ${dateOf(quarter.end)}. A call for shareholders & analysts follows.`,
            symbols: [symbol],
            issuer: filer.name,
            exchange: first.exchange,
          },
        ];
      });
    });
  };

  const announcement = (day: number, midnight: number, n: number): Omit<Story, "id">[] => {
    const key = keyOf(market.seed, `wire ${day} ${n}`);
    const subject = subjectOn(dateOf(day), uniform(key, 0));
    const words = pick(ANNOUNCED, uniform(key, 1));
    if (!subject || !words) return [];
    const at = midnight + Math.floor((6 + 10 * uniform(key, 2)) * 3600);
    return [announcementOf(subject, words(subject.listing.name), at, 1 + Math.floor(uniform(key, 3) * 30))];
  };

  const article = (day: number, midnight: number, n: number): Omit<Story, "id">[] => {
    const key = keyOf(market.seed, `desk ${day} ${n}`);
    const subject = subjectOn(dateOf(day), uniform(key, 0));
    const other = uniform(key, 1) < 0.3 ? subjectOn(dateOf(day), uniform(key, 2)) : null;
    const words = pick(WORDS, uniform(key, 3));
    if (!subject || !words) return [];
    const at = midnight + Math.floor((5 + (17 * (n + uniform(key, 4))) / DESK_A_DAY) * 3600);
    const symbols = [...new Set([subject.symbol, ...(other ? [other.symbol] : [])])];
    return [
      {
        kind: "desk",
        at,
        changesAt: uniform(key, 5) < 0.3 ? at + UPDATED_AFTER_S : null,
        headline: words(subject.listing.name),
        summary: `${subject.listing.name}'s day in short, & what others say.`,
        symbols,
        issuer: subject.listing.name,
        exchange: subject.listing.exchange,
      },
    ];
  };

  const storiesOn = (day: number): readonly Story[] => {
    const known = days.get(day);
    if (known) return known;
    const midnight = secondsAt(dateOf(day), "00:00", NEW_YORK);
    const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
    const made = [
      ...numbers(DESK_A_DAY).flatMap((n) => article(day, midnight, n)),
      ...numbers(WIRE_A_DAY).flatMap((n) => announcement(day, midnight, n)),
      ...releases(day, midnight),
      storyFromAbroad(midnight),
    ];
    const stories = made.map((story, n) => ({ ...story, id: day * 1_000 + n })).sort((a, b) => a.at - b.at);
    days.set(day, stories);
    return stories;
  };

  const today = () => dayOf(dateAt(market.now(), NEW_YORK));
  return {
    newest(count, fits) {
      const found: Story[] = [];
      for (let day = today(), back = 0; back < DAYS_BACK && found.length < count; day--, back++)
        found.push(
          ...storiesOn(day)
            .filter((story) => story.at <= market.now() && fits(story))
            .toReversed(),
        );
      return found.slice(0, count);
    },
    between(from, to) {
      const found: Story[] = [];
      const last = Math.min(to, market.now());
      for (
        let day = dayOf(dateAt(from, NEW_YORK)) - 1;
        day <= Math.min(today(), dayOf(dateAt(to, NEW_YORK)));
        day++
      )
        found.push(...storiesOn(day).filter(({ at }) => at >= from && at <= last));
      return found;
    },
  };
}

/** Whether its change can be seen. */
export const isChanged = ({ changesAt }: Story, now: number) => changesAt !== null && changesAt <= now;
/** As it reads now. */
export const headlineNow = (story: Story, now: number) =>
  isChanged(story, now) ? `${story.headline} (updated)` : story.headline;

const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** Where it stands: at the wire that released it, or at the desk. */
export function addressOf(story: Story): string {
  const slug = slugOf(story.headline);
  if (story.kind === "desk") return `https://desk.samplewire.example/${story.id}/${slug}`;
  const date = dateAt(story.at, "UTC").replaceAll("-", "/");
  return `https://www.globenewswire.com/news-release/${date}/${story.id}/en/${slug}.html`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
/** Text as HTML or XML has it. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
