// The entrance for OpenBB Workspace: its two files, and one address per widget that leads to the route with
// its rows.
import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { newYorkDate } from "../../market/calendar.ts";
import { asOfInstant, windowEnd } from "../../market/known-at.ts";
import { asOfField, oneOf, tickerField } from "../../market/params.ts";
import type { Services } from "../../market/services.ts";
import { InvalidRequest, NotFound } from "../../platform/errors.ts";
import { appsOf } from "./apps.ts";
import { entryOf } from "./widget.ts";
import { WIDGETS } from "./widgets.ts";

export interface WorkspaceDeps extends Pick<Services, "clock"> {
  /** The ticker that widgets show at first. */
  readonly symbol: string;
}

/** Workspace sends a field that is empty as an empty text. */
const orEmpty = <T extends ReturnType<typeof tickerField>>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Literal("")]));

const WidgetPath = Type.Object({ widget: Type.String() });
const WidgetQuery = Type.Object({
  ticker: orEmpty(tickerField()),
  as_of: orEmpty(asOfField()),
  period: Type.Optional(Type.String({ maxLength: 10 })),
  period_type: Type.Optional(oneOf(["annual", "quarterly", "all", "ttm"], "Periods of statements.")),
  vintage: Type.Optional(oneOf(["latest", "first"], "Vintage of statements.")),
});

/**
 * The address of a widget's rows, relative to the widget's own, so that it holds behind a proxy with a path
 * of its own. Throws NotFound for a widget that does not exist, and InvalidRequest for a ticker that is
 * missing.
 */
function addressOf(id: string, query: Static<typeof WidgetQuery>, now: Temporal.Instant): string {
  const widget = Object.hasOwn(WIDGETS, id) ? WIDGETS[id] : undefined;
  if (!widget) throw new NotFound("route_not_found", `There is no widget ${id}; widgets.json lists them.`);
  const needsTicker = widget.fields.some(({ paramName }) => paramName === "ticker");
  const symbol = query.ticker?.trim() ?? "";
  if (needsTicker && symbol === "") throw new InvalidRequest("no_tickers", "The widget needs a ticker.");
  const given = query.as_of || undefined;
  const moment = windowEnd(asOfInstant(given), now);
  const { period, period_type, vintage } = query;
  const [path, fields] = widget.target({
    ticker: encodeURIComponent(symbol),
    as_of: given ?? now.toString(),
    day: newYorkDate(moment),
    period,
    period_type,
    vintage,
  });
  const sent = new URLSearchParams({ ...(given ? { as_of: given } : {}), ...fields, format: "records" });
  return `../${path}?${sent}`;
}

/** The routes of OpenBB Workspace. They are its configuration and no part of the documented interface. */
export function workspace({ clock, symbol }: WorkspaceDeps) {
  const detail = { hide: true };
  const widgets = () =>
    Object.fromEntries(Object.entries(WIDGETS).map(([id, widget]) => [id, entryOf(id, widget, symbol)]));
  const routes = new Elysia({ name: "workspace" })
    .get("/widgets.json", widgets, { detail })
    .get("/apps.json", () => appsOf(symbol), { detail })
    .get(
      "/workspace/:widget",
      ({ params, query }) =>
        new Response(null, {
          status: 307,
          headers: { location: addressOf(params.widget, query, clock.now()), "cache-control": "no-store" },
        }),
      { params: WidgetPath, query: WidgetQuery, detail },
    );
  return { routes };
}
