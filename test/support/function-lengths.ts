// How long each function of a source file is, found in its syntax tree.
import { parseSync } from "oxc-parser";

/** A function of a file. `lines` counts from its first to its last line, both included. */
export interface FunctionLength {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
  /** Whether it makes functions and returns them in an object. */
  readonly isFactory: boolean;
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & Record<string, unknown>;

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );

/** Returns the values that a function returns itself, not through the functions inside it. */
function returnedBy(node: Node): Node[] {
  if (FUNCTIONS.has(node.type)) return [];
  if (node.type === "ReturnStatement") return isNode(node.argument) ? [node.argument] : [];
  return childrenOf(node).flatMap(returnedBy);
}

const hasFunction = (node: Node): boolean =>
  childrenOf(node).some((child) => FUNCTIONS.has(child.type) || hasFunction(child));

function isFactory(node: Node): boolean {
  const body = node.body as Node;
  const returned = body.type === "BlockStatement" ? returnedBy(body) : [body];
  return hasFunction(body) && returned.some(({ type }) => type === "ObjectExpression");
}

/** Functions of `text`, outer ones first. Throws where it is no TypeScript. */
export function functionLengths(path: string, text: string): FunctionLength[] {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const found: FunctionLength[] = [];
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const visit = (node: Node, name: string) => {
    if (FUNCTIONS.has(node.type) && isNode(node.body)) {
      const line = lineAt(node.start);
      const own = (node.id as { name?: string } | null)?.name ?? name;
      found.push({ name: own, line, lines: lineAt(node.end) - line + 1, isFactory: isFactory(node) });
    }
    const named = (node.id ?? node.key) as { name?: string } | undefined;
    for (const child of childrenOf(node)) visit(child, named?.name ?? name);
  };
  visit(program as unknown as Node, "(anonymous)");
  return found;
}
