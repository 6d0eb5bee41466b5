// The main symbol of a company, today or at a moment.
import type { SymbolsOf } from "../../market/issuer.ts";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import { currentReading, isReplaying } from "../../platform/reading.ts";
import type { ListVersions } from "./list-versions.ts";
import type { CompanyRegistry, Listing } from "./registry.ts";
import type { Sightings } from "./sightings.ts";

/**
 * The main class among the listings of one company: the first ordinary share that is not traded over the
 * counter.
 */
export function mainClass(listings: readonly Listing[]): Listing | null {
  const ordinary = listings.filter(({ symbol }) => !/[.-]/.test(symbol));
  return ordinary.find(({ exchange }) => exchange !== "OTC") ?? ordinary[0] ?? listings[0] ?? null;
}

/** The main symbol of each company among lines of the regulator's list. */
const mainSymbols = (lines: readonly Listing[]): [cik: string, symbol: string][] =>
  [...Map.groupBy(lines, ({ cik }) => cik)].flatMap(([cik, own]) => {
    const main = mainClass(own);
    return main ? [[cik, main.symbol] as [string, string]] : [];
  });

/** The lines of each company that the list had first. */
function firstLines(lines: readonly Listing[]): Listing[] {
  const first = new Map<string, string>();
  for (const { cik, first_seen_at } of lines) {
    const known = first.get(cik);
    if (known === undefined || first_seen_at < known) first.set(cik, first_seen_at);
  }
  return lines.filter(({ cik, first_seen_at }) => first.get(cik) === first_seen_at);
}

interface SymbolsDeps extends Pick<Services, "clock"> {
  readonly registry: CompanyRegistry;
  readonly sightings: Sightings;
  /** The lists in the lake. */
  readonly versions: Pick<ListVersions, "publish" | "loadCompanies" | "hasCompanies">;
}

/**
 * Gives symbols as of a moment: those of the regulator's list then, else those that forms stated by then,
 * else those of the first list read after it. So a later rename changes no past answer.
 */
export function symbolsAt({ registry, sightings, versions, clock }: SymbolsDeps): SymbolsOf {
  const find = async (
    ciks: readonly string[],
    at: Temporal.Instant | null,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> => {
    const lines = registry.ofCompanies(ciks);
    if (at === null || Temporal.Instant.compare(at, clock.now()) >= 0)
      return new Map(mainSymbols(lines.filter(({ gone_at }) => gone_at === null)));
    const then = instantText(at.epochMilliseconds);
    const listed = lines.filter(
      ({ first_seen_at, gone_at }) => first_seen_at <= then && (gone_at === null || gone_at > then),
    );
    const found = new Map(mainSymbols(listed));
    const unlisted = ciks.filter((cik) => !found.has(cik));
    const stated = await sightings.symbolsInForms(unlisted, then, signal);
    const later = lines.filter(({ first_seen_at }) => first_seen_at > then);
    return new Map([...mainSymbols(firstLines(later)), ...stated, ...found]);
  };

  return async (given, at, signal) => {
    const ciks = [...new Set(given)];
    await versions.loadCompanies(ciks, signal);
    const symbols = await find(ciks, at, signal);
    if (isReplaying()) return symbols;
    if (!versions.hasCompanies()) currentReading()?.ranAhead();
    await versions.publish();
    return symbols;
  };
}
