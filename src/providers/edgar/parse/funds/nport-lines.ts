// Collects a fund's report of holdings from parser events: the fields of its head, and each holding as it
// ends. Pure.
import { FILED_TEXT_CHARS_MAX } from "../../../../limits.ts";
import type { NportHolding } from "../../nport-records.ts";
import { boundedText } from "../bounded-text.ts";
import { readNumber } from "../filed-number.ts";

export interface NportLimits {
  readonly nodesMax: number;
  readonly depthMax: number;
  readonly holdingsMax: number;
}

type Reason = "too_deep" | "too_many_nodes" | "too_large" | "forbidden_declaration";

export class NportRefused extends Error {
  constructor(readonly reason: Reason) {
    super(reason);
  }
}

const HOLDING = "invstOrSec";
/** The leaves of these elements are the head of the report. */
const HEAD = new Set(["headerData", "genInfo", "fundInfo", "seriesClassInfo"]);
/**
 * Attributes that the form uses in place of an element of the same name, by the element that carries them.
 */
const CONDITIONS: Readonly<Record<string, readonly string[]>> = {
  currencyConditional: ["curCd"],
  assetConditional: ["assetCat"],
  issuerConditional: ["issuerCat"],
};
const KINDS: Readonly<Record<string, string>> = {
  fwdDeriv: "FWD",
  futrDeriv: "FUT",
  swapDeriv: "SWP",
  optionSwaptionWarrantDeriv: "OPT",
  othDeriv: "OTH",
};

/** `nport:name` → `name`. Prefixes differ between filers and mean nothing. */
const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** The trimmed value; null for an empty one and for "N/A", "None" and the like. */
function filedText(value: string | undefined): string | null {
  const text = value?.trim() ?? "";
  return text === "" || /^(?:n\/?a|none|null|-+)$/i.test(text) ? null : text;
}

/** The identifier in upper case; null for one of zeros only. */
const identifier = (value: string | undefined): string | null => {
  const text = filedText(value)?.toUpperCase() ?? null;
  return text === null || /^0+$/.test(text) ? null : text;
};

export class NportCollector {
  /** The first value of each field of the head, by `parent/name`. */
  readonly top = new Map<string, string>();
  readonly classIds: string[] = [];
  readonly holdings: NportHolding[] = [];
  root = "";
  readonly #warned = new Map<string, number>();
  readonly #stack: string[] = [];
  #fields: Map<string, string> | null = null;
  /** Depth of the open holding. */
  #at = -1;
  #nodes = 0;
  #text = "";
  #isLeaf = false;

  constructor(readonly limits: NportLimits) {}

  get warnings(): string[] {
    return [...this.#warned].map(([what, count]) => `${what} (${count})`);
  }

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    const name = localName(tag);
    const depth = this.#stack.length;
    if (++this.#nodes > this.limits.nodesMax) throw new NportRefused("too_many_nodes");
    if (depth >= this.limits.depthMax) throw new NportRefused("too_deep");
    if (depth === 0) this.root = name;
    this.#stack.push(name);
    this.#isLeaf = true;
    this.#text = "";
    if (this.#fields) this.#attributes(this.#fields, name, depth, attributes);
    else if (name === HOLDING) {
      if (this.holdings.length >= this.limits.holdingsMax) throw new NportRefused("too_large");
      this.#fields = new Map();
      this.#at = depth;
    }
  }

  /**
   * Reads the attributes of a holding. Deeper elements describe something else, such as the underlying of a
   * derivative.
   */
  #attributes(
    fields: Map<string, string>,
    name: string,
    depth: number,
    attributes: Readonly<Record<string, string>>,
  ): void {
    const parent = this.#stack[depth - 1];
    if (depth === this.#at + 1)
      for (const key of CONDITIONS[name] ?? [])
        if (attributes[key]) fields.set(key, boundedText(attributes[key]));
    if (depth !== this.#at + 2) return;
    // Some holdings name several identifiers of one kind; the first counts.
    if (parent === "identifiers" && attributes.value && !fields.has(`id ${name}`))
      fields.set(`id ${name}`, boundedText(attributes.value));
    if (parent === "derivativeInfo" && !fields.has("derivative"))
      fields.set("derivative", boundedText(attributes.derivCat || (KINDS[name] ?? "OTH")));
  }

  text(text: string): void {
    // One character more than is kept shows that there was more.
    if (this.#isLeaf) this.#text += text.slice(0, FILED_TEXT_CHARS_MAX + 1 - this.#text.length);
  }

  close(): void {
    const name = this.#stack.pop() ?? "";
    const depth = this.#stack.length;
    const value = this.#isLeaf ? boundedText(this.#text).trim() : "";
    this.#isLeaf = false;
    if (this.#fields && depth === this.#at) {
      this.holdings.push(this.#holding(this.#fields));
      this.#fields = null;
      return;
    }
    if (value === "") return;
    const parent = this.#stack[depth - 1] ?? "";
    if (this.#fields) {
      if (depth === this.#at + 1 && !this.#fields.has(name)) this.#fields.set(name, value);
    } else if (name === "classId" && parent === "seriesClassInfo") this.classIds.push(value);
    else if (HEAD.has(parent) && !this.top.has(`${parent}/${name}`)) this.top.set(`${parent}/${name}`, value);
  }

  #number(fields: Map<string, string>, name: string): number | null {
    const text = filedText(fields.get(name));
    const number = readNumber(text);
    if (text !== null && number === null) {
      const what = `${name} is not a number`;
      this.#warned.set(what, (this.#warned.get(what) ?? 0) + 1);
    }
    return number;
  }

  #holding(fields: Map<string, string>): NportHolding {
    const text = (name: string) => filedText(fields.get(name));
    const payoff = text("payoffProfile");
    const restricted = text("isRestrictedSec");
    return {
      line: this.holdings.length + 1,
      name: text("name"),
      title: text("title"),
      lei: identifier(fields.get("lei")),
      cusip: identifier(fields.get("cusip")),
      isin: identifier(fields.get("id isin")),
      ticker: text("id ticker"),
      balance: this.#number(fields, "balance"),
      units: text("units"),
      units_described: text("descOthUnits"),
      currency: text("curCd"),
      value_usd: this.#number(fields, "valUSD"),
      weight_percent: this.#number(fields, "pctVal"),
      payoff_profile: payoff === "Long" || payoff === "Short" ? payoff : null,
      asset_category: text("assetCat"),
      issuer_category: text("issuerCat"),
      country: text("invCountry"),
      fair_value_level: this.#number(fields, "fairValLevel"),
      is_restricted: restricted === "Y" ? true : restricted === "N" ? false : null,
      derivative_kind: fields.get("derivative") ?? null,
    };
  }
}
