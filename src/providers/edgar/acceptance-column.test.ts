import { describe, expect, test } from "bun:test";
import { acceptancesOfColumn, type ColumnRow } from "./acceptance-column.ts";

const LATER = Temporal.Instant.from("2027-01-01T00:00:00Z");
let serial = 0;

/** A row. Its filing date defaults to the value's own day. */
function row(value: string, more: Partial<ColumnRow> = {}): ColumnRow {
  serial += 1;
  const accession_number = `0001234567-26-${String(serial).padStart(6, "0")}`;
  return { accession_number, value, filing_date: value.slice(0, 10), form_type: "8-K", ...more };
}

const z = (text: string) => `${text}.000Z`;
const read = (rows: readonly ColumnRow[], receivedAt = LATER) =>
  acceptancesOfColumn(rows, receivedAt).map(({ accepted_at, precision }) => accepted_at ?? precision);

/** Wall clocks in New York, newest first; 06:30 proves New York's clock, 21:00 proves UTC. */
const WALLS = [
  "2026-06-30T16:46:18",
  "2026-06-01T06:30:00",
  "2026-03-06T16:30:01",
  "2026-01-15T21:00:00",
  "2026-01-05T12:00:00",
];
const INSTANTS = WALLS.map((wall) =>
  Temporal.PlainDateTime.from(wall).toZonedDateTime("America/New_York").toInstant().toString(),
);
const filedOn = (wall: string) => ({ filing_date: wall.slice(0, 10) });
const asEastern = WALLS.map((wall) => row(z(wall), filedOn(wall)));
const asUtc = WALLS.map((wall, i) => row((INSTANTS[i] ?? "").replace("Z", ".000Z"), filedOn(wall)));

describe("one file, all rows meant alike", () => {
  test("New York's clock is proved by a row before the morning, for all rows above it", () => {
    expect(read(asEastern)).toEqual([...INSTANTS.slice(0, 2), "ambiguous", "ambiguous", "ambiguous"]);
  });

  test("UTC is proved by a row whose text lies in the night, for all rows below it", () => {
    expect(read(asUtc)).toEqual(["ambiguous", "ambiguous", "ambiguous", ...INSTANTS.slice(3)]);
  });

  test("two copies never give one filing two moments", () => {
    const [eastern, utc] = [read(asEastern), read(asUtc)];
    eastern.forEach((at, i) => {
      if (at.endsWith("Z") && utc[i]?.endsWith("Z")) expect(utc[i]).toBe(at);
    });
  });

  test("an ambiguous row is public from the later of its moments", () => {
    const [only] = acceptancesOfColumn([row(z("2026-03-05T16:30:00"))], LATER);
    expect(only).toEqual({
      accepted_at: null,
      filing_date: "2026-03-05",
      precision: "ambiguous",
      source: "column",
      public_from: "2026-03-05T21:30:00Z",
    });
  });

  test("of two moments, one before and one after the close, the next morning is the safe one", () => {
    const [only] = acceptancesOfColumn([row(z("2026-03-05T18:00:00"), { filing_date: "2026-03-06" })], LATER);
    expect(only).toMatchObject({ precision: "ambiguous", public_from: "2026-03-06T11:00:00Z" });
  });
});

describe("a file that EDGAR has rewritten up to its newest rows", () => {
  const newest = row(z("2026-07-02T06:31:00"));
  const between = row(z("2026-07-01T16:31:25"));

  test("above a proof of New York's clock, below a proof of UTC, and neither between", () => {
    const rows = [
      row(z("2026-07-03T16:00:00")),
      newest,
      between,
      row(z("2026-06-30T23:10:00")),
      row(z("2026-06-29T15:00:00")),
    ];
    expect(read(rows)).toEqual([
      "2026-07-03T20:00:00Z",
      "2026-07-02T10:31:00Z",
      "ambiguous",
      "2026-06-30T23:10:00Z",
      "2026-06-29T15:00:00Z",
    ]);
  });

  test("the order in the list does not matter, the dates do", () => {
    const rows = [row(z("2026-06-29T15:00:00")), row(z("2026-06-30T23:10:00")), newest];
    expect(read(rows)).toEqual(["2026-06-29T15:00:00Z", "2026-06-30T23:10:00Z", "2026-07-02T10:31:00Z"]);
  });

  test("proofs in the wrong order leave each row to its own", () => {
    const rows = [row(z("2026-07-02T23:10:00")), between, row(z("2026-06-29T06:31:00"))];
    expect(read(rows)).toEqual(["2026-07-02T23:10:00Z", "ambiguous", "2026-06-29T10:31:00Z"]);
  });
});

