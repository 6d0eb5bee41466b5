import { describe, expect, test } from "bun:test";
import { describeConfig, readConfig } from "./config.ts";
import { misspeltVariables } from "./misspelt-variables.ts";
import { redactText } from "./platform/redact.ts";

describe("readConfig", () => {
  test("an empty environment gives the documented defaults", () => {
    const config = readConfig({});
    expect(config.host).toBe("127.0.0.1");
    expect(config.port).toBe(8000);
    expect(config.dataDir).toBe("data");
    expect(config.upstreamGateway).toBeNull();
    expect(config.jobs).toBe(true);
    expect(config.lakeRetentionHours).toBeNull();
    expect(config.apiKeys).toEqual([]);
  });
  test.each([
    [{ PORT: "80a" }, "PORT"],
    [{ PORT: "70000" }, "PORT"],
    [{ PORT: "-1" }, "PORT"],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL"],
    [{ UPSTREAM_GATEWAY: "not a url" }, "UPSTREAM_GATEWAY"],
    [{ UPSTREAM_GATEWAY: "file:///etc" }, "UPSTREAM_GATEWAY"],
    [{ JOBS: "maybe" }, "JOBS"],
    [{ EXTRA_CLOSURES: "2026-13-01" }, "EXTRA_CLOSURES"],
    [{ LAKE_MEMORY: "lots" }, "LAKE_MEMORY"],
    [{ LAKE_RETENTION_HOURS: "-1" }, "LAKE_RETENTION_HOURS"],
    [{ LAKE_RETENTION_HOURS: "1.5" }, "LAKE_RETENTION_HOURS"],
    [{ LAKE_RETENTION_HOURS: "8761" }, "LAKE_RETENTION_HOURS"],
    [{ OVERLAY_WEIGHTS: "attention" }, "OVERLAY_WEIGHTS"],
    [{ OVERLAY_WEIGHTS: "attention=-1" }, "OVERLAY_WEIGHTS"],
    [{ OVERLAY_WEIGHTS: "mood=1" }, "OVERLAY_WEIGHTS"],
    [{ OVERLAY_WEIGHTS: "news=1,news=2" }, "OVERLAY_WEIGHTS"],
    [{ OVERLAY_WEIGHTS: "news=0" }, "OVERLAY_WEIGHTS"],
    [{ HOST: "bad host" }, "HOST"],
    [{ SEC_USER_AGENT: "no address" }, "SEC_USER_AGENT"],
    [{ MARKETFEED_API_KEY: "a" }, "MARKETFEED_SECRET_KEY is not"],
    [{ MARKETFEED_SECRET_KEY: "a" }, "MARKETFEED_API_KEY is not"],
    [{ CORS_ORIGINS: "*" }, "CORS_ORIGINS"],
    [{ CORS_ORIGINS: "https://app.example,app.example" }, "CORS_ORIGINS"],
    [{ CORS_ORIGINS: "https://app.example/" }, "CORS_ORIGINS"],
    [{ CORS_ORIGINS: "null" }, "CORS_ORIGINS"],
  ])("%j stops the start and names %s", (env, name) => {
    expect(() => readConfig(env)).toThrow(name);
  });
  test("weights: a part that is not listed has weight 0, the defaults list all", () => {
    expect(readConfig({ OVERLAY_WEIGHTS: "news=2, volume=1.5" }).overlayWeights).toEqual({
      attention: 0,
      news: 2,
      short_volume: 0,
      insider: 0,
      volume: 1.5,
      momentum: 0,
    });
    const weights = Object.values(readConfig({}).overlayWeights);
    expect(weights.every((weight) => weight > 0)).toBe(true);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9);
  });
  test("listening beyond loopback requires keys or ALLOW_ANONYMOUS", () => {
    expect(() => readConfig({ HOST: "0.0.0.0" })).toThrow("API_KEYS");
    expect(readConfig({ HOST: "0.0.0.0", API_KEYS: "a, b" }).apiKeys).toEqual(["a", "b"]);
    expect(readConfig({ HOST: "0.0.0.0", ALLOW_ANONYMOUS: "true" }).allowAnonymous).toBe(true);
  });
  test("secrets are hidden in the described configuration", () => {
    const lines = describeConfig({ API_KEYS: "k1,k2", ADMIN_TOKEN: "t0k" }).join("\n");
    expect(lines).toContain("API_KEYS (set)");
    expect(lines).not.toContain("k1");
    expect(lines).not.toContain("t0k");
  });
  test("the log shows which secrets are set and which are not", () => {
    const lines = describeConfig({ API_KEYS: "k1,k2" }).map((line) => redactText(line));
    expect(lines).toContain("API_KEYS (set)");
    expect(lines).toContain("ECONDATA_API_KEY (unset)");
    expect(lines.filter((line) => line.includes("redacted"))).toEqual([]);
  });
  test("a variable that resembles one of ours is named, without its value", () => {
    const lines = misspeltVariables({
      SEC_USERAGENT: "Company contact@example.com",
      Data_Dir: "/srv/asof",
      ECONDATA_APIKEY: "k3y",
      MARKETFEED_SECRETKEY: "s3cret",
      API_KEY: "k3y",
      // Variables of other programs.
      HOME: "/root",
      HOSTNAME: "box",
      PATH: "/bin",
      PWD: "/srv",
      LOGNAME: "root",
      POSTGRES_PASSWORD: "p",
      NODE_ENV: "production",
      LANG: "C",
    });
    expect(lines).toEqual([
      "SEC_USERAGENT is set and is no variable of this service. Did you mean SEC_USER_AGENT?",
      "Data_Dir is set and is no variable of this service. Did you mean DATA_DIR?",
      "ECONDATA_APIKEY is set and is no variable of this service. Did you mean ECONDATA_API_KEY?",
      "MARKETFEED_SECRETKEY is set and is no variable of this service. Did you mean MARKETFEED_SECRET_KEY?",
      "API_KEY is set and is no variable of this service. Did you mean API_KEYS?",
    ]);
    expect(misspeltVariables({ API_KEY: "for another program", API_KEYS: "ours" })).toEqual([]);
  });
  test("both keys of the brokerage feed are taken", () => {
    const config = readConfig({ MARKETFEED_API_KEY: "a", MARKETFEED_SECRET_KEY: "b" });
    expect([config.marketfeedApiKey, config.marketfeedSecretKey]).toEqual(["a", "b"]);
  });
  test("origins are taken as browsers send them", () => {
    const CORS_ORIGINS = "https://app.example, http://localhost:3000";
    expect(readConfig({ CORS_ORIGINS }).corsOrigins).toEqual([
      "https://app.example",
      "http://localhost:3000",
    ]);
  });
});
