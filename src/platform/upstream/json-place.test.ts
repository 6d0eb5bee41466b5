// Places of a provider's JSON: a value that is read is checked, and an error names its path.
import { expect, test } from "bun:test";
import { UpstreamMisread } from "../errors.ts";
import { JsonPlace, jsonOf } from "./json-place.ts";

class Place extends JsonPlace {
  protected get upstream() {
    return "acme";
  }
  numberOrNull() {
    return typeof this.value === "number" ? this.value : null;
  }
  doubled = () => this.number() * 2;
}

const body = new Place("prices", "prices", {
  name: " Zorp ",
  blank: "  ",
  nothing: null,
  list: [1, { deep: 2 }],
  empty: [],
  by: { a: 1, b: "x" },
});

test("fields, items and values are places of the same provider, each with its path", () => {
  expect(body.at("by").at("a").doubled()).toBe(2);
  expect(() => body.at("by").at("b").number()).toThrow("prices.by.b should be a number");
  expect(
    body
      .at("by")
      .values()
      .map(({ path, value }) => [path, value]),
  ).toEqual([
    ["prices.by.a", 1],
    ["prices.by.b", "x"],
  ]);
  expect(
    body
      .at("list")
      .items()
      .map(({ path }) => path),
  ).toEqual(["prices.list[0]", "prices.list[1]"]);
  expect(body.at("list").items()[1]?.at("deep").value).toBe(2);
  expect([body.at("list").first().value, body.at("empty").first().value]).toEqual([1, undefined]);
});

test("an absent or null value is missing; valuesOrNone and itemsOrNone then return none", () => {
  expect([body.at("no").isMissing, body.at("nothing").isMissing, body.at("empty").isMissing]).toEqual([
    true,
    true,
    false,
  ]);
  expect([body.at("no").itemsOrNone(), body.at("nothing").valuesOrNone()]).toEqual([[], []]);
  expect(() => body.at("no").items()).toThrow("acme changed the shape of prices: prices.no should be a list");
  expect(() => body.at("no").values()).toThrow("prices.no should be an object");
  expect(() => body.at("no").at("deeper")).toThrow("prices.no should be an object");
  expect(() => body.at("list").at("a")).toThrow("prices.list should be an object");
  expect(() => body.at("by").itemsOrNone()).toThrow("prices.by should be a list");
});

test("texts are trimmed, and blank ones count as missing", () => {
  expect([body.at("name").text(), body.at("blank").textOrNull(), body.at("no").textOrNull()]).toEqual([
    "Zorp",
    null,
    null,
  ]);
  expect(() => body.at("blank").text()).toThrow("prices.blank should be text");
  expect(() => body.at("by").at("a").textOrNull()).toThrow("prices.by.a should be text");
});

test("a body that is not complete JSON is refused with its status", () => {
  const answer = (text: string) => ({
    url: "https://acme.example/",
    status: 203,
    headers: new Headers(),
    bytes: new TextEncoder().encode(text),
    receivedAt: Temporal.Instant.from("2026-09-09T21:00:00Z"),
  });
  expect(jsonOf("acme", "prices", answer('{"a":1}'))).toEqual({ a: 1 });
  try {
    jsonOf("acme", "prices", answer('{"a":'));
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(UpstreamMisread);
    expect((error as UpstreamMisread).message).toBe("acme sent a broken prices");
    expect((error as UpstreamMisread).facts.upstreamStatus).toBe(203);
  }
});
