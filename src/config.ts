// Every environment variable with its default and meaning; reads and checks the environment as a pure
// function.
import { isIP } from "node:net";

/** One variable, as shown in docs/configuration.md and .env.example. */
interface Variable {
  readonly name: string;
  readonly default: string;
  readonly description: string;
  readonly secret?: true;
}

/** All variables the service reads, in the order of the documentation. */
export const VARIABLES: readonly Variable[] = [
  {
    name: "HOST",
    default: "127.0.0.1",
    description: "Address to listen on. Any address but loopback requires API_KEYS.",
  },
  { name: "PORT", default: "8000", description: "Port to listen on; 0 selects a free port." },
  {
    name: "DATA_DIR",
    default: "data",
    description: "Folder with all stored data: ops.sqlite, lake/, vault/, catalog.duckdb.",
  },
  { name: "LOG_LEVEL", default: "info", description: "trace, debug, info, warn, error or silent." },
  { name: "ENVIRONMENT", default: "production", description: "Free text shown by /health." },
  {
    name: "UPSTREAM_GATEWAY",
    default: "",
    description:
      "Sends every upstream request to this address as /<host>/<path>: for the sample market, replay and tests.",
  },
  {
    name: "SEC_USER_AGENT",
    default: "",
    description:
      'User agent for the SEC, which requires "Company contact@example.com". Without it, filings answer 503 not_configured.',
  },
  {
    name: "MARKETFEED_API_KEY",
    default: "",
    description:
      "Key id of the brokerage feed (Alpaca Market Data). Without key id and secret, marketfeed answers 503 not_configured.",
    secret: true,
  },
  { name: "MARKETFEED_SECRET_KEY", default: "", description: "Secret of the brokerage feed.", secret: true },
  {
    name: "ECONDATA_API_KEY",
    default: "",
    description:
      "API key for the economic data (FRED). Without it, econdata answers from stored data, otherwise 503 not_configured.",
    secret: true,
  },
  {
    name: "DATA_MODE",
    default: "",
    description: "Set by `bun run demo`; sent as X-Data-Mode with every answer.",
  },
  {
    name: "API_KEYS",
    default: "",
    description: "Comma-separated keys; when set, clients must send one as X-API-Key or as a bearer token.",
    secret: true,
  },
  {
    name: "ADMIN_TOKEN",
    default: "",
    description: "Required on admin routes; when unset, they serve loopback only.",
    secret: true,
  },
  {
    name: "ALLOW_ANONYMOUS",
    default: "false",
    description: "true: allows listening beyond loopback without API_KEYS.",
  },
  {
    name: "ALLOWED_HOSTS",
    default: "",
    description: "Comma-separated Host names accepted besides loopback.",
  },
  {
    name: "CORS_ORIGINS",
    default: "",
    description: "Comma-separated browser origins that may call the service.",
  },
  {
    name: "TRUST_PROXY",
    default: "false",
    description: "true: reads the client address from X-Forwarded-For.",
  },
  { name: "JOBS", default: "on", description: "off: no scheduled job runs in this process." },
  {
    name: "OWNERSHIP_FEED",
    default: "off",
    description:
      "on: filings of insiders and large holders are ingested within a minute of their acceptance, at about five requests a minute; off: the next morning.",
  },
  {
    name: "EXTRA_CLOSURES",
    default: "",
    description:
      "Comma-separated dates on which the exchange is closed, in addition to the built-in calendar.",
  },
  {
    name: "OVERLAY_WEIGHTS",
    default: "attention=0.2,news=0.15,short_volume=0.2,insider=0.15,volume=0.15,momentum=0.15",
    description:
      "Relative weights of the parts of the overlay score; parts that are not listed have weight 0.",
  },
  { name: "LAKE_MEMORY", default: "2GB", description: "Memory limit of the lake's engine." },
  {
    name: "LAKE_RETENTION_HOURS",
    default: "auto",
    description:
      "Hours for which a replaced file of the lake stays for readers of older versions, 0 to 8760. auto: 168 while a fifth of the disk is free, otherwise 24.",
  },
  { name: "LAKE_THREADS", default: "0", description: "Thread limit of the lake's engine; 0: one per core." },
  {
    name: "SERIES",
    default: "on",
    description:
      "off: no arrays of daily bars beside the lake's files. They take less than three times the disk of the bars' files, and prices are then read more slowly.",
  },
];

