// The standing services with the exchange's calendar, as capabilities name them.
import type { StandingServices } from "../platform/services.ts";
import type { Calendar } from "./calendar.ts";

/** Take what you need of it: `Pick<Services, "lake" | "clock">`. */
export type Services = StandingServices<Calendar>;
