// The titles of current reports' items, in filings and in headers.

const TITLES: Readonly<Record<string, string>> = {
  "1.01": "Entry into a Material Definitive Agreement",
  "1.03": "Bankruptcy or Receivership",
  "2.02": "Results of Operations and Financial Condition",
  "2.03":
    "Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a Registrant",
  "2.05": "Costs Associated with Exit or Disposal Activities",
  "3.01":
    "Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing",
  "3.03": "Material Modification to Rights of Security Holders",
  "4.02":
    "Non-Reliance on Previously Issued Financial Statements or a Related Audit Report or Completed Interim Review",
  "5.01": "Changes in Control of Registrant",
  "5.02":
    "Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers; Compensatory Arrangements of Certain Officers",
  "5.03": "Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year",
  "5.07": "Submission of Matters to a Vote of Security Holders",
  "7.01": "Regulation FD Disclosure",
  "8.01": "Other Events",
  "9.01": "Financial Statements and Exhibits",
  // Before 2004-08-23.
  "5": "Other Events and Required FD Disclosure",
  "6": "Resignations of Registrant's Directors",
  "7": "Financial Statements and Exhibits",
  "9": "Regulation FD Disclosure",
  "12": "Results of Operations and Financial Condition",
};

/** As filers write it. RangeError for an item the sample does not file. */
export function titleOf(item: string): string {
  const title = TITLES[item];
  if (title === undefined) throw new RangeError(`The sample has no title for item ${item}`);
  return title;
}

/** As headers and index pages write it: item 5.02 has a colon there. */
export function headerTitleOf(item: string): string {
  return titleOf(item).replace("Certain Officers; Compensatory", "Certain Officers: Compensatory");
}

/** The modern item whose wording an old number gets. */
export const MODERN: Readonly<Record<string, string>> = {
  "5": "8.01",
  "6": "5.02",
  "7": "9.01",
  "9": "7.01",
  "12": "2.02",
};
