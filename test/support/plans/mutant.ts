import type { Boundary } from '../../../src/reference-vasp/vasp.ts';
import { answers, asks, believes, hears } from './break-a-rule.ts';

/** A reference VASP that breaks one rule. */
export interface Mutant {
  /** The condition that fails, and no other. */
  readonly fails: string;
  /** Further conditions that the same mutant makes fail in their modules: same words, same code. */
  readonly alike?: RegExp;
  /** Conditions that cannot be told apart from it: they may fail with it. */
  readonly with?: readonly string[];
  readonly symbol?: 'ETH' | 'XRP';
  /** It registers this address for callbacks. */
  readonly callbackUrl?: string;
  /** A module that runs before it. */
  readonly before?: string;
  /** A module that runs afterwards: at its end whatever the mutant does later has been done. */
  readonly afterwards?: string;
  /** `sandbox`: its address. */
  readonly boundary: (sandbox: string) => Boundary;
}

export const ACCOUNT = '/v1/verifications/account';
export const USER = '/v1/verifications';
export const REPORT = '/v1/verifications/tx';
export const ERROR = '/v1/verifications/error';
export const INQUIRY = '/v1/verifications/tx/inquiry';
export const ZERO_HASH = `0x${'0'.repeat(64)}`;
export const isType = (type: string) => (body: Record<string, unknown>) => body.callbackType === type;
export const isOther = (body: Record<string, unknown>) => !/^(VERI|TX|ERROR|PROVIDER)/.test(String(body.callbackType));

// biome-ignore lint/suspicious/noExplicitAny: messages of any shape
type Any = any;
export const edit = (change: (body: Any) => void) => (body: object) => {
  change(body as Any);
  return body as Any;
};

/** As those without `Edited`: the change is made in the body itself. */
type Edited = (path: string, change: (body: Any) => void) => Boundary;
export const asksEdited: Edited = (path, change) => asks(path, edit(change));
export const answersEdited: Edited = (path, change) => answers(path, edit(change));
export const hearsEdited: Edited = (path, change) => hears(path, edit(change));
export const believesEdited: Edited = (path, change) => believes(path, edit(change));
