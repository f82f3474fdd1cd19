import { ASSET_SYMBOLS, type AssetSymbol } from '../../contract/assets.ts';
import { userRequest } from '../../contract/sample-requests.ts';
import type { RobotUser } from '../../robot/control.ts';
import { FOREIGN } from './provocations.ts';

/** The calls of a scenario, one after another. `{name}` is a member of an earlier answer. */

export interface Step {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}
export interface Subject {
  robotVaspId: string;
  user: RobotUser;
  symbol: AssetSymbol;
}

export const post = (path: string, body: object): Step => ({ method: 'POST', path, body });
export const advance = (duration: string): Step => post('/sandbox/v1/clock/advance', { duration });
export const idle = advance('0s');
export const verifyUser = (subject: Subject, amount: string): Step =>
  post('/v1/verifications', userRequest({ ...subject, amount, from: FOREIGN[subject.symbol] }));
const waitForResult: Step = { method: 'GET', path: '/sandbox/v1/mailbox?wait=10s&verificationUuid={verificationUuid}' };
export const verifiedFor = (subject: Subject, amount: string): Step[] => [verifyUser(subject, amount), waitForResult];
export const report = (txHash: string, vout?: string): Step[] => [
  post('/v1/verifications/tx', {
    verificationUuid: '{verificationUuid}',
    txHash,
    ...(vout === undefined ? {} : { vout }),
  }),
  idle,
];
export const paid = (symbol: AssetSymbol, address: string, amount: string): Step =>
  post('/sandbox/v1/faucet', { symbol, address, amount });
export const readVerification: Step = { method: 'GET', path: '/sandbox/v1/verifications?search={verificationUuid}' };

export const perSymbol = <T>(make: (symbol: AssetSymbol) => T) =>
  Object.fromEntries(ASSET_SYMBOLS.map(symbol => [symbol, make(symbol)])) as Record<AssetSymbol, T>;
