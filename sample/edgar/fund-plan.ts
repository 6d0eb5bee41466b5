// Reports of holdings (NPORT-P) of the trust's funds: every third month's is public, in the eighth week after
// its day.
import { COMPANIES } from "../companies.ts";
import type { Listing } from "../listing.ts";
import { keyOf, uniform } from "../randomness.ts";
import { dateOf, dayOf } from "../sessions.ts";
import { businessDayFrom, OPENS_S, openingOf } from "./days.ts";
import { allNamed, type Filer, TRUST_CIK, type TrustFund } from "./filers.ts";
import { accessionOf, datesOf, type Filing } from "./filing.ts";

/** The first day that reports were public of. */
const FIRST_PERIOD = "2019-09-30";
const QUARTER_ENDS = ["03-31", "06-30", "09-30", "12-31"] as const;
/** Numbers of these filings lie apart from the trust's others. */
const FIRST_NUMBER = 500_001;
/** The fund that corrects its report of each year's end, three weeks later. */
const CORRECTED = "ZTEKF";
const HOUR_S = 3600;

const ofTrust = ({ type, symbol }: Listing) =>
  type === "ETF" && !allNamed().some((filer) => filer.symbol === symbol);

/** The funds of the trust in their order. */
export const trustFunds = (): readonly TrustFund[] =>
  COMPANIES.filter(ofTrust).map(({ symbol, name }, i) => {
    const number = `0009000${String(i + 1).padStart(2, "0")}`;
    return { symbol, name, seriesId: `S${number}`, classId: `C${number}` };
  });

function reportOf(seed: number, filer: Filer, fund: TrustFund, period: string, isAmendment: boolean) {
  const form = isAmendment ? "NPORT-P/A" : "NPORT-P";
  const key = keyOf(seed, `nport ${fund.seriesId} ${period} ${form}`);
  const lag = 51 + Math.floor(uniform(key, 0) * 7) + (isAmendment ? 21 : 0);
  const day = businessDayFrom(dayOf(period) + lag);
  const time = Math.floor((9 + 8 * uniform(key, 1)) * HOUR_S);
  const acceptedAt = openingOf(day) + time - OPENS_S;
  return {
    filer,
    partner: null,
    form,
    items: [],
    acceptedAt,
    ...datesOf(day, time, acceptedAt, form),
    period,
    layout: "paragraphs" as const,
    exhibits: [],
    oddity: null,
    content: null,
    fund,
    seed,
    key,
  };
}

/** The trust's reports accepted in a year, oldest first; none for other filers. */
export function fundReports(seed: number, filer: Filer, year: number): readonly Filing[] {
  if (filer.cik !== TRUST_CIK) return [];
  const periods = [year - 1, year]
    .flatMap((y) => QUARTER_ENDS.map((monthDay) => `${y}-${monthDay}`))
    .filter((period) => period >= FIRST_PERIOD);
  return periods
    .flatMap((period) =>
      trustFunds().flatMap((fund) => [
        reportOf(seed, filer, fund, period, false),
        ...(fund.symbol === CORRECTED && period.endsWith("12-31")
          ? [reportOf(seed, filer, fund, period, true)]
          : []),
      ]),
    )
    .filter(({ filingDate }) => filingDate.startsWith(String(year)))
    .sort((a, b) => a.acceptedAt - b.acceptedAt || (a.fund.seriesId < b.fund.seriesId ? -1 : 1))
    .map((report, i): Filing => ({ ...report, accession: accessionOf(filer, year, FIRST_NUMBER + i) }));
}

/** Last business day of the market on or before the day of a report. */
export function valuedOn(period: string): number {
  let day = dayOf(period);
  while (businessDayFrom(day) !== day || dateOf(day) > period) day--;
  return day;
}
