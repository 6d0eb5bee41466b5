// A widget of OpenBB Workspace, and the entry of widgets.json that describes it.

/** A field that Workspace asks the user for and sends as a query parameter. */
export interface Field {
  readonly paramName: string;
  readonly type: "text" | "ticker" | "date";
  readonly label: string;
  readonly description: string;
  /** The first value of the field; null leaves it empty. */
  readonly value: string | null;
  readonly show: true;
  readonly optional?: true;
  readonly options?: readonly { readonly label: string; readonly value: string }[];
}

export interface Column {
  readonly field: string;
  readonly headerName: string;
  readonly cellDataType?: "dateString";
  readonly chartDataType?: "time" | "series";
  readonly formatterFn?: "int" | "none";
}

/** The values of a widget's request. */
export interface WidgetRequest {
  /** Encoded for a path; empty where the widget has no ticker. */
  readonly ticker: string;
  /** The as-of moment; now where none was given. */
  readonly as_of: string;
  /** The New York day of that moment. */
  readonly day: string;
  readonly period?: string | undefined;
  readonly period_type?: string | undefined;
  readonly vintage?: string | undefined;
}

export interface Widget {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  /** Rows of Workspace's grid, which is 40 columns wide. */
  readonly height: number;
  /** Shown as a line chart at first: the field of the axis, then the series. */
  readonly chart?: readonly string[];
  readonly columns: readonly Column[];
  /** Beside `as_of`, which every widget has. */
  readonly fields: readonly Field[];
  /** The route below /api/v1 that answers, and its query. */
  target(request: WidgetRequest): readonly [path: string, query: Readonly<Record<string, string>>];
}

export const ticker: Field = {
  paramName: "ticker",
  type: "ticker",
  label: "Ticker",
  description: "A US-listed symbol.",
  value: "AAPL",
  show: true,
};

const asOf: Field = {
  paramName: "as_of",
  type: "date",
  label: "As of",
  description: "Shows what was known at the end of that day in New York. Empty: everything known now.",
  value: null,
  show: true,
  optional: true,
};

/** Grid columns of one widget of two beside each other. */
export const HALF_WIDTH = 20;

/** The entry of a widget in widgets.json. `symbol` is the ticker at first. */
export function entryOf(id: string, widget: Widget, symbol: string) {
  const { name, description, category, height, chart, columns } = widget;
  const fields = [...widget.fields, asOf];
  return {
    name,
    description,
    category,
    type: "table",
    endpoint: `workspace/${id}`,
    source: ["Asof"],
    gridData: { w: HALF_WIDTH, h: height },
    data: {
      table: {
        enableCharts: true,
        showAll: true,
        ...(chart ? { chartView: { enabled: true, chartType: "line", cellRangeCols: { line: chart } } } : {}),
        columnsDefs: columns,
      },
    },
    params: fields.map((field) => (field === ticker ? { ...field, value: symbol } : field)),
  };
}
