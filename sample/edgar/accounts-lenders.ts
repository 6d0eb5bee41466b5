// One quarter of the books of a bank and of an insurer: no cost of revenue, no current assets, lines of their
// own.
import { bell, uniform } from "../randomness.ts";
import type { Accounts, Season } from "./accounts.ts";

type BankHeld = ReturnType<typeof bankHeld>;

function bankHeld(own: {
  cash: number;
  securities: number;
  loans: number;
  otherAssets: number;
  deposits: number;
  borrowings: number;
  otherLiabilities: number;
  paidIn: number;
}) {
  const assets = own.cash + own.securities + own.loans + own.otherAssets;
  const liabilities = own.deposits + own.borrowings + own.otherLiabilities;
  const equity = assets - liabilities;
  return {
    ...own,
    assets,
    liabilities,
    retained: equity - own.paidIn,
    equity,
    liabilitiesAndEquity: assets,
  };
}

function bankIncome(before: BankHeld, { luck, length, round }: Season) {
  const interestIncome = round((before.loans * 0.0135 + before.securities * 0.008) * length);
  const interestExpense = round((before.deposits * 0.004 + before.borrowings * 0.009) * length);
  const netInterest = interestIncome - interestExpense;
  // Now and then more is released than put by.
  const provision = round(before.loans * 0.0011 * (1 + 1.1 * bell(luck, 1)));
  const noninterestIncome = round(netInterest * (0.55 + 0.05 * bell(luck, 2)));
  const revenue = netInterest + noninterestIncome;
  const noninterestExpense = round(revenue * (0.57 + 0.01 * bell(luck, 3)));
  const pretax = revenue - provision - noninterestExpense;
  const tax = pretax > 0 ? round(pretax * 0.2) : 0;
  return {
    interestIncome,
    interestExpense,
    netInterest,
    provision,
    netInterestAfterProvision: netInterest - provision,
    noninterestIncome,
    revenue,
    noninterestExpense,
    pretax,
    tax,
    netIncome: pretax - tax,
  };
}

/** Banks. */
export const bankAccounts: Accounts<BankHeld> = {
  open: ({ worth, round }) =>
    bankHeld({
      cash: round(worth * 0.5),
      securities: round(worth * 2),
      loans: round(worth * 5),
      otherAssets: round(worth * 0.3),
      deposits: round(worth * 6),
      borrowings: round(worth * 0.8),
      otherLiabilities: round(worth * 0.2),
      paidIn: round(worth * 0.3),
    }),
  close(before, season) {
    const { luck, worth, round } = season;
    const earned = bankIncome(before, season);
    const otherAssets = round(worth * 0.3 * (1 + 0.15 * bell(luck, 4)));
    const otherAssetsUp = otherAssets - before.otherAssets;
    const depreciation = round(worth * 0.002);
    // Worn-out assets are replaced at once, so that the other assets move by trading alone.
    const operatingCash = earned.netIncome + earned.provision + depreciation - otherAssetsUp;
    const loansUp = round(worth * 5 * (1 + 0.01 * bell(luck, 5))) - before.loans + earned.provision;
    const securitiesUp = round(worth * 2 * (1 + 0.02 * bell(luck, 6))) - before.securities;
    const investingCash = -loansUp - securitiesUp - depreciation;
    const dividends = round(season.dividends);
    const buybacks = Math.max(0, round((earned.netIncome - dividends) * 0.7));
    const depositsUp = round(worth * 6 * (1 + 0.01 * bell(luck, 7))) - before.deposits;
    const cash = round(worth * 0.5 * (1 + 0.1 * bell(luck, 8)));
    const cashUp = cash - before.cash;
    const financingCash = cashUp - operatingCash - investingCash;
    const borrowingsUp = financingCash - depositsUp + dividends + buybacks;
    const balance = bankHeld({
      cash,
      securities: before.securities + securitiesUp,
      loans: before.loans + loansUp - earned.provision,
      otherAssets,
      deposits: before.deposits + depositsUp,
      borrowings: before.borrowings + borrowingsUp,
      otherLiabilities: before.otherLiabilities,
      paidIn: before.paidIn,
    });
    const flows = {
      ...earned,
      depreciation,
      otherAssetsUp,
      operatingCash,
      loansUp,
      securitiesUp,
      capex: depreciation,
      investingCash,
      depositsUp,
      borrowingsUp,
      dividends,
      buybacks,
      financingCash,
      cashUp,
    };
    return { flows, balance };
  },
};