const OVERLAY_PARTS = ["attention", "news", "short_volume", "insider", "volume", "momentum"] as const;
type OverlayWeights = Readonly<Record<(typeof OVERLAY_PARTS)[number], number>>;

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly logLevel: "trace" | "debug" | "info" | "warn" | "error" | "silent";
  readonly environment: string;
  readonly upstreamGateway: string | null;
  readonly secUserAgent: string | null;
  readonly marketfeedApiKey: string | null;
  readonly marketfeedSecretKey: string | null;
  readonly econdataApiKey: string | null;
  readonly dataMode: string | null;
  readonly apiKeys: readonly string[];
  readonly adminToken: string | null;
  readonly allowAnonymous: boolean;
  readonly allowedHosts: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly trustProxy: boolean;
  readonly jobs: boolean;
  readonly ownershipFeed: boolean;
  readonly extraClosures: readonly string[];
  readonly overlayWeights: OverlayWeights;
  readonly lakeMemory: string;
  /** Null: as long as the disk allows. */
  readonly lakeRetentionHours: number | null;
  readonly lakeThreads: number;
  readonly series: boolean;
}

/** A variable with an invalid value; the message names the variable and states what is valid. */
export class ConfigError extends Error {}

const HOURS_OF_A_YEAR = 8_760;

type Env = Readonly<Record<string, string | undefined>>;

const isLoopback = (host: string) => host === "localhost" || host === "::1" || /^127\./.test(host);

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((a) => a === value.toLowerCase());
  if (!found) throw new ConfigError(`${name} is "${value}"; it must be one of ${allowed.join(", ")}`);
  return found;
}

function wholeNumber(name: string, value: string, max: number): number {
  const n = Number(value);
  if (!/^\d+$/.test(value) || n > max)
    throw new ConfigError(`${name} is "${value}"; it must be a whole number from 0 to ${max}`);
  return n;
}

function yesNo(name: string, value: string): boolean {
  return ["true", "1", "yes", "on"].includes(
    oneOf(name, value, ["true", "false", "1", "0", "yes", "no", "on", "off"]),
  );
}

/** Whether a text is an existing day; Date.parse alone accepts 30 February. */
function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

function gatewayOf(value: string): string | null {
  if (value === "") return null;
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ConfigError(
      `UPSTREAM_GATEWAY is "${value}"; it must be an http address such as http://127.0.0.1:9000`,
    );
  return value.replace(/\/+$/, "");
}

function userAgentOf(value: string): string | null {
  if (value === "") return null;
  if (!/^[\x20-\x7e]{3,200}$/.test(value) || !/\S+@\S+\.\S+/.test(value))
    throw new ConfigError(`SEC_USER_AGENT is "${value}"; write it as "Company contact@example.com"`);
  return value;
}

/**
 * Checks a key, which is sent in a header or URL: printable characters only. The error does not contain its
 * value.
 */
function apiKey(name: string, value: string): string | null {
  if (value !== "" && !/^[\x21-\x7e]{1,200}$/.test(value))
    throw new ConfigError(`${name} must be at most 200 printable characters without spaces`);
  return value || null;
}

