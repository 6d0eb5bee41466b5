// The real-time period of a request: today in Chicago unless it says otherwise, and never after that.
import { isRealDay } from "../../src/market/date.ts";
import { refuse } from "./reply.ts";

export interface RealTime {
  readonly start: string;
  readonly end: string;
}

export const FIRST_DAY = "1776-07-04";
export const LAST_DAY = "9999-12-31";

function dayOf(query: URLSearchParams, name: string, preset: string, today: string): string {
  const day = query.get(name) ?? preset;
  if (!isRealDay(day)) refuse(`The value for variable ${name} is not a valid date (YYYY-MM-DD).`);
  if (day > today && day !== LAST_DAY)
    refuse(
      `Variable ${name} can not be after today's date (${today}) unless it's equal to the real-time max date ${LAST_DAY}.`,
    );
  return day;
}

export function realTimeOf(
  query: URLSearchParams,
  today: string,
  preset: RealTime = { start: today, end: today },
): RealTime {
  const start = dayOf(query, "realtime_start", preset.start, today);
  const end = dayOf(query, "realtime_end", preset.end, today);
  if (start > end) refuse("The value for variable realtime_start is after that of realtime_end.");
  return { start, end };
}
