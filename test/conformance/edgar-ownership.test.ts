// Recorded Forms 3, 4, 5 and Schedules 13D, 13G, held against what their manifest says of them, to the last
// digit.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  type BeneficialSchedule,
  isUnread,
  type OwnershipForm,
  type OwnershipTransaction,
  parseBeneficial,
  parseOwnershipXml,
} from "../../src/providers/edgar/index.ts";
import { answering, bytesOf, hasRecordings, listed, stampOf, textOf } from "./edgar-recordings.ts";

setDefaultTimeout(1_200_000);

if (!hasRecordings) test("skipped: no recordings", () => {});

/** The facts that the manifest lists for a file. */
function factsOf(file: string): string[] {
  const [, part = ""] = textOf("MANIFEST.md").split(`**\`${file}\`**`);
  const own = part.split(/^- \*\*`|^## /m)[0] ?? "";
  return own.split("\n").flatMap((line) => /^\s*- FACT: (.*)$/.exec(line)?.[1] ?? []);
}
const factAbout = (file: string, start: RegExp): string | null =>
  factsOf(file).find((fact) => start.test(fact)) ?? null;

function formIn(file: string): OwnershipForm {
  const form = parseOwnershipXml(bytesOf(file));
  if (isUnread(form)) throw new Error(`${file} was not read: ${form.failed}, ${form.message}`);
  return form;
}

/** Cuts a date of the manifest to its day: it may carry the filer's zone. */
const day = (text = ""): string => text.slice(0, 10);

/** `isOfficer: '1'` of the manifest: absent boxes are not ticked. */
function boxes(list: string) {
  const box = (name: string): boolean =>
    /^(?:1|true)$/.test(new RegExp(`'${name}': '(\\w+)'`).exec(list)?.[1] ?? "");
  return {
    is_director: box("isDirector"),
    is_officer: box("isOfficer"),
    is_ten_percent_owner: box("isTenPercentOwner"),
    is_other: box("isOther"),
    officer_title: /'officerTitle': '([^']*)'/.exec(list)?.[1] ?? null,
  };
}

function checkHead(file: string, form: OwnershipForm, fact: string): void {
  const [, schema, type, period, name, symbol, cik, box, owners = ""] =
    /^schema (\S+), documentType (\S+), periodOfReport (\S+), issuer (.*) \((.*?), CIK (\d+)\), aff10b5One=(\w+); owners: (.*)$/.exec(
      fact,
    ) ?? [];
  expect(name, `${file}: ${fact}`).toBeDefined();
  expect(form).toMatchObject({
    schema_version: schema ?? "",
    form_type: type ?? "",
    period_of_report: day(period),
    issuer: { cik: cik ?? "", name: name ?? "", symbol: symbol ?? "" },
    aff10b5_one: box === "None" ? null : /^(?:1|true)$/.test(box ?? ""),
  });
  const reported = [...owners.matchAll(/(.*?) \(CIK (\d+)\) (\{[^}]*\})(?:; |$)/g)];
  expect(reported.length).toBeGreaterThan(0);
  expect(form.owners).toHaveLength(reported.length);
  reported.forEach(([, ownerName = "", ownerCik = "", list = ""], i) => {
    expect(form.owners[i]).toMatchObject({ name: ownerName, cik: ownerCik, ...boxes(list) });
  });
}

const TRADE =
  /^(ND|D) (\S+) code (\w|None) ([AD]|None) ([\d.]+|None) sh @ ([\d.]+|None) → ([\d.]+|None) ([DI]|None)$/;
const numberIn = (text = ""): number | null => (text === "None" ? null : Number(text));
const wordIn = (text = "None"): string | null => (text === "None" ? null : text);

function checkTrade(trade: OwnershipTransaction | undefined, reported: string): void {
  const [, table, date, code, way, shares, price, after, nature] = TRADE.exec(reported) ?? [];
  expect(table, reported).toBeDefined();
  expect(trade).toMatchObject({
    security_type: table === "ND" ? "non_derivative" : "derivative",
    transaction_date: day(date),
    transaction_code: wordIn(code),
    acquired_disposed: wordIn(way),
    shares: numberIn(shares),
    price_per_share: numberIn(price),
    shares_owned_after: numberIn(after),
    ownership_nature: wordIn(nature),
  });
}

const isForm = (file: string): boolean => factAbout(file, /^schema /) !== null;
const FORMS = hasRecordings ? ["form3", "form4", "form5"].flatMap((part) => listed(part)) : [];

describe.if(hasRecordings)("forms 3, 4 and 5", () => {
  for (const file of FORMS.filter(isForm)) {
    test(file, () => {
      const form = formIn(file);
      checkHead(file, form, factAbout(file, /^schema /) ?? "");
      const trades =
        factAbout(file, /^transactions: /)
          ?.slice("transactions: ".length)
          .split(" | ") ?? [];
      expect(form.transactions).toHaveLength(trades.length);
      for (const [i, reported] of trades.entries()) checkTrade(form.transactions[i], reported);
      const holdings = [...(factAbout(file, /^holdings-only/) ?? "").matchAll(/'(\w+)Holding', (\d+)/g)];
      const count = (type: string) => form.holdings.filter((one) => one.security_type === type).length;
      expect({ nonDerivative: count("non_derivative"), derivative: count("derivative") }).toEqual({
        nonDerivative: 0,
        derivative: 0,
        ...Object.fromEntries(holdings.map(([, type, number]) => [type, Number(number)])),
      });
      // A trade's line counts trades alone, and its money is the product to the last digit.
      form.transactions.forEach((trade, i) => {
        expect(trade.line).toBe(i + 1);
        const { transaction_value, shares, price_per_share } = trade;
        if (transaction_value !== null && shares !== null && price_per_share !== null)
          expect(transaction_value).toBeCloseTo(shares * price_per_share, 4);
      });
    });
  }

  test.each(FORMS.filter((file) => /percent of prior holding/.test(factsOf(file).join())))(
    "%s: what its purchases add",
    (file) => {
      const fact = factsOf(file).join();
      const reported = Number(/percent of prior holding = .*?= ([\d.]+)%/.exec(fact)?.[1]);
      const [trade] = formIn(file).transactions.filter((one) => one.transaction_type === "buy");
      expect(trade?.purchase_pct_of_holding).toBeCloseTo(reported, 4);
    },
  );

  test.each(FORMS.filter((file) => /percent undefined/.test(factsOf(file).join())))(
    "%s: nothing was held before, so there is no percentage",
    (file) => {
      for (const trade of formIn(file).transactions) expect(trade.purchase_pct_of_holding).toBeNull();
    },
  );

  test.each(FORMS.filter((file) => /plan status must come from footnotes/.test(factsOf(file).join())))(
    "%s: no box, the footnotes tell of the plan",
    (file) => {
      const fact = factsOf(file).find((one) => one.includes("plan status")) ?? "";
      const [, lots, code, total] = /(\d+) lots of code (\w), total ([\d,]+) shares/.exec(fact) ?? [];
      const sold = formIn(file).transactions.filter((one) => one.transaction_code === code);
      expect(sold).toHaveLength(Number(lots));
      expect(sold.reduce((sum, { shares }) => sum + (shares ?? 0), 0)).toBe(
        Number(total?.replaceAll(",", "")),
      );
      expect(sold.map((one) => one.is_10b5_1)).toEqual(sold.map(() => true));
    },
  );

  const ticked = FORMS.filter((file) => /aff10b5One=(?:1|true)/.test(factAbout(file, /^schema /) ?? ""));
  test.each(ticked)("%s: the box is ticked", (file) => {
    expect(formIn(file).transactions.some((trade) => trade.is_10b5_1)).toBe(true);
  });
  const unticked = FORMS.filter((file) => /aff10b5One=(?:0|false)/.test(factAbout(file, /^schema /) ?? ""));
  test.each(unticked)("%s: the box is not ticked", (file) => {
    for (const trade of formIn(file).transactions) expect(trade.is_10b5_1).toBe(false);
  });

  test.each(FORMS.filter((file) => /rendered/.test(file)))("%s is a page, not a form", (file) => {
    expect(parseOwnershipXml(bytesOf(file))).toMatchObject({ failed: "rendered_page" });
  });

  test.each(FORMS.filter((file) => /legacy_text/.test(file)))(
    "%s is text from before forms had fields",
    async (file) => {
      expect(parseOwnershipXml(bytesOf(file))).toMatchObject({ failed: "pre_xml_text" });
      const accession_number = /\d{10}-\d{2}-\d{6}/.exec(file)?.[0] ?? "";
      const filing = await answering({ body: bytesOf(file) }).ownership({ accession_number });
      expect(filing).toMatchObject({ accession_number, read: { failed: "pre_xml_text" } });
    },
  );

  test.each(FORMS.filter((file) => factAbout(file, /^header: accepted/)))(
    "%s, whole: the header's moment and the document",
    async (file) => {
      const [, accepted, filed] =
        /accepted (\d{14}) .*filed as of (\d{8})/.exec(factAbout(file, /^header/) ?? "") ?? [];
      const accession_number = /\d{10}-\d{2}-\d{6}/.exec(textOf(file))?.[0] ?? "";
      const filing = await answering({ body: bytesOf(file) }).ownership({ accession_number });
      expect(stampOf(filing.accepted_at)).toBe(accepted ?? "");
      expect(filing.filing_date.replaceAll("-", "")).toBe(filed ?? "");
      const { warnings: _, ...form } = formIn(file);
      expect(filing.read).toMatchObject({ ...form, accession_number, accepted_at: filing.accepted_at });
    },
  );
});

const SCHEDULES = hasRecordings ? ["sc13d", "sc13g"].flatMap((part) => listed(part)) : [];
const formOf = (file: string): string => (file.startsWith("sc13d") ? "SC 13D" : "SC 13G");

function scheduleIn(file: string): BeneficialSchedule {
  const read = parseBeneficial(bytesOf(file), formOf(file));
  if (isUnread(read)) throw new Error(`${file} was not read: ${read.failed}, ${read.message}`);
  return read;
}
/** `8.5` and `10000000.00` of the manifest. */
const most = (texts: readonly string[]): number => Math.max(...texts.map(Number));
const isoDay = (us = ""): string => us.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, "$3-$1-$2");

describe.if(hasRecordings)("schedules 13D and 13G", () => {
  for (const file of SCHEDULES.filter((one) => factAbout(one, /^type /))) {
    test(file, () => {
      const read = scheduleIn(file);
      const fact = factAbout(file, /^type /) ?? "";
      const list = (name: string): string[] =>
        [...(new RegExp(`${name} \\[(.*?)\\](?:[,\\s]|$)`).exec(fact)?.[1] ?? "").matchAll(/'([^']*)'/g)].map(
          (one) => one[1] ?? "",
        );
      expect(read).toMatchObject({
        form_type: list("type")[0] ?? "",
        is_structured: true,
        event_date: isoDay(list("event")[0]),
        issuer: { name: list("issuer")[0] ?? "", cik: list("CIK")[0] ?? "" },
        cusips: list("CUSIP"),
        amendment_number: list("amendmentNo").map(Number)[0] ?? null,
        previous_accession_number: list("previousAccession")[0] ?? null,
      });
      const persons = [
        ...(factAbout(file, /^persons /) ?? "").matchAll(/\('([^']*)', '([\d.]*)', '([\d.]*)'\)/g),
      ];
      expect(read.persons.map(({ name }) => name)).toEqual(persons.map((one) => one[1] ?? ""));
      // Item 4 may give figures that a cover page leaves out.
      for (const [i, [, , shares, percent]] of persons.entries()) {
        if (shares) expect(read.persons[i]?.shares_owned).toBe(Number(shares));
        if (percent && Number(percent) <= 100) expect(read.persons[i]?.ownership_pct).toBe(Number(percent));
      }
      // Joint persons count the same shares: the most of them, never their sum.
      const reported = persons.flatMap((one) => one[2] || []);
      if (reported.length > 0) expect(read.shares_owned).toBe(most(reported));
      const percents = persons.flatMap((one) => (one[3] && Number(one[3]) <= 100 ? one[3] : []));
      if (percents.length > 0) expect(read.ownership_pct).toBe(most(percents));
      if (read.shares_owned === 0 || read.ownership_pct === 0) expect(read.is_exit).toBe(true);
      if (read.schedule === "13G") expect(read.is_activist).toBe(false);
    });
  }

  for (const file of SCHEDULES.filter((one) => factAbout(one, /^issuer /))) {
    test(`${file}, from its cover pages`, () => {
      const [, name, cusip, event, rule] =
        /^issuer (.*), CUSIP (\w{9}), event date (.*?), rule box (13d-1\(\w\)) ticked/.exec(
          factAbout(file, /^issuer /) ?? "",
        ) ?? [];
      const read = scheduleIn(file);
      const eventDay = Temporal.PlainDate.from(read.event_date ?? "").toLocaleString("en-US", {
        dateStyle: "long",
      });
      expect(eventDay.toUpperCase()).toBe(event?.toUpperCase() ?? "");
      expect(read).toMatchObject({
        is_structured: false,
        issuer: { name: name ?? "", cik: null },
        cusips: [cusip ?? ""],
        rules: [`Rule ${rule}`],
      });
      expect(read.persons.length).toBeGreaterThan(0);
      for (const person of read.persons) {
        expect(person.name).toMatch(/^[A-Z][^\n]+$/);
        expect(person.shares_owned).not.toBeNull();
        expect(person.ownership_pct).not.toBeNull();
        expect(person.types.length).toBeGreaterThan(0);
      }
    });
  }

  test("a letter to the board is intent, and the sentence is quoted", () => {
    for (const file of SCHEDULES.filter((one) => one.startsWith("sc13d"))) {
      const { purpose, is_activist, activist_reason } = scheduleIn(file);
      if (/sent a letter to the board/i.test(purpose ?? "")) expect(is_activist).toBe(true);
      if (is_activist) expect(purpose?.replace(/\s+/g, " ")).toContain(activist_reason ?? "no reason");
    }
  });
});
