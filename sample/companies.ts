// The fictional listings by hand: invented names and tickers of no real security, and the oddities each one
// shows. Dates of births, deaths and renames are fixed, never counted from today: a stored history must stay
// true tomorrow.
import type { Listing, SplitRule } from "./listing.ts";

type Row = readonly [
  symbol: string,
  name: string,
  exchange: Listing["exchange"],
  price: number,
  millionDollarsADay: number,
  yieldPercent: number,
  volatility: number,
  oddities?: Partial<Listing>,
];

/**
 * Five companies take turns with a 4:1 split, so that each year has one; the last is never more than a year
 * ago.
 */
const quadruple = (yearModulo5: number): SplitRule => ({
  numerator: 4,
  denominator: 1,
  yearModulo5,
  monthDay: "06-09",
});
const split = (numerator: number, denominator: number, yearModulo5: number, monthDay: string): SplitRule => ({
  numerator,
  denominator,
  yearModulo5,
  monthDay,
});

const EQUITIES: readonly Row[] = [
  ["ZORP", "Zorp Dynamics Inc.", "NMS", 184, 2900, 0.6, 0.017, { split: quadruple(1) }],
  ["QUIB", "Quibble Holdings Inc. Class A", "NYQ", 412, 640, 0, 0.012],
  ["QUIB-B", "Quibble Holdings Inc. Class B", "NYQ", 274, 810, 0, 0.012],
  ["ZORP-PA", "Zorp Dynamics Inc. Preferred A", "NYQ", 24.6, 1.9, 6.1, 0.004, { emptyMinutes: 0.7 }],
  ["WUZZL", "Wuzzle Foods Corporation", "NYQ", 61, 290, 3.1, 0.009, { split: quadruple(2) }],
  ["KRONK", "Kronk Heavy Industries", "NYQ", 129, 450, 2.2, 0.014, { split: quadruple(3) }],
  ["TRELB", "Trellbane Semiconductor", "NMS", 233, 1700, 0.4, 0.023, { split: quadruple(4) }],
  ["QUAFF", "Quaffable Beverages Ltd.", "NYQ", 71, 330, 2.8, 0.008, { split: quadruple(0) }],
  ["DREK", "Drekk Reclamation Inc.", "NCM", 6.4, 11, 0, 0.041, { split: split(1, 10, 3, "03-18") }],
  ["BLIMQ", "Blimquist Airways", "NMS", 33, 160, 0, 0.026, { split: split(1, 4, 0, "09-04") }],
  ["SNARV", "Snarvik Robotics", "NMS", 318, 980, 0, 0.029, { split: split(20, 1, 2, "07-15") }],
  ["FROBZ", "Frobozz Magic Tools", "NYQ", 88, 140, 1.7, 0.013, { split: split(3, 2, 4, "11-12") }],
  ["NURBL", "Nurbl Graphics Inc.", "NMS", 147, 760, 0, 0.027, { split: split(2, 1, 0, "04-21") }],
  ["GLUMP", "Glump Retail Group", "NYQ", 9.8, 17, 0, 0.034, { lastDate: "2026-02-27", afterwards: "gone" }],
  ["FADEQ", "Fadeq Print Media", "NYQ", 12.4, 9, 4.4, 0.021, { lastDate: "2027-03-31", afterwards: "gone" }],
  ["HUSQ", "Husq Biosciences", "NCM", 7.1, 6, 0, 0.038, { lastDate: "2024-09-13", afterwards: "stub" }],
  [
    "NEWZQ",
    "Newzq Holdings (formerly Oldzq)",
    "NYQ",
    54,
    75,
    1.2,
    0.015,
    { formerly: { symbol: "OLDZQ", until: "2025-05-02" } },
  ],
  ["PIPZ", "Pipz Mobility Inc.", "NMS", 27, 210, 0, 0.036, { firstDate: "2023-10-18" }],
  [
    "PIPZ-WT",
    "Pipz Mobility Inc. Warrants",
    "NCM",
    3.2,
    0.8,
    0,
    0.05,
    { firstDate: "2023-10-18", currency: null, emptyMinutes: 0.85 },
  ],
  ["MURQ", "Murquay Timber Trust", "PNK", 14.2, 0.05, 2.5, 0.02, { quietDays: 0.25, emptyMinutes: 0.93 }],
  ["HALTZ", "Haltz Therapeutics", "NMS", 38, 95, 0, 0.035, { haltOn: "08-12" }],
  ["ZUBB", "Zubb Cloudworks", "NMS", 208, 1300, 0, 0.024],
  ["VEXOQ", "Vexoq Payments", "NYQ", 176, 890, 0.8, 0.014],
  ["JUMBL", "Jumbl Logistics", "NYQ", 97, 260, 1.9, 0.015],
  ["OOZEL", "Oozel Lubricants", "NYQ", 44, 120, 4.6, 0.013],
  ["PLONQ", "Plonq Vineyards", "ASE", 18, 8, 2.1, 0.018],
  ["TWERB", "Twerbit Social Inc.", "NYQ", 29, 410, 0, 0.031],
  ["GIBBL", "Gibbl Bancorp", "NYQ", 52, 520, 3.4, 0.016],
  ["HOOZ", "Hooz Home Furnishings", "NYQ", 66, 180, 1.4, 0.019],
  ["YOLPQ", "Yolpq Travel", "NMS", 141, 370, 0, 0.021],
  ["BORKL", "Borkl Pet Supplies", "NMS", 23, 88, 0, 0.028],
  ["CRUMQ", "Crumq Bakeries", "NYQ", 39, 62, 2.9, 0.01],
  ["DWEEQ", "Dweeq Education", "NMS", 81, 54, 0, 0.022],
  ["FIZZQ", "Fizzq Soda Company", "NMS", 58, 97, 2.4, 0.009],
  ["GRONQ", "Gronq Aerospace", "NYQ", 262, 610, 1.6, 0.015],
  ["HUBBQ", "Hubbq Media", "NMS", 35, 190, 0, 0.022],
  ["JABBQ", "Jabbq Telecom", "NYQ", 21, 640, 6.3, 0.01],
  ["KLUNQ", "Klunq Auto Parts", "NYQ", 73, 83, 1.1, 0.018],
  ["LOOFQ", "Loofq Personal Care", "NYQ", 104, 230, 2.6, 0.009],
  ["MUMBQ", "Mumbq Insurance", "NYQ", 119, 310, 2.3, 0.012],
  ["NIXOQ", "Nixoq Cybersecurity", "NMS", 164, 720, 0, 0.027],
  ["OBBLQ", "Obblq Optics", "NMS", 92, 130, 0.5, 0.021],
  ["PUDGQ", "Pudgq Restaurants", "NYQ", 47, 110, 1.8, 0.016],
  ["QUOKQ", "Quokq Mining", "NYQ", 16, 270, 2, 0.027],
  ["RUMBQ", "Rumbq Motors", "NYQ", 13.5, 480, 4.1, 0.022],
  ["SQUEQ", "Squeq Water Utility", "NYQ", 77, 140, 2.7, 0.009],
  ["THUNQ", "Thunq Insulation", "NYQ", 55, 43, 1.5, 0.017],
  ["VROOQ", "Vrooq Charging", "NCM", 4.1, 31, 0, 0.046],
  ["WOMBQ", "Wombq Genomics", "NMS", 31, 150, 0, 0.037],
  ["XYLOQ", "Xyloq Paper", "NYQ", 42, 37, 3.7, 0.014],
  ["YAKQ", "Yakq Outdoor Gear", "NMS", 26, 24, 0, 0.024],
  ["ZIGZQ", "Zigzq Railways", "NYQ", 221, 540, 2.1, 0.012],
];

