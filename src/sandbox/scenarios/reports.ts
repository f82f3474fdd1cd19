import { ASSETS, type AssetSymbol, splitAddress } from '../../contract/assets.ts';
import { type NOT_PROVOKED, REPORT_VERDICTS, type ReportVerdict } from '../../contract/plan-list.ts';
import type { RobotUser } from '../../robot/control.ts';
import {
  advance,
  FOREIGN,
  idle,
  paid,
  post,
  readVerification,
  report,
  type Step,
  type Subject,
  verifiedFor,
} from './provocations.ts';
import { scenarioId } from './schema.ts';

/** D-24: the calls that provoke each verdict. */

const AMOUNT = '25';
const OTHER_AMOUNT = '24.5';
/** Known to no node. */
const NOWHERE = { ETH: `0x${'5e'.repeat(32)}`, XRP: '5E'.repeat(32) };
/** No scenario pays this account, so it does not exist. */
const ABSENT = 'rBhvmNW2cZZPLpDedj6bcCv7hin6UKfTsj';
const STRANGER = { ETH: FOREIGN.ETH, XRP: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe' };
/** The account of the embedded ledger that owns every coin at first. Its key is public. */
const BANK = { Account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', secret: 'masterpassphrase' };
const ANOTHER_TAG = 4_000_000_000;
/** PUSH0, PUSH0, REVERT: the creation of this contract fails in a block. */
const REVERTING_CODE = '0x5f5ffd';

const verified = (subject: Subject): Step[] => verifiedFor(subject, AMOUNT);
const hold = (symbol: AssetSymbol, on: boolean): Step => post(`/sandbox/v1/chains/${symbol}/hold`, { on });

/** A transaction that fails in its block. */
const FAILING: Record<AssetSymbol, Step> = {
  ETH: rpc({ gas: '0x20000', data: REVERTING_CODE }),
  XRP: xrpPayment({ Destination: ABSENT, Amount: '1' }),
};
const closeLedger = [post('/sandbox/v1/chains/XRP/close', {}), advance('5s')];
/** A payment that does not wait for its block. */
const SUBMITTED: Record<AssetSymbol, (subject: Subject) => Step> = {
  ETH: ({ user }) => rpc({ to: user.accounts.ETH, value: `0x${(25n * 10n ** 18n).toString(16)}` }),
  XRP({ user }) {
    const [account, tag] = splitAddress(user.accounts.XRP);
    return xrpPayment({ Destination: account, DestinationTag: Number(tag), Amount: '25000000' });
  },
};
const HASH = { ETH: '{result}', XRP: '{hash}' };

function rpc(transaction: object): Step {
  return post('/devnet/ethereum', { jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [transaction] });
}
function xrpPayment(payment: object): Step {
  const { Account, secret } = BANK;
  const tx_json = { TransactionType: 'Payment', Account, Fee: '10', ...payment };
  return post('/devnet/xrpl', { method: 'submit', params: [{ secret, tx_json }] });
}

interface Recipe {
  how: string;
  steps(subject: Subject): Step[];
  /** Undoes what the steps leave behind. */
  afterwards?(subject: Subject): Step[];
  only?: AssetSymbol;
}

const toUser = ({ symbol, user }: Subject) => paid(symbol, user.accounts[symbol], AMOUNT);

type Provoked = Exclude<ReportVerdict, (typeof NOT_PROVOKED)[number]>;

/** A verdict without a recipe does not compile. */
const RECIPES: Record<Provoked, Recipe> = {
  AWAITED: {
    how: 'report a hash that no node knows',
    steps: subject => [...verified(subject), ...report(NOWHERE[subject.symbol])],
  },
  'NOT-FOUND': {
    how: 'report a hash that no node knows, and wait ten minutes',
    steps: subject => [...verified(subject), ...report(NOWHERE[subject.symbol]), advance('10m')],
  },
  'NOT-FINAL': {
    how: 'pay while the chain is held, and report',
    steps: subject => [
      ...verified(subject),
      hold(subject.symbol, true),
      SUBMITTED[subject.symbol](subject),
      ...report(HASH[subject.symbol]),
    ],
    afterwards: ({ symbol }) => [hold(symbol, false)],
  },
  REPLACED: {
    how: 'report a transaction that waits, and send another one with its nonce',
    only: 'ETH',
    steps: subject => [
      ...verified(subject),
      hold('ETH', true),
      SUBMITTED.ETH(subject),
      ...report(HASH.ETH),
      post('/sandbox/v1/chains/ETH/drop', { txHash: HASH.ETH }),
      rpc({ to: STRANGER.ETH, value: '0x1' }),
      hold('ETH', false),
      idle,
    ],
  },
  REVERTED: {
    how: 'report a transaction that failed in its block',
    steps: subject => [
      ...verified(subject),
      FAILING[subject.symbol],
      ...report(HASH[subject.symbol]),
      ...(subject.symbol === 'XRP' ? closeLedger : []),
    ],
  },
  'WRONG-RECIPIENT': {
    how: 'pay a stranger and report it',
    steps: subject => [
      ...verified(subject),
      paid(subject.symbol, STRANGER[subject.symbol], AMOUNT),
      ...report('{txHash}'),
    ],
  },
  'WRONG-TAG': {
    how: 'pay with the tag of nobody and report it',
    only: 'XRP',
    steps: subject => [
      ...verified(subject),
      paid('XRP', `${splitAddress(subject.user.accounts.XRP)[0]}:${ANOTHER_TAG}`, AMOUNT),
      ...report('{txHash}'),
    ],
  },
  'WRONG-AMOUNT': {
    how: 'pay another amount than verified and report it',
    steps: subject => [
      ...verified(subject),
      paid(subject.symbol, subject.user.accounts[subject.symbol], OTHER_AMOUNT),
      ...report('{txHash}'),
    ],
  },
  'WRONG-VOUT': {
    how: 'report a payment with a position that it does not have',
    steps: subject => [...verified(subject), toUser(subject), ...report('{txHash}', '7')],
  },
  'PAID-BEFORE-VERIFIED': {
    how: 'pay first, then verify, then report',
    steps: subject => [toUser(subject), ...verified(subject), ...report('{txHash}')],
  },
  'ALREADY-USED': {
    how: 'report one payment for two verifications',
    steps: subject => [
      ...verified(subject),
      toUser(subject),
      ...report('{txHash}'),
      ...verified(subject),
      ...report('{txHash}'),
    ],
  },
  CREDITED: {
    how: 'verify, pay, report',
    steps: subject => [...verified(subject), toUser(subject), ...report('{txHash}')],
  },
};

export const reportScenarios = (robotVaspId: string, user: RobotUser) =>
  (Object.keys(RECIPES) as Provoked[]).map(verdict => {
    const { how, steps, afterwards, only } = RECIPES[verdict];
    const symbols = only ? [only] : (Object.keys(ASSETS) as AssetSymbol[]);
    const bySymbol = (make: (subject: Subject) => Step[]) =>
      Object.fromEntries(symbols.map(symbol => [symbol, make({ robotVaspId, user, symbol })]));
    return {
      id: scenarioId('report', verdict),
      operation: 'report-transaction',
      user: user.id,
      how: `${how}: ${REPORT_VERDICTS[verdict].meaning}`,
      clause: 'D-24',
      path: '/v1/verifications/tx',
      steps: bySymbol(subject => [...steps(subject), readVerification]),
      ...(afterwards ? { afterwards: bySymbol(afterwards) } : {}),
      expect: { report: { verdict } },
    };
  });
