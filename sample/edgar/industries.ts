// Industry codes as the regulator gives them, and the made-up places where the sample's companies sit.

export interface Industry {
  readonly sic: string;
  readonly description: string;
  /** The office that reviews its filings. */
  readonly office: string;
}

const industry = (sic: string, description: string, office: string): Industry => ({
  sic,
  description,
  office,
});

export const INDUSTRIES = {
  software: industry("7372", "Services-Prepackaged Software", "06 Technology"),
  chips: industry("3674", "Semiconductors & Related Devices", "04 Manufacturing"),
  machinery: industry("3569", "General Industrial Machinery & Equipment, NEC", "06 Technology"),
  food: industry("2000", "Food and Kindred Products", "04 Manufacturing"),
  drugs: industry("2834", "Pharmaceutical Preparations", "03 Life Sciences"),
  bank: industry("6021", "National Commercial Banks", "02 Finance"),
  insurance: industry("6331", "Fire, Marine & Casualty Insurance", "02 Finance"),
  retail: industry("5331", "Retail-Variety Stores", "07 Trade & Services"),
  airline: industry("4512", "Air Transportation, Scheduled", "01 Energy & Transportation"),
  content: industry("2711", "Newspapers: Publishing or Publishing & Printing", "07 Trade & Services"),
  shell: industry("6770", "Blank Checks", "05 Real Estate & Construction"),
  commodity: industry(
    "6221",
    "Commodity Contracts Brokers & Dealers",
    "08 Industrial Applications and Services",
  ),
} as const;

/** Funds have none. */
export const NO_INDUSTRY = industry("", "", "");

/** Industries handed out by lot. */
export const ORDINARY: readonly Industry[] = [
  INDUSTRIES.software,
  INDUSTRIES.chips,
  INDUSTRIES.machinery,
  INDUSTRIES.food,
  INDUSTRIES.drugs,
  INDUSTRIES.retail,
];

export interface Place {
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
}

/** Towns that do not exist, in states that do. */
export const PLACES: readonly Place[] = [
  { street: "1 Teapot Circle", city: "Wobbleton", state: "OH", zip: "00101" },
  { street: "22 Paperclip Way", city: "Dozefield", state: "TX", zip: "00202" },
  { street: "303 Marmalade Avenue", city: "North Fiddle", state: "NY", zip: "00303" },
  { street: "4 Bobbin Lane", city: "Umbrella Falls", state: "WA", zip: "00404" },
  { street: "55 Kettle Street", city: "Lower Pudding", state: "MA", zip: "00505" },
];
