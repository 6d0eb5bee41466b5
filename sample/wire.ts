// A request and a reply of the sample upstream, free of any server.

/** A request as it came through the gateway: `/<host>/<path>?<query>`. */
export interface SampleRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
  /** In place of `body`, where it is no text. */
  readonly bytes?: Uint8Array;
}

/** A provider of the sample market. */
export interface SampleUpstream {
  /** The reply of this provider; null for a host that is not its own. */
  answer(request: SampleRequest): Reply | null;
}

/** A JSON reply as the provider's edge sends it; `cache` is its Cache-Control. */
export function jsonReply(status: number, body: unknown, cache = "max-age=0, private"): Reply {
  return {
    status,
    headers: { "content-type": "application/json;charset=utf-8", "cache-control": cache, server: "ATS" },
    body: JSON.stringify(body),
  };
}

/** A page or plain text. */
export function textReply(
  status: number,
  body: string,
  headers: Record<string, string | readonly string[]> = {},
): Reply {
  return { status, headers: { "content-type": "text/html; charset=utf-8", server: "ATS", ...headers }, body };
}