/** Checks the origins of pages, as a browser sends them: scheme, host and port, nothing after. */
function originsOf(origins: readonly string[]): readonly string[] {
  const wrong = origins.find((text) => {
    const url = URL.parse(text);
    return url === null || !/^https?:$/.test(url.protocol) || url.origin !== text;
  });
  if (wrong !== undefined)
    throw new ConfigError(
      `CORS_ORIGINS contains "${wrong}"; write each origin as https://app.example or http://localhost:3000`,
    );
  return origins;
}

/**
 * Throws where only one of the two keys of the brokerage feed is set: requests with it could only be refused.
 */
function checkKeyPair(config: Pick<Config, "marketfeedApiKey" | "marketfeedSecretKey">): void {
  if ((config.marketfeedApiKey === null) === (config.marketfeedSecretKey === null)) return;
  const [set, unset] =
    config.marketfeedApiKey === null
      ? ["MARKETFEED_SECRET_KEY", "MARKETFEED_API_KEY"]
      : ["MARKETFEED_API_KEY", "MARKETFEED_SECRET_KEY"];
  throw new ConfigError(`${set} is set and ${unset} is not; the brokerage feed needs both, or neither`);
}

/** Parses `attention=0.2,news=0.1`; parts that are not listed have weight 0. */
function weightsOf(name: string, entries: readonly string[]): OverlayWeights {
  const refuse = (why: string): never => {
    throw new ConfigError(
      `${name} ${why}; write it as attention=0.2,news=0.15; the parts are ${OVERLAY_PARTS.join(", ")}`,
    );
  };
  const given = new Map<string, number>();
  for (const entry of entries) {
    const [part = "", weight = ""] = entry.split("=").map((text) => text.trim());
    if (!OVERLAY_PARTS.some((known) => known === part)) refuse(`names "${part}"`);
    if (given.has(part)) refuse(`names ${part} twice`);
    if (!/^\d{1,6}(?:\.\d{1,9})?$/.test(weight)) refuse(`gives ${part} "${weight}", which is not a weight`);
    given.set(part, Number(weight));
  }
  if (![...given.values()].some((weight) => weight > 0)) refuse("leaves every part without a weight");
  return Object.fromEntries(OVERLAY_PARTS.map((part) => [part, given.get(part) ?? 0])) as OverlayWeights;
}

