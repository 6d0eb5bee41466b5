// The standing services with the exchange calendar, for capabilities to pick from.
import type { StandingServices } from "../platform/services.ts";
import type { Calendar } from "./calendar.ts";

/** Take the ones you need: `Pick<Services, "lake" | "clock">`. */
export type Services = StandingServices<Calendar>;