type InsurerHeld = ReturnType<typeof insurerHeld>;

function insurerHeld(own: {
  cash: number;
  investments: number;
  premiumsReceivable: number;
  acquisitionCosts: number;
  otherAssets: number;
  claimsReserve: number;
  unearnedPremiums: number;
  debt: number;
  otherLiabilities: number;
  paidIn: number;
}) {
  const assets = own.cash + own.investments + own.premiumsReceivable + own.acquisitionCosts + own.otherAssets;
  const liabilities = own.claimsReserve + own.unearnedPremiums + own.debt + own.otherLiabilities;
  const equity = assets - liabilities;
  return {
    ...own,
    assets,
    liabilities,
    retained: equity - own.paidIn,
    equity,
    liabilitiesAndEquity: assets,
  };
}

function insurerIncome(before: InsurerHeld, { luck, length, worth, round }: Season) {
  const premiums = round(((worth * 0.5) / 4) * length * (1 + 0.02 * bell(luck, 0)));
  const investmentIncome = round(before.investments * 0.009 * length);
  const investmentGains = round(before.investments * 0.002 * bell(luck, 1));
  const revenue = premiums + investmentIncome + investmentGains;
  const claims = round(premiums * (0.66 + 0.05 * bell(luck, 2)));
  const underwritingExpense = round(premiums * 0.25);
  const interestExpense = round(before.debt * 0.01);
  const expenses = claims + underwritingExpense + interestExpense;
  const pretax = revenue - expenses;
  const tax = pretax > 0 ? round(pretax * 0.2) : 0;
  return {
    premiums,
    investmentIncome,
    investmentGains,
    revenue,
    claims,
    underwritingExpense,
    interestExpense,
    expenses,
    pretax,
    tax,
    netIncome: pretax - tax,
  };
}

/** The positions that move with the premiums. */
const reserves = (worth: number, round: Season["round"], luck: number) => ({
  premiumsReceivable: round(worth * 0.12 * (1 + 0.02 * bell(luck, 3))),
  acquisitionCosts: round(worth * 0.04),
  claimsReserve: round(worth * 0.9 * (1 + 0.01 * bell(luck, 4))),
  unearnedPremiums: round(worth * 0.25 * (1 + 0.01 * bell(luck, 5))),
});

/** Insurers. */
export const insurerAccounts: Accounts<InsurerHeld> = {
  open: ({ worth, round, luck }) =>
    insurerHeld({
      ...reserves(worth, round, luck),
      cash: round(worth * 0.03),
      investments: round(worth * 1.7),
      otherAssets: round(worth * 0.05),
      debt: round(worth * 0.15),
      otherLiabilities: round(worth * 0.08),
      paidIn: round(worth * 0.1),
    }),
  close(before, season) {
    const { luck, worth, round } = season;
    const earned = insurerIncome(before, season);
    const now = reserves(worth, round, luck);
    const up = (line: keyof typeof now) => now[line] - before[line];
    const operatingCash =
      earned.netIncome -
      earned.investmentGains -
      up("premiumsReceivable") -
      up("acquisitionCosts") +
      up("claimsReserve") +
      up("unearnedPremiums");
    const dividends = round(season.dividends);
    const buybacks = Math.max(0, round((earned.netIncome - dividends) * 0.5));
    const financingCash = -dividends - buybacks;
    const wanted = round(worth * 0.03 * (1 + 0.1 * uniform(luck, 6)));
    const spare = before.cash + operatingCash + financingCash - wanted;
    const turned = round(worth * 0.1);
    const investmentsBought = turned + Math.max(0, spare);
    const investmentsSold = turned + Math.max(0, -spare);
    const investingCash = investmentsSold - investmentsBought;
    const balance = insurerHeld({
      ...now,
      cash: wanted,
      investments: before.investments + investmentsBought - investmentsSold + earned.investmentGains,
      otherAssets: before.otherAssets,
      debt: before.debt,
      otherLiabilities: before.otherLiabilities,
      paidIn: before.paidIn,
    });
    const flows = {
      ...earned,
      premiumsReceivableUp: up("premiumsReceivable"),
      acquisitionCostsUp: up("acquisitionCosts"),
      claimsReserveUp: up("claimsReserve"),
      unearnedPremiumsUp: up("unearnedPremiums"),
      operatingCash,
      investmentsBought,
      investmentsSold,
      investingCash,
      dividends,
      buybacks,
      financingCash,
      cashUp: operatingCash + investingCash + financingCash,
    };
    return { flows, balance };
  },
};