/** Reads and checks the environment. Throws ConfigError with one line that names the variable. */
export function readConfig(env: Env): Config {
  const text = (name: string) => {
    const variable = VARIABLES.find((v) => v.name === name);
    if (!variable) throw new Error(`${name} is not declared`);
    return (env[name] ?? "").trim() || variable.default;
  };
  const list = (name: string) =>
    text(name)
      .split(",")
      .map((s) => s.trim())
      .filter(Boolean);
  const host = text("HOST");
  if (host !== "localhost" && isIP(host) === 0 && !/^[A-Za-z0-9.-]+$/.test(host))
    throw new ConfigError(`HOST is "${host}"; it must be an IP address or a host name`);
  const closures = list("EXTRA_CLOSURES");
  const wrong = closures.find((d) => !isDay(d));
  if (wrong)
    throw new ConfigError(`EXTRA_CLOSURES contains "${wrong}"; it must list existing dates as YYYY-MM-DD`);
  const memory = text("LAKE_MEMORY");
  if (!/^\d+(\.\d+)?\s?(MB|GB|MiB|GiB)$/.test(memory))
    throw new ConfigError(`LAKE_MEMORY is "${memory}"; write it as 512MB or 2GB`);
  const config: Config = {
    host,
    port: wholeNumber("PORT", text("PORT"), 65_535),
    dataDir: text("DATA_DIR"),
    logLevel: oneOf("LOG_LEVEL", text("LOG_LEVEL"), ["trace", "debug", "info", "warn", "error", "silent"]),
    environment: text("ENVIRONMENT"),
    upstreamGateway: gatewayOf(text("UPSTREAM_GATEWAY")),
    secUserAgent: userAgentOf(text("SEC_USER_AGENT")),
    marketfeedApiKey: apiKey("MARKETFEED_API_KEY", text("MARKETFEED_API_KEY")),
    marketfeedSecretKey: apiKey("MARKETFEED_SECRET_KEY", text("MARKETFEED_SECRET_KEY")),
    econdataApiKey: apiKey("ECONDATA_API_KEY", text("ECONDATA_API_KEY")),
    dataMode: text("DATA_MODE") || null,
    apiKeys: list("API_KEYS"),
    adminToken: text("ADMIN_TOKEN") || null,
    allowAnonymous: yesNo("ALLOW_ANONYMOUS", text("ALLOW_ANONYMOUS")),
    allowedHosts: list("ALLOWED_HOSTS").map((h) => h.toLowerCase()),
    corsOrigins: originsOf(list("CORS_ORIGINS")),
    trustProxy: yesNo("TRUST_PROXY", text("TRUST_PROXY")),
    jobs: yesNo("JOBS", text("JOBS")),
    ownershipFeed: yesNo("OWNERSHIP_FEED", text("OWNERSHIP_FEED")),
    extraClosures: closures,
    overlayWeights: weightsOf("OVERLAY_WEIGHTS", list("OVERLAY_WEIGHTS")),
    lakeMemory: memory,
    lakeRetentionHours:
      text("LAKE_RETENTION_HOURS") === "auto"
        ? null
        : wholeNumber("LAKE_RETENTION_HOURS", text("LAKE_RETENTION_HOURS"), HOURS_OF_A_YEAR),
    lakeThreads: wholeNumber("LAKE_THREADS", text("LAKE_THREADS"), 256),
    series: yesNo("SERIES", text("SERIES")),
  };
  checkKeyPair(config);
  if (!isLoopback(host) && config.apiKeys.length === 0 && !config.allowAnonymous)
    throw new ConfigError(
      `HOST is ${host}, which other machines can reach, and API_KEYS is empty: set API_KEYS, or ALLOW_ANONYMOUS=true if that is intended`,
    );
  return config;
}

/** Every value that must not appear in logs or answers. */
export function secretsOf(config: Config): string[] {
  const { apiKeys, adminToken, marketfeedApiKey, marketfeedSecretKey, econdataApiKey } = config;
  return [...apiKeys, adminToken, marketfeedApiKey, marketfeedSecretKey, econdataApiKey].filter(
    (secret): secret is string => secret !== null,
  );
}

/** The text of `.env.example`: every variable with its meaning and default. */
export const envExample = (): string =>
  `# All variables of the service. Lines that are commented out show the default.\n${VARIABLES.map(
    ({ name, default: preset, description }) => `\n# ${description}\n#${name}=${preset}\n`,
  ).join("")}`;

/** The configuration as one line per variable with secrets hidden, for the log at start. */
export function describeConfig(env: Env): string[] {
  return VARIABLES.map((v) => {
    const value = (env[v.name] ?? "").trim();
    // No value follows an equals sign here: the log would take it for the secret and hide whether there is
    // one.
    if (v.secret) return `${v.name} ${value ? "(set)" : "(unset)"}`;
    return `${v.name}=${value || v.default || "(unset)"}`;
  });
}

/** Three lines for a start without SEC_USER_AGENT: what works now, and what each variable adds. */
export const firstSteps = ({ secUserAgent }: Pick<Config, "secUserAgent">): string[] =>
  secUserAgent !== null
    ? []
    : [
        "Prices, market lists, short volume, dividends, earnings dates and headlines work now.",
        'SEC_USER_AGENT="Company contact@example.com" adds filings, statements, insiders, holders and funds.',
        "ECONDATA_API_KEY adds economic series, MARKETFEED_API_KEY with MARKETFEED_SECRET_KEY a brokerage feed.",
      ];

/**
 * Sets NODE_ENV before any library is loaded: without it they print whole request bodies into their errors.
 */
export function useProduction(): void {
  process.env.NODE_ENV = "production";
}
