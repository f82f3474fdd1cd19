import { sign } from 'ripple-keypairs';
import { Client, ECDSA, encode, encodeForSigning, type LedgerEntry, Wallet } from 'xrpl';
import { isForeign, openServer, type Server } from './server.ts';

export type Json = Record<string, unknown>;
type AccountRoot = LedgerEntry.AccountRoot & { index: string };

/** The facts that the server states about itself. The suite uses them, and never the kind of server. */
export interface Facts {
  readonly networkId: number;
  readonly baseFee: bigint;
  readonly reserveBase: bigint;
  readonly reserveIncrement: bigint;
  /** It takes `ledger_accept` from us: it stands alone, and we are its admin. */
  readonly closesOnDemand: boolean;
  /** The whole state of a ledger may be read. */
  readonly showsState: boolean;
  /** The genesis account is rich and open to everybody, as on a fresh standalone server. */
  readonly hasGenesis: boolean;
  /** A ledger of payments, settings, keys and tickets alone, as ours is: a full server knows more. */
  readonly isPaymentsOnly: boolean;
}

/** A server, as an unmodified client sees it. */
export class Network {
  readonly server: Server;
  readonly client: Client;
  readonly facts: Facts;

  constructor(server: Server, client: Client, facts: Facts) {
    this.server = server;
    this.client = client;
    this.facts = facts;
  }

  /** The result of a command in API version 2, or in that of `params`. Rejects with the client's `RippledError`. */
  async ask(command: string, params: Json = {}): Promise<Json> {
    const answer = await this.client.request({ command, ...params } as unknown as { command: 'ping' });
    return answer.result as Json;
  }

  /** The error of a command that must fail: the response as it came. */
  async refusal(command: string, params: Json = {}): Promise<Json> {
    const refused = await this.ask(command, params).catch(error => error as { data?: Json });
    if (!refused.data) throw new Error(`${command} did not fail: ${JSON.stringify(refused).slice(0, 500)}`);
    return refused.data as Json;
  }

  async validatedIndex(): Promise<number> {
    return this.client.getLedgerIndex();
  }

  /** A ledger is closed that began before now; answers the index of the newest validated one. */
  async close(): Promise<number> {
    const { ledger_current_index: open } = await this.ask('ledger_current');
    if (!this.facts.closesOnDemand) return this.reach(Number(open) + NETWORK_MARGIN);
    await this.ask('ledger_accept');
    return this.reach(Number(open));
  }

  /** Resolves when this ledger is validated, at once where it is. */
  async reach(index: number): Promise<number> {
    for (;;) {
      const validated = await this.validatedIndex();
      if (validated >= index) return validated;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }

  /** The account's entry with its key; undefined where there is no such account. */
  async account(address: string, ledger_index: string | number = 'validated'): Promise<AccountRoot | undefined> {
    try {
      const { account_data } = await this.ask('account_info', { account: address, ledger_index });
      return account_data as AccountRoot;
    } catch (error) {
      if ((error as { data?: Json }).data?.error === 'actNotFound') return undefined;
      throw error;
    }
  }

  async balance(address: string, ledger_index: string | number = 'validated'): Promise<bigint> {
    return BigInt((await this.account(address, ledger_index))?.Balance ?? 0);
  }

  /** Fills in what is missing of Sequence (of the open ledger), Fee, Flags and NetworkID. */
  async filled(json: Json): Promise<Json> {
    const Sequence = json.Sequence ?? (await this.account(String(json.Account), 'current'))?.Sequence ?? 1;
    const { networkId, baseFee } = this.facts;
    const named = networkId > 1024 ? { NetworkID: networkId } : {};
    return { Flags: 0, Fee: String(baseFee), ...named, ...json, Sequence };
  }

  async signed(json: Json, signer: Wallet): Promise<string> {
    return signBlob(await this.filled(json), signer);
  }

  async submit(json: Json, signer: Wallet, params: Json = {}): Promise<Json> {
    return this.ask('submit', { tx_blob: await this.signed(json, signer), ...params });
  }

  /** Must succeed, provisionally. */
  async apply(json: Json, signer: Wallet): Promise<string> {
    const answer = await this.submit(json, signer);
    if (answer.engine_result !== 'tesSUCCESS') throw new Error(`${json.TransactionType}: ${answer.engine_result}`);
    return String((answer.tx_json as Json).hash);
  }

  /** The transaction in a validated ledger; undefined: it is in none by now. */
  async found(hash: string): Promise<Json | undefined> {
    try {
      const result = await this.ask('tx', { transaction: hash });
      return result.validated === true ? result : undefined;
    } catch (error) {
      if ((error as { data?: Json }).data?.error === 'txnNotFound') return undefined;
      throw error;
    }
  }

  /** New accounts with so many XRP each, validated. */
  async fund(...xrp: number[]): Promise<Wallet[]> {
    const wallets = xrp.map((_, n) => newWallet(n));
    for (const [n, wallet] of wallets.entries()) await this.#pay(wallet, xrp[n]!);
    if (this.facts.hasGenesis) await this.close();
    for (const [n, wallet] of wallets.entries()) {
      const held = await this.balance(wallet.classicAddress);
      if (held < BigInt(xrp[n]!) * XRP) throw new Error(`${held} drops instead of ${xrp[n]} XRP: give a richer faucet`);
    }
    return wallets;
  }

  async #pay(wallet: Wallet, xrp: number): Promise<void> {
    if (this.facts.hasGenesis)
      return void (await this.apply(payment(genesis, wallet.classicAddress, BigInt(xrp) * XRP), genesis));
    await this.client.fundWallet(wallet, { amount: String(xrp), ...faucetOptions(this.server.faucet) });
  }

