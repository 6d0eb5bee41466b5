// The use cases of the earnings routes, built over one store, one collector and one set of caches.
import { type CompanyCalendarDeps, companyCalendar } from "./company-calendar.ts";
import { type MarketCalendarDeps, marketCalendar } from "./market-calendar.ts";
import { type SurpriseDeps, surpriseHistory } from "./surprise-history.ts";

export function earningsAnswers(deps: CompanyCalendarDeps & MarketCalendarDeps & SurpriseDeps) {
  const company = companyCalendar(deps);
  return {
    surprise: surpriseHistory(deps),
    calendar: company.one,
    bulk: company.bulk,
    market: marketCalendar(deps),
  };
}

export type EarningsAnswers = ReturnType<typeof earningsAnswers>;
