// The server of the Model Context Protocol: the tools, and how a call is checked and answered.
import { fromJsonSchema, McpServer, type McpServerFactory } from "@modelcontextprotocol/server";
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Clock } from "../../platform/clock.ts";
import { type Ask, answerCall } from "./answer.ts";
import { momentOfCall } from "./moment.ts";
import { type Arguments, BadCall } from "./plan.ts";
import type { Result } from "./result.ts";
import { INSTRUCTIONS, OUTPUT, TOOLS } from "./tools.ts";

export interface Door {
  readonly ask: Ask;
  readonly clock: Clock;
  readonly version: string;
  /** Nothing after this moment is reachable; null: the present. */
  readonly frozen: Temporal.Instant | null;
}

/** The schema as hosts get it: without the descriptions that say nothing. */
const plainSchema = (schema: TSchema) =>
  JSON.parse(
    JSON.stringify(schema, (name, value) => (name === "description" && value === "" ? undefined : value)),
  );

/** A schema for the protocol whose check says what is wrong, and how to mend it. */
function checked(schema: TSchema) {
  return fromJsonSchema<Arguments>(plainSchema(schema), {
    getValidator:
      <T>() =>
      (input: unknown) => {
        // Its own sentence says how to choose the moment.
        const wrong = [...Value.Errors(schema, input)].filter(({ path }) => path !== "/as_of");
        const [first] = wrong;
        if (!first) return { valid: true as const, data: input as T, errorMessage: undefined };
        const name = first.path.slice(1).replaceAll("/", ".") || "arguments";
        return { valid: false as const, data: undefined, errorMessage: `${name}: ${first.message}` };
      },
  });
}

const errorResult = (text: string) => ({ isError: true, content: [{ type: "text" as const, text }] });

/** Reasons that are faults of the call itself. */
const FAULTS = new Set(["bad_request", "invalid_date_range", "no_tickers", "uri_too_long"]);

const resultOf = (result: Result) => ({
  content: [{ type: "text" as const, text: JSON.stringify(result) }],
  structuredContent: result as unknown as Record<string, unknown>,
  ...(FAULTS.has(result.refused?.reason ?? "") ? { isError: true } : {}),
});

/** Answers one call of a tool. */
async function call(tool: string, args: Arguments, { ask, clock, frozen }: Door) {
  const read = () => momentOfCall(args.as_of, clock.now(), frozen);
  const first = read();
  if (!first.ok) return errorResult(first.detail);
  const momentOf = () => {
    const again = read();
    return again.ok ? again.moment : first.moment;
  };
  try {
    return resultOf(await answerCall(tool, args, { ask, momentOf }));
  } catch (error) {
    if (error instanceof BadCall) return errorResult(error.message);
    throw error;
  }
}

/** Makes the server of a connection or request. */
export function mcpServer(door: Door): McpServer {
  const server = new McpServer({ name: "asof", version: door.version }, { instructions: INSTRUCTIONS });
  const outputSchema = fromJsonSchema<Record<string, unknown>>(plainSchema(OUTPUT));
  for (const [name, { title, description, input }] of Object.entries(TOOLS))
    server.registerTool(
      name,
      { title, description, inputSchema: checked(input), outputSchema, annotations: { readOnlyHint: true } },
      (args) => call(name, args, door),
    );
  return server;
}

/** The factory of servers behind one door. */
export const serversOf =
  (door: (request: Request | undefined) => Door): McpServerFactory =>
  ({ requestInfo }) =>
    mcpServer(door(requestInfo));