const FUNDS: readonly Row[] = [
  ["SMPLF", "Sample 50 Index ETF", "PCX", 388, 14_000, 1.3, 0.009],
  ["ZBNDF", "Sample Bond ETF", "NGM", 71, 620, 3.9, 0.003],
  ["ZTEKF", "Sample Technology ETF", "PCX", 203, 1900, 0.5, 0.014],
  ["ZGLDF", "Sample Shiny Metal ETF", "PCX", 164, 1100, 0, 0.008],
  ["ZDVDF", "Sample Dividend ETF", "PCX", 62, 210, 3.6, 0.008],
  ["ZCAPF", "Sample Active Growth ETF", "BTS", 48, 26, 0.9, 0.013, { capitalGains: true, emptyMinutes: 0.3 }],
];

const OTHERS: readonly Row[] = [
  ["^SMPL", "Sample 50 Index", "SNP", 5310, 0, 0, 0.009, { type: "INDEX", volumeADay: 2_900_000_000 }],
  ["ZEDUSD=X", "ZED/USD", "CCY", 1.0842, 0, 0, 0.004, { type: "CURRENCY", hours: "fx" }],
  ["ZIT-USD", "Zitcoin USD", "CCC", 31_400, 21_000, 0, 0.028, { type: "CRYPTOCURRENCY", hours: "crypto" }],
];

function listingOf(row: Row, type: Listing["type"]): Listing {
  const [symbol, name, exchange, price, millions, yieldPercent, volatility, oddities] = row;
  return {
    symbol,
    name,
    exchange,
    price,
    yieldPercent,
    volatility,
    type,
    dollarsADay: millions * 1e6,
    hours: "us",
    currency: "USD",
    emptyMinutes: 0.004,
    quietDays: 0,
    shares: Math.round((millions * 4e8) / price),
    ...oddities,
  };
}

/** Every listing that has a name of its own, the odd ones first. */
export const COMPANIES: readonly Listing[] = [
  ...EQUITIES.map((row) => listingOf(row, "EQUITY")),
  ...FUNDS.map((row) => listingOf(row, "ETF")),
  ...OTHERS.map((row) => listingOf(row, "INDEX")),
];
