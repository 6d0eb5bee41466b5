// Which of the four answers an error of a provider is.
import { expect, test } from "bun:test";
import { Busy, NotFound, NotRead, StorageUnavailable, UpstreamFailed } from "../platform/errors.ts";
import { absenceOf } from "./absence.ts";

test("what waits too long to be asked is not read; an outage is a provider that did not answer", () => {
  expect(absenceOf(new Busy("upstream_busy", "5,000 symbols wait to be fetched already."))).toBe("not_read");
  expect(absenceOf(new NotRead("No list was read."))).toBe("not_read");
  expect(absenceOf(new StorageUnavailable("database_unavailable", "The disk is full."))).toBe("not_read");
  expect(absenceOf(new NotFound("ticker_not_found", "No such ticker."))).toBe("nothing_there");
  expect(absenceOf(new UpstreamFailed("yahoo", "It answered 502."))).toBe("outage");
  expect(absenceOf(new TypeError("not a provider's"))).toBe("refused");
});
