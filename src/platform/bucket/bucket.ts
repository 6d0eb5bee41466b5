// A folder of an S3-compatible store: its address, the settings in the environment, and errors that say what
// to do.
import { S3Client } from "bun";
import { NotConfigured, StorageUnavailable } from "../errors.ts";

export interface BucketObject {
  /** Relative to the folder, with forward slashes. */
  readonly path: string;
  readonly bytes: number;
  /**
   * As the store gives it, without quotes: the MD5 of what was sent at once, where the store does not encrypt
   * with its own keys.
   */
  readonly etag: string;
}

/** A folder of a bucket. Each object is replaced whole or not at all. */
export interface Bucket {
  /** The address, for messages. */
  readonly name: string;
  list(): Promise<BucketObject[]>;
  /** Null where there is no such object. */
  read(path: string): Promise<string | null>;
  writeText(path: string, text: string): Promise<void>;
  writeFile(path: string, from: string): Promise<void>;
  remove(path: string): Promise<void>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Size of the parts in which a large file is sent. */
const PART_BYTES = 8 * 1024 * 1024;

const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;

/** Bucket and prefix of `s3://bucket/prefix`; the prefix is empty or ends with a slash. Throws RangeError. */
export function parseAddress(text: string): { bucket: string; prefix: string } {
  const [, bucket, rest = ""] = ADDRESS.exec(text) ?? [];
  const parts = rest.split("/").filter((part) => part !== "");
  if (!bucket || parts.some((part) => part === "." || part === ".."))
    throw new RangeError(`"${text}" is no address such as s3://bucket/prefix.`);
  return { bucket, prefix: parts.map((part) => `${part}/`).join("") };
}

/** The meaning of each error code of a store, for the operator. */
const MEANINGS: Readonly<Record<string, string>> = {
  NoSuchBucket: "the bucket does not exist",
  AccessDenied: "access is denied: the keys may not list, read, write and delete there",
  InvalidAccessKeyId: "AWS_ACCESS_KEY_ID is unknown there",
  SignatureDoesNotMatch: "AWS_SECRET_ACCESS_KEY is wrong",
  ExpiredToken: "AWS_SESSION_TOKEN has expired",
  InvalidToken: "AWS_SESSION_TOKEN is wrong",
  PermanentRedirect: "the bucket is in another region: set AWS_REGION",
  AuthorizationHeaderMalformed: "the bucket is in another region: set AWS_REGION",
  ConnectionRefused: "nothing listens at the endpoint",
  FailedToOpenSocket: "the endpoint cannot be reached",
};

const errorText = (error: unknown, name: string) => {
  const value = (error as Record<string, unknown> | null)?.[name];
  return typeof value === "string" ? value : "";
};

/** An error of the store as one sentence. An error of the local disk stays as it is. */
function explained(name: string, endpoint: string | undefined, error: unknown): unknown {
  if (error instanceof Error && "syscall" in error && errorText(error, "path") !== "") return error;
  const code = errorText(error, "code");
  const meaning =
    MEANINGS[code] ?? `${errorText(error, "message") || "unknown error"}${code ? ` (${code})` : ""}`;
  const at = endpoint ? ` at ${endpoint}` : "";
  return new StorageUnavailable("database_unavailable", `${name}${at}: ${meaning}.`, { cause: error });
}

/** The S3 client of the usual AWS variables. */
function clientOf(bucket: string, env: Env) {
  const value = (...names: string[]) => names.map((name) => env[name]?.trim()).find(Boolean);
  const accessKeyId = value("AWS_ACCESS_KEY_ID");
  const secretAccessKey = value("AWS_SECRET_ACCESS_KEY");
  if (!accessKeyId || !secretAccessKey)
    throw new NotConfigured("not_configured", "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.");
  const endpoint = value("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL");
  if (endpoint && !/^https?:\/\/\S+$/.test(endpoint))
    throw new RangeError("AWS_ENDPOINT_URL must begin with http:// or https://.");
  const sessionToken = value("AWS_SESSION_TOKEN");
  const client = new S3Client({
    bucket,
    accessKeyId,
    secretAccessKey,
    region: value("AWS_REGION", "AWS_DEFAULT_REGION") ?? "us-east-1",
    ...(sessionToken ? { sessionToken } : {}),
    ...(endpoint ? { endpoint } : {}),
  });
  return { client, endpoint };
}

/** Opens the folder at `address` with the keys of the environment; nothing is asked of the store yet. */
export function openBucket(address: string, env: Env): Bucket {
  const { bucket, prefix } = parseAddress(address);
  const { client, endpoint } = clientOf(bucket, env);
  const name = `s3://${bucket}/${prefix}`;
  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw explained(name, endpoint, error);
    }
  };
  return {
    name,
    list: () =>
      asked(async () => {
        const found: BucketObject[] = [];
        let continuationToken: string | undefined;
        do {
          const page = await client.list({ prefix, ...(continuationToken ? { continuationToken } : {}) });
          for (const { key, size, eTag } of page.contents ?? [])
            found.push({
              path: key.slice(prefix.length),
              bytes: Number(size ?? -1),
              etag: (eTag ?? "").replaceAll('"', ""),
            });
          continuationToken = page.isTruncated ? page.nextContinuationToken : undefined;
        } while (continuationToken);
        return found;
      }),
    read: (path) =>
      asked(async () => {
        try {
          return await client.file(prefix + path).text();
        } catch (error) {
          if (errorText(error, "code") === "NoSuchKey") return null;
          throw error;
        }
      }),
    writeText: (path, text) => asked(async () => void (await client.write(prefix + path, text))),
    writeFile: (path, from) =>
      asked(async () => void (await client.write(prefix + path, Bun.file(from), { partSize: PART_BYTES }))),
    remove: (path) => asked(() => client.delete(prefix + path)),
  };
}

const md5 = (data: Uint8Array) => new Bun.CryptoHasher("md5").update(data).digest();

/** Whether a store's ETag is that of this file, sent at once or in parts of `PART_BYTES`. */
export async function hasEtag(path: string, etag: string): Promise<boolean> {
  const [, wanted, count] = /^([0-9a-f]{32})(?:-(\d+))?$/.exec(etag) ?? [];
  if (wanted === undefined) return false;
  const file = Bun.file(path);
  if (count === undefined) {
    const hasher = new Bun.CryptoHasher("md5");
    for await (const piece of file.stream()) hasher.update(piece);
    return hasher.digest("hex") === wanted;
  }
  const parts = Math.ceil(file.size / PART_BYTES);
  if (parts !== Number(count)) return false;
  const whole = new Bun.CryptoHasher("md5");
  for (let part = 0; part < parts; part++)
    whole.update(md5(await file.slice(part * PART_BYTES, (part + 1) * PART_BYTES).bytes()));
  return whole.digest("hex") === wanted;
}
