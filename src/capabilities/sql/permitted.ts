// Which queries may run: their tables and table functions are named here, since others read files, settings
// or the system.

/** Table functions of the engine that only make rows out of their arguments. */
const HARMLESS = new Set(["unnest", "range", "generate_series", "generate_subscripts", "repeat"]);

/**
 * Functions whose result depends on rows that a query does not see, such as the ranges in the heads of files,
 * or on other queries.
 */
const REVEALING = new Set(["stats", "json_serialize_plan", "json_serialize_sql", "json_deserialize_sql"]);

/** How the engine says that a statement is no SELECT; a PIVOT without its values is several statements. */
const NOT_SELECT = "Only SELECT statements";

interface Permitted {
  readonly tables: ReadonlySet<string>;
  readonly tableFunctions: ReadonlySet<string>;
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOrEmpty = (value: unknown) => (typeof value === "string" ? value : "");

/** The names that the WITH clause of a query gives. */
function namesOf(node: Node): string[] {
  const map = isNode(node.cte_map) ? node.cte_map.map : undefined;
  return Array.isArray(map)
    ? map.map((entry) => (isNode(entry) ? textOrEmpty(entry.key).toLowerCase() : ""))
    : [];
}

function refusedTable(node: Node, names: ReadonlySet<string>, permitted: Permitted): string | null {
  const name = textOrEmpty(node.table_name);
  const isQualified = textOrEmpty(node.schema_name) !== "" || textOrEmpty(node.catalog_name) !== "";
  const known = permitted.tables.has(name.toLowerCase()) || names.has(name.toLowerCase());
  return known && !isQualified ? null : `There is no table "${name}" that a query may read.`;
}

function refusedFunction(node: Node, permitted: Permitted): string | null {
  const called = isNode(node.function) ? node.function : {};
  const name = textOrEmpty(called.function_name).toLowerCase();
  const isQualified = textOrEmpty(called.schema) !== "" || textOrEmpty(called.catalog) !== "";
  const known = permitted.tableFunctions.has(name) || HARMLESS.has(name);
  return known && !isQualified ? null : `The table function "${name}" may not be used in a query.`;
}

/** Parts of a FROM clause that are permitted besides tables and table functions. */
const MADE_OF_OTHERS = new Set(["JOIN", "SUBQUERY", "EXPRESSION_LIST", "EMPTY", "PIVOT"]);

function refusedNode(node: Node, names: ReadonlySet<string>, permitted: Permitted): string | null {
  const called = node.class === "FUNCTION" ? textOrEmpty(node.function_name).toLowerCase() : "";
  if (REVEALING.has(called)) return `The function "${called}" may not be used in a query.`;
  // Only references to tables have `sample` beside `alias`; everything else is an expression or a part of the
  // query.
  if (!("alias" in node && "sample" in node && "type" in node)) return null;
  const type = textOrEmpty(node.type);
  if (type === "BASE_TABLE") return refusedTable(node, names, permitted);
  if (type === "TABLE_FUNCTION") return refusedFunction(node, permitted);
  if (type === "SHOW_REF")
    return isNode(node.query) ? null : "Tables are not listed here; GET /api/v1/database/info has them.";
  return MADE_OF_OTHERS.has(type) ? null : `A query may not read from ${type}.`;
}

function refusedIn(value: unknown, names: ReadonlySet<string>, permitted: Permitted): string | null {
  if (Array.isArray(value)) {
    for (const each of value) {
      const refused = refusedIn(each, names, permitted);
      if (refused !== null) return refused;
    }
    return null;
  }
  if (!isNode(value)) return null;
  const given = namesOf(value);
  const known = given.length > 0 ? new Set([...names, ...given]) : names;
  return refusedNode(value, known, permitted) ?? refusedIn(Object.values(value), known, permitted);
}

/**
 * Why a query may not run, or null when it may. `parsed` is the query as the engine's parser gives it. Names
 * of a WITH clause count in the query that has it and within, so that no name elsewhere passes for one of
 * them.
 */
export function refusalOf(parsed: unknown, permitted: Permitted): string | null {
  if (!isNode(parsed)) return "The query could not be parsed.";
  if (parsed.error === true) {
    const message = textOrEmpty(parsed.error_message) || "The query could not be parsed.";
    return message.startsWith(NOT_SELECT)
      ? "Send one SELECT. A PIVOT has to name its values: ON column IN (…)."
      : message;
  }
  if (!Array.isArray(parsed.statements) || parsed.statements.length !== 1)
    return "Send one SELECT at a time.";
  return refusedIn(parsed.statements, new Set(), permitted);
}