  async disconnect(): Promise<void> {
    await this.client.disconnect();
    await this.server.close();
  }
}

/** `host:port/path` -> what `fundWallet` takes. A faucet that is given is reached without TLS only on this machine. */
export function faucetOptions(faucet: string | undefined) {
  if (faucet === undefined) return {};
  const [faucetHost = '', ...path] = faucet.split('/');
  const local = /^(localhost|127\.|\[::1\])/.test(faucetHost);
  return { faucetHost, faucetPath: `/${path.join('/')}`, faucetProtocol: local ? 'http' : 'https' } as const;
}

export async function connect(...options: string[]): Promise<Network> {
  const server = await openServer(...options);
  return connectTo(server);
}

export async function connectTo(server: Server): Promise<Network> {
  const client = new Client(server.url);
  await client.connect();
  const ask = async (command: string, params: Json = {}): Promise<Json> =>
    (await client.request({ command, ...params } as unknown as { command: 'ping' })).result as Json;
  const can = (command: string, params?: Json) =>
    ask(command, params).then(
      () => true,
      () => false,
    );
  const info = (await ask('server_info')).info as Json;
  const state = (await ask('server_state')).state as { validated_ledger: Record<string, number> };
  const { base_fee, reserve_base, reserve_inc } = state.validated_ledger;
  const facts = {
    networkId: Number(info.network_id ?? 0),
    baseFee: BigInt(base_fee!),
    reserveBase: BigInt(reserve_base!),
    reserveIncrement: BigInt(reserve_inc!),
    closesOnDemand: await can('ledger_accept'),
    showsState: await can('ledger', { ledger_index: 'validated', accounts: true }),
    hasGenesis: await isRichAndOpen(ask),
    isPaymentsOnly: info.hostid === 'robot-vasp',
  };
  return new Network(server, client, facts);
}

async function isRichAndOpen(ask: Network['ask']): Promise<boolean> {
  const answer = await ask('account_info', { account: genesis.classicAddress }).catch(() => undefined);
  const { account_data, account_flags } = (answer ?? {}) as Record<string, Json | undefined>;
  return account_flags?.disableMasterKey === false && BigInt(String(account_data?.Balance)) > RICH;
}

/** A network may take what was submitted only into the ledger after the next. */
const NETWORK_MARGIN = 2;
export const XRP = 1_000_000n;
const RICH = 1_000_000_000n * XRP;
const genesis = Wallet.fromSeed('snoPBrXtMeMyMHUVTgbuqAfg1SUTb', { algorithm: ECDSA.secp256k1 });

/** Of both kinds of keys in turn. */
export const newWallet = (n = 0): Wallet => Wallet.generate(n % 2 === 0 ? ECDSA.ed25519 : ECDSA.secp256k1);

export const payment = (from: Wallet, to: string, drops: bigint, more: Json = {}): Json => ({
  TransactionType: 'Payment',
  Account: from.classicAddress,
  Destination: to,
  Amount: String(drops),
  ...more,
});

/** Without the client's own checks: what is wrong must reach the server. */
export function signBlob(json: Json, signer: Wallet): string {
  const unsigned = { ...json, SigningPubKey: signer.publicKey };
  const TxnSignature = sign(encodeForSigning(unsigned as never), signer.privateKey);
  return encode({ ...unsigned, TxnSignature } as never);
}

/** Says what cannot be tried on this server. Ours can do everything. */
export function leaveOut(test: { skip(note: string): void; task: { name: string } }, why: string): void {
  if (!isForeign) throw new Error(`left out on our own ledger: ${why}`);
  process.stderr.write(`LEFT OUT: ${test.task.name}: ${why}\n`);
  test.skip(why);
}
