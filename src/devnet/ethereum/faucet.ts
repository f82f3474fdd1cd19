import { setTimeout as delay } from 'node:timers/promises';
import { type JsonRpc, RpcRefusal } from '../../kernel/json-rpc.ts';
import { type BeforeSending, FaucetClosed, FaucetRefusal } from '../access.ts';
import { hex, mineUnsaved, REVERT, whileRefusing } from './chain-controls.ts';
import type { Numbered } from './gateway.ts';
import { sendingOf } from './limits.ts';

/** The node answers shortly before the block exists. */
const BLOCK_WITHIN_MS = 2_000;

type Paid = Promise<{ hash: string }>;
type Plain = { data?: string; before?: BeforeSending | undefined };
type Together = { isReverted?: boolean | undefined; before?: BeforeSending | undefined };

interface Mining {
  minesInstantly(): boolean;
  isHeld(): boolean;
}

interface Payment {
  account: string;
  amount: bigint;
}

/**
 * Pays from the node's own funds. Throws `FaucetRefusal` when the node refuses the payment. `before` is called with the
 * transaction before it is sent, and its error ends the payment.
 */
export function ethereumFaucet(rpc: JsonRpc, numbered: Numbered, { minesInstantly, isHeld }: Mining) {
  const faucet = async (): Promise<string> => (await rpc.call<string[]>('eth_accounts'))[0]!;

  async function send(transaction: object, before?: BeforeSending): Promise<string> {
    const raw = await rpc.call<string>('eth_signTransaction', transaction).catch(asFaucetRefusal);
    if (before) before(await sendingOf(raw));
    return rpc.call<string>('eth_sendRawTransaction', raw).catch(asFaucetRefusal);
  }

  /** Resolves when a block holds it. */
  async function sendAndMine(transaction: object, before?: BeforeSending): Paid {
    const hash = await send(transaction, before);
    await statusOf(rpc, hash);
    return { hash };
  }

  return {
    /** With `minesInstantly` it resolves when a block holds the payment. */
    fund: (to: string, wei: bigint, { data = '0x', before }: Plain = {}): Paid =>
      numbered(async () => {
        const payment = { from: await faucet(), to, value: hex(wei), data };
        const limited = { ...payment, gas: hex(FAUCET_GAS) };
        const estimate = await rpc.call<string>('eth_estimateGas', limited).catch(asFaucetRefusal);
        const hash = await send({ ...payment, gas: hex((BigInt(estimate) * 5n) / 4n) }, before);
        if (minesInstantly() && (await statusOf(rpc, hash)) === '0x0')
          throw new FaucetRefusal(`the payment ${hash} failed: the contract at ${to} did not take it`);
        return { hash };
      }),
    /** A payment that a block holds and that has failed: nothing arrives. */
    async failToFund(to: string, wei: bigint, before?: BeforeSending): Paid {
      if (isHeld()) throw new FaucetClosed('no payment fails while the ledger is held');
      return numbered(async () => {
        const payment = { from: await faucet(), to, value: hex(wei), gas: hex(GAS) };
        // Others pay the account, too: it refuses them for as short a time as possible, so the block comes at once.
        return whileRefusing(rpc, to, async () => {
          const hash = await send(payment, before);
          if (!minesInstantly()) await mineUnsaved(rpc);
          await statusOf(rpc, hash);
          return { hash };
        });
      });
    },
    /** A contract that only says, in the event of ERC-20, that it has paid `wei` of its token. No ETH moves. */
    payToken: (to: string, wei: bigint, before?: BeforeSending): Paid =>
      numbered(async () => {
        const from = await faucet();
        return sendAndMine({ from, data: transferEvent(from, to, wei), gas: hex(GAS) }, before);
      }),
    /**
     * One transaction: a contract gets the whole sum, and makes all these payments. `isReverted`: in a call that it
     * reverts, and then succeeds itself.
     */
    payTogether: (payments: readonly Payment[], { isReverted, before }: Together = {}): Paid =>
      numbered(async () => {
        const amount = payments.reduce((sum, each) => sum + each.amount, 0n);
        const passesOn = payments.map(passOn).join('');
        if (isReverted) await rpc.call('anvil_setCode', REVERTS, `0x${passesOn}${REVERT}`);
        const code = isReverted ? passOn({ account: REVERTS, amount }) : passesOn;
        await rpc.call('anvil_setCode', PAYOUTS, `0x${code}00`);
        const gas = hex(GAS * (payments.length + 2));
        return sendAndMine({ from: await faucet(), to: PAYOUTS, value: hex(amount), gas }, before);
      }),
  };
}

/** `Transfer(address,address,uint256)` */
const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const word = (digits: string): string => digits.replace(/^0x/, '').toLowerCase().padStart(64, '0');

/** `MSTORE(0, wei); LOG3(0, 32, TRANSFER, from, to)` */
const transferEvent = (from: string, to: string, wei: bigint): string =>
  `0x7f${word(wei.toString(16))}6000527f${word(to)}7f${word(from)}7f${TRANSFER}60206000a300`;

/** The contract that pays several at once. */
const PAYOUTS = '0x5061796f7574730000000000000000000000a11e';
/** The contract that pays several and takes all of it back. */
const REVERTS = '0x526576657274730000000000000000000000a11e';
/** `CALL(gas, account, amount, 0, 0, 0, 0); POP` */
const passOn = ({ account, amount }: Payment): string =>
  `60006000600060007f${word(amount.toString(16))}73${account.slice(2).toLowerCase()}5af150`;

const GAS = 100_000;
/** A recipient whose contract needs more is not paid. */
export const FAUCET_GAS = 1_000_000;

/** `0x1`, `0x0`; undefined: no block holds it in time. */
async function statusOf(rpc: JsonRpc, hash: string): Promise<string | undefined> {
  const end = performance.now() + BLOCK_WITHIN_MS;
  while (performance.now() < end) {
    const receipt = await rpc.call<{ status: string } | null>('eth_getTransactionReceipt', hash);
    if (receipt) return receipt.status;
    await delay(1);
  }
  return undefined;
}

function asFaucetRefusal(error: unknown): never {
  if (error instanceof RpcRefusal) throw new FaucetRefusal(error.message, { cause: error });
  throw error;
}