describe("what proves nothing", () => {
  test("minutes after the close at 22:00: what was sent before is still accepted", () => {
    expect(read([row(z("2022-10-04T22:05:07"), { form_type: "4" })])).toEqual(["ambiguous"]);
  });

  test("paper filings entered by the staff at night follow their file", () => {
    const effect = row(z("2026-02-03T00:15:05"), {
      accession_number: "9999999995-26-000001",
      form_type: "EFFECT",
    });
    expect(read([effect])).toEqual(["ambiguous"]);
    expect(read([effect, row(z("2026-02-02T06:30:00"))])[0]).toBe("2026-02-03T05:15:05Z");
    expect(read([row(z("2026-02-04T23:30:00")), effect])[1]).toBe("2026-02-03T00:15:05Z");
  });

  test("midnight in New York or in UTC means that the time is unknown, whatever other rows prove", () => {
    const proof = row(z("2002-05-01T23:00:00"));
    const rows = [
      proof,
      row(z("2002-03-08T00:00:00")),
      row(z("2002-03-07T05:00:00")),
      row(z("1996-08-07T04:00:00")),
    ];
    expect(read(rows)).toEqual(["2002-05-01T23:00:00Z", "day", "day", "day"]);
    expect(read([row(z("2002-03-08T00:00:00"))])).toEqual(["day"]);
  });
});

describe("the moment of fetching", () => {
  const rows = [row(z("2026-03-05T20:30:26"))];
  test("a reading that lies in the future is none", () => {
    expect(read(rows, Temporal.Instant.from("2026-03-05T20:45:00Z"))).toEqual(["2026-03-05T20:30:26Z"]);
  });
  test("with minutes left for a clock that is behind", () => {
    expect(read(rows, Temporal.Instant.from("2026-03-06T01:25:00Z"))).toEqual(["ambiguous"]);
  });
});

describe("values that are none", () => {
  test.each([
    "",
    " ",
    "2026-03-05",
    "2026-02-30T12:00:00.000Z",
    "2026-03-05T24:00:00.000Z",
    "2026-03-05T12:60:00.000Z",
    "2026-03-05T12:00:00-05:00",
    "20260305120000",
    "null",
  ])("%p", (value) => {
    expect(acceptancesOfColumn([row(value, { filing_date: "2026-03-05" })], LATER)).toEqual([
      { accepted_at: null, filing_date: "2026-03-05", precision: "day", source: null, public_from: null },
    ]);
  });
  test("no rows", () => expect(acceptancesOfColumn([], LATER)).toEqual([]));
});

test("both clocks' days of change", () => {
  const proof = row(z("2026-11-30T06:30:00"));
  // Sunday 2026-11-01: the hour from one to two comes twice; 2026-03-08: from two to three it does not come.
  const twice = row(z("2026-11-01T01:30:00"), { accession_number: "0000000000-26-000001", form_type: "8-K" });
  const never = row(z("2026-03-08T02:30:00"), { accession_number: "0000000000-26-000002", form_type: "8-K" });
  const oldest = row(z("2026-03-02T06:30:00"));
  expect(read([proof, twice, never, oldest])).toEqual([
    "2026-11-30T11:30:00Z",
    "ambiguous",
    "day",
    "2026-03-02T11:30:00Z",
  ]);
});
