import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { NotFound } from "../../platform/errors.ts";
import { endpointFinder } from "./proxy.ts";

setDefaultTimeout(1_200_000);

const NAMES = ["series", "series/observations", "series/search/related_tags", "sources", "category"];
const find = endpointFinder(NAMES.map((name) => ({ name, needs: [], realTime: "period" as const })));
const refused = (path: string) => {
  try {
    return find(path).name;
  } catch (error) {
    return error instanceof NotFound ? error.code : "another error";
  }
};

test("each endpoint is found by its name, with or without a trailing slash", () => {
  for (const name of NAMES) expect([find(name).name, find(`${name}/`).name]).toEqual([name, name]);
});

test("an escaped slash, as generated clients write it, counts as a slash", () => {
  expect(find("series%2Fobservations").name).toBe("series/observations");
  expect(find("series%2fsearch/related_tags").name).toBe("series/search/related_tags");
});

test("no other spelling names an endpoint", () => {
  const others = [
    ...["", "/", "//", "series//", "/series", "series//observations", "series/observations//"],
    ...[
      "Series",
      "SERIES/OBSERVATIONS",
      "series\\observations",
      "series/./observations",
      "series/../sources",
    ],
    ...[
      "..",
      "../..",
      "series/..",
      "%2e%2e",
      "%2e%2e%2fsources",
      "series%2f%2fobservations",
      "series%252Fobservations",
      "series%252f",
    ],
    ...["series%00", "series\u0000", "series\r\n", "series%0d%0aHost:x", "series observations", "series+"],
    ...["@evil.example", "series@evil.example", "https://evil.example", "//evil.example/series", "series:80"],
    ...["series?api_key=x", "series#", "series;a=b", "series/observations.json", "ѕeries", "__proto__"],
    ...["constructor", "toString", "fred/series", "geofred/series", "v2/release/observations", "maps"],
  ];
  for (const path of others) expect([path, refused(path)]).toEqual([path, "unsupported_endpoint"]);
});

test("for any input, only a listed name is returned", () => {
  const pieces = fc.constantFrom(
    ...NAMES,
    "/",
    "..",
    ".",
    "%2f",
    "%2e",
    "%",
    "\\",
    "@",
    ":",
    "\0",
    "\r\n",
    "é",
  );
  const path = fc.oneof(
    fc.array(pieces, { maxLength: 5 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 30 }),
  );
  fc.assert(
    fc.property(path, (text) => {
      const name = refused(text);
      if (name !== "unsupported_endpoint")
        expect([name, `${name}/`]).toContain(text.replaceAll("%2f", "/").replaceAll("%2F", "/"));
    }),
    { numRuns: 2_000 },
  );
});
