// Reported figures: the facts of XBRL and of the EX-27 schedules before 2001, and the rules their readers
// share.
export { normaliseEx27, SCHEDULES_READING } from "./parse/ex27/ex27.ts";
export { coverageOf } from "./parse/facts/coverage.ts";
export { FACTS_READING, normaliseFacts } from "./parse/facts/facts.ts";
export { COVER_SHARES } from "./parse/facts/line.ts";
export { lineKind, linesNotInIfrs } from "./parse/facts/lines.ts";
export {
  dateOfDay,
  FiscalCalendar,
  isMonthBoundary,
  monthsOfDays,
  readDayNumber,
} from "./parse/facts/period.ts";
export * from "./parse/facts/records.ts";
export { agree, isAnnualForm, isTransitionForm, knownAt, roundingOf, tierOf } from "./parse/facts/vintage.ts";
