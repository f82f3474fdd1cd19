import { encode, encodeForMultisigning, encodeForSigning } from 'ripple-binary-codec';
import { deriveAddress, deriveKeypair, generateSeed, sign } from 'ripple-keypairs';
import { decodeAccountID } from 'xrpl';
import {
  startXrplLedger,
  XRPL_DEFAULTS,
  type XrplLedger,
  type XrplLedgerOptions,
} from '../../../src/devnet/xrpl/ledger.ts';
import type { Clock } from '../../../src/kernel/clock.ts';
import { silentLog } from '../../../src/kernel/log.ts';

export type Json = Record<string, unknown>;

export interface Account {
  readonly address: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The account of a seed made of `name`: the same in every run. */
export function accountOf(name: string, algorithm: 'ed25519' | 'ecdsa-secp256k1' = 'ed25519'): Account {
  const entropy = new Uint8Array(16);
  Buffer.from(name).copy(entropy);
  return keyed(generateSeed({ entropy, algorithm }));
}

function keyed(seed: string): Account {
  const pair = deriveKeypair(seed);
  return { ...pair, address: deriveAddress(pair.publicKey) };
}

export const genesis = keyed('snoPBrXtMeMyMHUVTgbuqAfg1SUTb');

/** A signed blob. Nothing is filled in but the key; `signer` may be another one than the account's. */
export function signed(json: Json, signer: Account): string {
  const unsigned = { Flags: 0, ...json, SigningPubKey: signer.publicKey };
  return encode({ ...unsigned, TxnSignature: sign(encodeForSigning(unsigned), signer.privateKey) });
}

/** A multi-signed blob: every signer signs for the account of its own name, or for the one that stands with it. */
export function multiSigned(json: Json, signers: readonly (Account | { for: string; key: Account })[]): string {
  const unsigned = { Flags: 0, ...json, SigningPubKey: '' };
  const Signers = signers
    .map(signer => ('key' in signer ? signer : { for: signer.address, key: signer }))
    .map(({ for: Account, key }) => ({
      Signer: {
        Account,
        SigningPubKey: key.publicKey,
        TxnSignature: sign(encodeForMultisigning(unsigned, Account), key.privateKey),
      },
    }))
    .toSorted((a, b) => Buffer.compare(idOf(a.Signer.Account), idOf(b.Signer.Account)));
  return encode({ ...unsigned, Signers });
}

const idOf = (address: string): Buffer => Buffer.from(decodeAccountID(address));

/** A clock that stands still until it is set. */
export class TestClock implements Clock {
  time = Date.UTC(2026, 6, 1);
  now(): number {
    return this.time;
  }
}

export const NETWORK_ID = 21_117;

export interface TestLedger extends XrplLedger {
  readonly clock: TestClock;
  /** A command over JSON-RPC from this machine; the result, error or not. */
  rpc(command: string, params?: Json): Promise<Json>;
  /** Fills in Sequence (from the open ledger), Fee and NetworkID, signs, submits; the result of `submit`. */
  submit(json: Json, signer: Account, params?: Json): Promise<Json>;
  submitBlob(blob: string, params?: Json): Promise<Json>;
  /** The AccountRoot in the validated ledger; undefined where there is none. */
  account(address: string, ledgerIndex?: string | number): Promise<Json | undefined>;
  balance(address: string): Promise<bigint>;
}

/** A ledger that closes only when told to, unless `changes` say otherwise. */
export async function testLedger(changes: Partial<XrplLedgerOptions> = {}): Promise<TestLedger> {
  const clock = new TestClock();
  const ledger = await startXrplLedger({
    ...XRPL_DEFAULTS,
    databasePath: ':memory:',
    closeIntervalMs: 0,
    clock,
    log: silentLog,
    ...changes,
  });
  const { networkId = NETWORK_ID } = changes;
  const rpc = async (command: string, params: Json = {}): Promise<Json> => {
    const body = JSON.stringify({ method: command, params: [{ api_version: 2, ...params }] });
    const request = new Request('http://ledger/', { method: 'POST', body });
    const response = await ledger.handleRequest(request, { remoteAddress: '127.0.0.1' });
    return ((await response.json()) as { result: Json }).result;
  };
  const account = async (address: string, ledgerIndex: string | number = 'validated') =>
    (await rpc('account_info', { account: address, ledger_index: ledgerIndex })).account_data as Json | undefined;
  const submitBlob = (blob: string, params: Json = {}) => rpc('submit', { tx_blob: blob, ...params });
  return {
    ...ledger,
    clock,
    rpc,
    account,
    submitBlob,
    balance: async address => BigInt(((await account(address)) as { Balance?: string } | undefined)?.Balance ?? 0),
    async submit(json, signer, params) {
      const Sequence = json.Sequence ?? (await account(String(json.Account), 'current'))?.Sequence ?? 1;
      const network = networkId > 1024 ? { NetworkID: networkId } : {};
      return submitBlob(signed({ Fee: '10', ...network, ...json, Sequence }, signer), params);
    },
  };
}

export const payment = (
  from: Account | string,
  to: Account | string,
  drops: bigint | number,
  more: Json = {},
): Json => ({
  TransactionType: 'Payment',
  Account: typeof from === 'string' ? from : from.address,
  Destination: typeof to === 'string' ? to : to.address,
  Amount: String(drops),
  ...more,
});

export const XRP = 1_000_000n;

/** A ledger on which each of the accounts has 100 XRP. */
export async function fundedLedger(...accounts: Account[]): Promise<TestLedger> {
  const ledger = await testLedger();
  for (const { address } of accounts) await ledger.fund(address, 100n * XRP);
  return ledger;
}
