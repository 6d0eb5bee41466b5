// Reads what a chart answer states about its symbol, and the hours it lists.
import { type InstrumentInfo, UNKNOWN_INSTRUMENT } from "../../../market/bar-history.ts";
import type { Calendar } from "../../../market/calendar.ts";
import type { Wire } from "../wire.ts";

/** The symbol of a chart answer. Prices are in `currency`, which is null for some US warrants. */
export interface ChartMeta extends InstrumentInfo {
  /** Yahoo's code: NMS, NYQ, PCX … YHD is the code of delisted symbols. */
  readonly exchange: string | null;
  readonly regular_market_price: number | null;
  readonly regular_market_day_high: number | null;
  readonly regular_market_day_low: number | null;
  readonly regular_market_volume: number | null;
  /** Number of decimals in which Yahoo shows prices. */
  readonly price_hint: number | null;
  readonly data_granularity: string | null;
}

/** Hours of one session, epoch seconds; the end is exclusive. */
export interface Hours {
  readonly start: number;
  readonly end: number;
}

/** The facts besides the rows that the rules for bars need. */
export interface ChartFrame {
  readonly zone: string;
  readonly instrumentType: string | null;
  /** Epoch seconds of the last trade. */
  readonly lastTrade: number | null;
  /** Regular hours of the running or next session, which may lie outside the requested span. */
  readonly currentHours: Hours | null;
  /** Regular hours of the sessions of an intraday answer. */
  readonly sessionHours: readonly Hours[];
}

/** Meta of an answer that is empty because Yahoo has nothing for the requested span. */
export const NO_META: ChartMeta = {
  ...UNKNOWN_INSTRUMENT,
  exchange: null,
  regular_market_price: null,
  regular_market_day_high: null,
  regular_market_day_low: null,
  regular_market_volume: null,
  price_hint: null,
  data_granularity: null,
};

/** The date of a moment in a zone. */
export function dateIn(zone: string, at: Temporal.Instant): string {
  return at.toZonedDateTimeISO(zone).toPlainDate().toString();
}

function readZone(wire: Wire): string {
  const zone = wire.text();
  try {
    dateIn(zone, Temporal.Instant.fromEpochMilliseconds(0));
    return zone;
  } catch {
    throw wire.wrong("a time zone");
  }
}

/**
 * Checks the offset: one that the zone never has in that year belongs to another exchange, so no date would
 * be sure.
 */
// New York has had -5 and -4 hours in 2026: +1 hour is refused.
function checkOffset(wire: Wire, zone: string, at: Temporal.Instant | null): void {
  const seconds = wire.numberOrNull();
  if (seconds === null || at === null) return;
  const { year } = at.toZonedDateTimeISO(zone);
  const offsets = [1, 7].map(
    (month) =>
      Temporal.PlainDate.from({ year, month, day: 15 }).toZonedDateTime(zone).offsetNanoseconds / 1e9,
  );
  if (!offsets.includes(seconds)) throw wire.wrong(`an offset of ${zone}`);
}

function readHours(wire: Wire): Hours | null {
  if (wire.isMissing) return null;
  return { start: wire.at("start").number(), end: wire.at("end").number() };
}

/**
 * Reads the two forms: `[[hours], …]` without extended hours, `{pre, regular: [[hours], …], post}` with them.
 */
function readSessionHours(wire: Wire): Hours[] {
  if (wire.isMissing) return [];
  const days = Array.isArray(wire.value) ? wire : wire.at("regular");
  return days.items().flatMap((day) => day.items().flatMap((hours) => readHours(hours) ?? []));
}

/** A last price; null for 0, which Yahoo writes when it has none. */
function priceOrNull(wire: Wire): number | null {
  const price = wire.numberOrNull();
  return price === 0 ? null : price;
}

/** Reads `meta`. `gmtoffset` is only checked against the zone: it is today's offset, not that of the bars. */
export function readMeta(wire: Wire): { meta: ChartMeta; frame: ChartFrame } {
  const zone = readZone(wire.at("exchangeTimezoneName"));
  const firstTrade = wire.at("firstTradeDate").instantOrNull();
  const lastTrade = wire.at("regularMarketTime").instantOrNull();
  checkOffset(wire.at("gmtoffset"), zone, lastTrade);
  const period = wire.at("currentTradingPeriod");
  const meta: ChartMeta = {
    currency: wire.at("currency").textOrNull(),
    exchange: wire.at("exchangeName").textOrNull(),
    exchange_name: wire.at("fullExchangeName").textOrNull(),
    timezone: zone,
    instrument_type: wire.at("instrumentType").textOrNull(),
    name: wire.at("longName").textOrNull() ?? wire.at("shortName").textOrNull(),
    first_trade_date: firstTrade && dateIn(zone, firstTrade),
    regular_market_time: lastTrade,
    regular_market_price: priceOrNull(wire.at("regularMarketPrice")),
    regular_market_day_high: priceOrNull(wire.at("regularMarketDayHigh")),
    regular_market_day_low: priceOrNull(wire.at("regularMarketDayLow")),
    regular_market_volume: wire.at("regularMarketVolume").numberOrNull(),
    // Only intraday answers have it. chartPreviousClose is the close before the requested span, which may be
    // years old.
    previous_close: priceOrNull(wire.at("previousClose")),
    price_hint: wire.at("priceHint").numberOrNull(),
    data_granularity: wire.at("dataGranularity").textOrNull(),
  };
  const frame: ChartFrame = {
    zone,
    instrumentType: meta.instrument_type,
    lastTrade: lastTrade && lastTrade.epochMilliseconds / 1000,
    currentHours: period.isMissing ? null : readHours(period.at("regular")),
    sessionHours: readSessionHours(wire.at("tradingPeriods")),
  };
  return { meta, frame };
}

/** For this long after an open, a symbol without a trade in the session counts as not rescaled yet. */
// Without a trade of the day, the basis at 10:29 is the session before, and at 10:30 that of the day.
const OPENING_S = 3_600;
const NEW_YORK = "America/New_York";

/**
 * The day up to which the prices of an answer are adjusted for splits and dividends. Yahoo rescales a history
 * when the ex date opens. A trade in the newest session shows that this has happened for the symbol; without
 * one, the session counts from one hour after its open, since rarely traded symbols are rescaled too. Until
 * then prices are on the basis of the previous session.
 */
export function basisDate(frame: ChartFrame, receivedAt: Temporal.Instant, calendar: Calendar): string {
  const received = receivedAt.epochMilliseconds / 1000;
  const lastTradeDay =
    frame.lastTrade === null
      ? ""
      : dateIn(frame.zone, Temporal.Instant.fromEpochMilliseconds(frame.lastTrade * 1000));
  if (frame.zone === NEW_YORK) {
    const session = calendar.latestSession(receivedAt);
    const isOpening = received - calendar.sessionOpen(session).epochMilliseconds / 1000 < OPENING_S;
    if (lastTradeDay >= session) return lastTradeDay;
    return isOpening ? calendar.previousSession(session) : session;
  }
  const local = receivedAt.toZonedDateTimeISO(frame.zone);
  const today = local.toPlainDate().toString();
  if (lastTradeDay >= today || local.hour >= 11) return today;
  return local.toPlainDate().subtract({ days: 1 }).toString();
}
