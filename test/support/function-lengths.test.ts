import { expect, setDefaultTimeout, test } from "bun:test";
import { functionLengths } from "./function-lengths.ts";

setDefaultTimeout(1_200_000);

const SOURCE = `
export function outer(a: number) {
  const inner = () => {
    return a;
  };
  return { inner, twice: () => inner() * 2 };
}
const short = (x: { a: string }): { b: string } => ({ b: x.a });
class C {
  method() {
    return 1;
  }
}
`;

test("finds each function with its own length, and recognises a factory by its object of functions", () => {
  expect(functionLengths("a.ts", SOURCE)).toEqual([
    { name: "outer", line: 2, lines: 6, isFactory: true },
    { name: "inner", line: 3, lines: 3, isFactory: false },
    { name: "twice", line: 6, lines: 1, isFactory: false },
    { name: "short", line: 8, lines: 1, isFactory: false },
    { name: "method", line: 10, lines: 3, isFactory: false },
  ]);
});

test("what is no TypeScript is refused by name", () => {
  expect(() => functionLengths("broken.ts", "const = ;")).toThrow("broken.ts");
});
