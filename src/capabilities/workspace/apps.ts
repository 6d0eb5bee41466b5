// apps.json of OpenBB Workspace: one dashboard of all widgets that share a ticker and an as-of moment.
import { HALF_WIDTH } from "./widget.ts";
import { WIDGETS } from "./widgets.ts";

/** Workspace knows groups by these names only. */
const TICKER_GROUP = "Group 1";
const AS_OF_GROUP = "Group 2";

/** The tabs, each with its widgets in reading order, two in a row. */
const TABS = {
  company: ["prices", "statements", "insiders", "holders", "events", "short-volume"],
  market: ["universe"],
} as const;

const hasTicker = (id: string) =>
  WIDGETS[id]?.fields.some(({ paramName }) => paramName === "ticker") ?? false;

/** The places of widgets in a tab: two in a row, each row as high as its higher widget. */
function layoutOf(ids: readonly string[]) {
  let top = 0;
  const heights = ids.map((id) => WIDGETS[id]?.height ?? 0);
  return ids.map((id, at) => {
    const isLeft = at % 2 === 0;
    const height = Math.max(...heights.slice(at - (at % 2), at - (at % 2) + 2));
    const place = {
      i: id,
      x: isLeft ? 0 : HALF_WIDTH,
      y: top,
      w: ids.length === 1 ? 2 * HALF_WIDTH : HALF_WIDTH,
      h: height,
      groups: hasTicker(id) ? [TICKER_GROUP, AS_OF_GROUP] : [AS_OF_GROUP],
    };
    if (!isLeft) top += height;
    return place;
  });
}

/** The list of dashboards. `symbol` is the ticker at first. */
export function appsOf(symbol: string) {
  const ids = Object.values(TABS).flat();
  return [
    {
      name: "Asof",
      description:
        "A company as it was known at any moment: prices, statements, insiders, holders and events.",
      allowCustomization: true,
      tabs: Object.fromEntries(
        Object.entries(TABS).map(([id, widgets]) => [
          id,
          { id, name: id === "company" ? "Company" : "Market", layout: layoutOf(widgets) },
        ]),
      ),
      groups: [
        {
          name: TICKER_GROUP,
          type: "param",
          paramName: "ticker",
          widgetIds: ids.filter(hasTicker),
          defaultValue: symbol,
        },
        { name: AS_OF_GROUP, type: "param", paramName: "as_of", widgetIds: ids, defaultValue: "" },
      ],
      prompts: [],
    },
  ];
}
