import { ASSETS, type AssetSymbol } from '../../../src/contract/assets.ts';
import { formatUnits, toUnits } from '../../../src/kernel/decimal.ts';
import { type Ledger, ledgerAt } from '../chains/on-chain.ts';
import { startRpcProxy } from '../chains/rpc-proxy.ts';
import { openWallet, type Wallet } from '../chains/wallets.ts';
import { startXrplProxy } from '../chains/xrpl-proxy.ts';
import type { RobotVerification } from '../requests/from-robot.ts';
import { externalChainsEnv, startChainProcesses } from './external-chains.ts';
import { createProgramWorld, type ProgramWorld } from './program-world.ts';

/** The call at which the program is killed: before the node gets it, after the node has answered, or just after the answer was passed on. */
export interface Trap {
  method: string;
  when: 'before' | 'after' | 'answered';
  /** The position among these calls; default: the first. */
  only?: (parameters: unknown) => boolean;
}

/** The built program on chains that outlive it, and a hand on the wire between them. */
export interface CrashWorld extends ProgramWorld {
  /** Resolves when the trap has sprung and the program is gone. */
  killedAt(symbol: AssetSymbol, trap: Trap): Promise<void>;
  ledger(symbol: AssetSymbol): Ledger;
  /** A payment in base units by nobody, final when it resolves. */
  fund(symbol: AssetSymbol, account: string, units: bigint): Promise<unknown>;
  /** True: no call reaches the chains, and no answer comes back. */
  cutChains(isCut: boolean): void;
  /** SIGKILL to both chains. Resolves when both are back with their state. */
  killChains(): Promise<void>;
}

export async function createCrashWorld(
  env: Record<string, string> = {},
  options: { poor?: boolean } = {},
): Promise<CrashWorld> {
  const chains = await startChainProcesses(options);
  const ethereum = await startRpcProxy(chains.ETH.url);
  const xrpl = await startXrplProxy(chains.XRP.url);
  const world = await createProgramWorld({
    ...chains.env,
    ...externalChainsEnv(ethereum.url, xrpl.url),
    ...env,
  });
  const wallets = new Map<AssetSymbol, Promise<Wallet>>();

  async function fundedWallet(symbol: AssetSymbol): Promise<Wallet> {
    const wallet = await openWallet(symbol, chains[symbol].url);
    await chains[symbol].fund(wallet.address, toUnits('20000', ASSETS[symbol].decimals));
    return wallet;
  }
  const disarm = () => {
    ethereum.rule(undefined);
    xrpl.rule(undefined);
    xrpl.lose(undefined);
  };
  const setTrap: Record<AssetSymbol, (trap: Trap, spring: () => Promise<void>) => void> = {
    ETH: ({ method, when, only }, spring) =>
      ethereum.rule(async (call, answered) => {
        if (call.method !== method || !(only?.(call.params) ?? true)) return undefined;
        if (when === 'before') {
          await spring();
          return { status: 503, text: '' };
        }
        const body = await answered();
        if (when === 'after') await spring();
        else setImmediate(() => void spring());
        return { body };
      }),
    XRP: ({ method, when, only }, spring) => {
      const isMeant = (command: string, request: unknown) => command === method && (only?.(request) ?? true);
      if (when === 'before')
        return xrpl.lose((command, request) => {
          const isSprung = isMeant(command, request);
          if (isSprung) void spring();
          return isSprung;
        });
      xrpl.rule((command, answer, request) => {
        if (!isMeant(command, request)) return answer;
        if (when === 'answered') setImmediate(() => void spring());
        else void spring();
        return when === 'answered' ? answer : null;
      });
    },
  };
  return {
    ...world,
    wallet(symbol) {
      const known = wallets.get(symbol) ?? fundedWallet(symbol);
      wallets.set(symbol, known);
      return known;
    },
    killedAt: (symbol, trap) =>
      new Promise(resolve => {
        let killed: Promise<void> | undefined;
        setTrap[symbol](trap, () => {
          disarm();
          killed ??= world.kill().then(resolve);
          return killed;
        });
      }),
    fund: (symbol, account, units) => chains[symbol].fund(account, units),
    cutChains(isCut) {
      ethereum.rule(isCut ? () => ({ status: 503, text: '' }) : undefined);
      xrpl.lose(isCut ? () => true : undefined);
    },
    killChains: () => chains.killBoth(),
    ledger: symbol => ledgerAt(symbol, chains[symbol].url.replace(/^ws/, 'http')),
    async close() {
      for (const wallet of wallets.values()) await (await wallet).close();
      await world.close();
      await ethereum.close();
      await xrpl.close();
      await chains.close();
    },
  };
}

export interface Books {
  received: string;
  paid: string;
  balance: string;
  /** The balances of the recipients on chain. */
  onChain: string;
}

/** The robot's book for one of its addresses, and the ledger's balances of the recipients. */
export async function booksOf(
  world: CrashWorld,
  transfers: readonly RobotVerification[],
  income: bigint,
): Promise<Books> {
  const [{ symbol, from }] = transfers as [RobotVerification];
  const { decimals } = ASSETS[symbol];
  const ledger = world.ledger(symbol);
  let [onChain, paid] = [0n, 0n];
  for (const { uuid, to, amount } of transfers) {
    onChain += toUnits(await ledger.balanceOf(to), decimals);
    const { transactionStatus } = await world.api.inquireTransaction(uuid);
    if (transactionStatus === 'CONFIRMED') paid += toUnits(amount, decimals);
  }
  const shown = (units: bigint) => formatUnits(units, decimals);
  const { value: balance } = await world.api.balance(world.vaspId, symbol, from);
  return { received: shown(income), paid: shown(paid), balance, onChain: shown(onChain) };
}
