// The regulator's refusals: its statuses, envelopes and page titles, in words of our own.
import { type Reply, textReply } from "../wire.ts";

const xml = (status: number, code: string, message: string, more = ""): Reply => ({
  status,
  headers: { "content-type": "application/xml", server: "AmazonS3" },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message>${more}<RequestId>SAMPLE0000000000</RequestId><HostId>c2FtcGxl</HostId></Error>`,
});

const page = (status: number, title: string, heading: string, text: string): Reply =>
  textReply(
    status,
    `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${heading}</h1>\n<p>${text}</p>\n</body></html>\n`,
    { server: "AkamaiGHost" },
  );

/** An index file that does not exist: weekends, holidays, the future. Not a 404. */
export const accessDenied = (): Reply => xml(403, "AccessDenied", "Access Denied");

/** Anything else that does not exist; `key` is the path without its first slash. */
export const noSuchKey = (key: string): Reply =>
  xml(404, "NoSuchKey", "The specified key does not exist.", `<Key>${key.replaceAll(/[<>&]/g, "")}</Key>`);

/** A request without a contact address. */
export const undeclaredTool = (): Reply =>
  page(
    403,
    "SEC.gov | Your Request Originates from an Undeclared Automated Tool",
    "Your Request Originates from an Undeclared Automated Tool",
    "The sample asks for a User-Agent with a contact address, as the regulator does.",
  );

/** Too many requests: all of them are refused for ten minutes. */
export const rateExceeded = (status: number): Reply =>
  page(
    status,
    "SEC.gov | Request Rate Threshold Exceeded",
    "Request Rate Threshold Exceeded",
    "The sample refuses for 10 minutes, as the regulator refuses clients that send more than ten requests a second.",
  );

/** The feed beyond its depth, or any page while the regulator rests. */
export const unavailable = (status: number): Reply =>
  page(
    status,
    "SEC.gov | File Unavailable",
    "File Unavailable",
    "The file of the sample is unavailable: undergoing maintenance.",
  );
