import { expect, test } from "bun:test";
import {
  Busy,
  Forbidden,
  InvalidRequest,
  isOutage,
  isProviderFailure,
  NotConfigured,
  NotFound,
  StorageUnavailable,
  UpstreamFailed,
  UpstreamMisread,
  UpstreamRateLimited,
  UpstreamRefused,
  UpstreamTimeout,
} from "./errors.ts";

test("an outage is a provider that did not answer; a refusal is one that did", () => {
  const outages = [
    new UpstreamFailed("sec", "broken"),
    new UpstreamMisread("sec", "unreadable"),
    new UpstreamRateLimited("sec", "too often"),
    new UpstreamTimeout("sec", "too slow"),
    new Busy("upstream_busy", "no slot"),
    new NotConfigured("not_configured", "no key"),
  ];
  const refusals = [new UpstreamRefused("sec", "bad symbol"), new Forbidden("forbidden", "no")];
  const others = [
    new NotFound("no_data", "nothing"),
    new InvalidRequest("bad_request", "wrong"),
    new StorageUnavailable("database_unavailable", "full"),
    new Error("a bug"),
    "text",
  ];
  expect([...outages, ...refusals, ...others].map(isOutage)).toEqual([
    ...outages.map(() => true),
    ...refusals.map(() => false),
    ...others.map(() => false),
  ]);
  expect([...outages, ...refusals, ...others].map(isProviderFailure)).toEqual([
    ...outages.map(() => true),
    ...refusals.map(() => true),
    ...others.map(() => false),
  ]);
});
