// Forms and schedules made by hand for tests: valid ones, of which each test says what is different.

export interface ExampleTrade {
  readonly table?: "nonDerivative" | "derivative";
  readonly title?: string;
  readonly date?: string;
  readonly code?: string | null;
  readonly shares?: string | null;
  readonly price?: string | null;
  readonly way?: "A" | "D";
  readonly after?: string;
  readonly nature?: "D" | "I";
  readonly how?: string;
  /** Footnotes by the leaf that cites them. */
  readonly notes?: Readonly<Record<string, string>>;
}

export interface ExampleOwner {
  readonly cik?: string;
  readonly name?: string;
  readonly director?: string;
  readonly officer?: string;
  readonly tenPercent?: string;
  readonly other?: string;
  readonly title?: string;
  readonly otherText?: string;
}

export interface ExampleForm {
  readonly type?: string;
  readonly schema?: string;
  readonly period?: string;
  readonly original?: string;
  readonly box?: string;
  readonly owners?: readonly ExampleOwner[];
  readonly trades?: readonly ExampleTrade[];
  readonly footnotes?: Readonly<Record<string, string>>;
  readonly remarks?: string;
  readonly issuer?: string;
}

const leaf = (name: string, value: string | null | undefined, note?: string): string => {
  const reported = value === null || value === undefined ? "" : `<value>${value}</value>`;
  return `<${name}>${reported}${note ? `<footnoteId id="${note}"/>` : ""}</${name}>`;
};
const plain = (name: string, value: string | undefined): string =>
  value === undefined ? "" : `<${name}>${value}</${name}>`;

function tradeXml(trade: ExampleTrade): string {
  const {
    table = "nonDerivative",
    title = "Common Stock",
    date = "2024-03-01",
    code = "P",
    way = "A",
    notes = {},
  } = trade;
  const { shares = "100", price = "10", after = "1100", nature = "D", how } = trade;
  const coding =
    code === null
      ? ""
      : `<transactionCoding><transactionFormType>4</transactionFormType><transactionCode>${code}</transactionCode><equitySwapInvolved>0</equitySwapInvolved>${notes.coding ? `<footnoteId id="${notes.coding}"/>` : ""}</transactionCoding>`;
  return `<${table}Transaction>
    ${leaf("securityTitle", title, notes.title)}${leaf("transactionDate", date)}${coding}
    <transactionAmounts>${leaf("transactionShares", shares, notes.shares)}${leaf("transactionPricePerShare", price, notes.price)}
      ${leaf("transactionAcquiredDisposedCode", way)}</transactionAmounts>
    <postTransactionAmounts>${leaf("sharesOwnedFollowingTransaction", after)}</postTransactionAmounts>
    <ownershipNature>${leaf("directOrIndirectOwnership", nature)}${how ? leaf("natureOfOwnership", how, notes.how) : ""}</ownershipNature>
  </${table}Transaction>`;
}

const ownerXml = (owner: ExampleOwner): string => `<reportingOwner>
  <reportingOwnerId><rptOwnerCik>${owner.cik ?? "0001000001"}</rptOwnerCik><rptOwnerName>${owner.name ?? "Doe Jane"}</rptOwnerName></reportingOwnerId>
  <reportingOwnerRelationship>${plain("isDirector", owner.director)}${plain("isOfficer", owner.officer)}${plain("isTenPercentOwner", owner.tenPercent)}${plain("isOther", owner.other)}
    ${plain("officerTitle", owner.title)}${plain("otherText", owner.otherText)}</reportingOwnerRelationship></reportingOwner>`;

export function formXml(form: ExampleForm = {}): string {
  const {
    type = "4",
    schema = "X0508",
    period = "2024-03-01",
    owners = [{ director: "1" }],
    trades = [{}],
  } = form;
  const table = (name: "nonDerivative" | "derivative"): string =>
    `<${name}Table>${trades
      .filter((one) => (one.table ?? "nonDerivative") === name)
      .map(tradeXml)
      .join("")}</${name}Table>`;
  const notes = Object.entries(form.footnotes ?? {}).map(
    ([id, text]) => `<footnote id="${id}">${text}</footnote>`,
  );
  return `<?xml version="1.0"?>
<ownershipDocument>
  <schemaVersion>${schema}</schemaVersion><documentType>${type}</documentType><periodOfReport>${period}</periodOfReport>
  ${plain("dateOfOriginalSubmission", form.original)}
  <issuer><issuerCik>0000320193</issuerCik><issuerName>${form.issuer ?? "Acme Corp"}</issuerName><issuerTradingSymbol>ACME</issuerTradingSymbol></issuer>
  ${owners.map(ownerXml).join("")}${plain("aff10b5One", form.box)}
  ${table("nonDerivative")}${table("derivative")}
  <footnotes>${notes.join("")}</footnotes>${plain("remarks", form.remarks)}
  <ownerSignature><signatureName>/s/ Jane Doe</signatureName><signatureDate>2024-03-04</signatureDate></ownerSignature>
</ownershipDocument>`;
}
