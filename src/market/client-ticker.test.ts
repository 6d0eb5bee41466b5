import { expect, test } from "bun:test";
import { NotFound, UpstreamFailed } from "../platform/errors.ts";
import { throwWithClientTicker, withClientTicker } from "./client-ticker.ts";

const request = { ticker: "brk-b", symbol: "BRK.B" };

test("names an unknown ticker as the client wrote it, in the message and in the field", () => {
  const error = new NotFound("unknown_ticker", "Yahoo knows no ticker BRK.B.", {
    ticker: "BRK.B",
    hint: "Try A.",
  });
  const named = withClientTicker(error, request) as NotFound;
  expect([named.code, named.message]).toEqual(["unknown_ticker", "Yahoo knows no ticker brk-b."]);
  expect(named.facts).toEqual({ ticker: "brk-b", hint: "Try A." });
});

test("a symbol of one letter is replaced where it stands alone", () => {
  const error = new NotFound("unknown_ticker", "Yahoo knows no ticker Y (Y).");
  const named = withClientTicker(error, { ticker: "y", symbol: "Y" }) as NotFound;
  expect(named.message).toBe("Yahoo knows no ticker y (y).");
});

test("other errors pass unchanged", () => {
  const error = new UpstreamFailed("yahoo", "BRK.B could not be read.");
  expect(withClientTicker(error, request)).toBe(error);
  expect(() => throwWithClientTicker(request)(error)).toThrow("BRK.B could not be read.");
});
