import { ASSETS, type AssetSymbol } from '../../../src/contract/assets.ts';
import { formatUnits, toUnits } from '../../../src/kernel/decimal.ts';
import { type Ledger, ledgerAt } from '../chains/on-chain.ts';
import { startRpcProxy } from '../chains/rpc-proxy.ts';
import { startXrplProxy } from '../chains/xrpl-proxy.ts';
import type { RobotVerification } from '../requests/from-robot.ts';
import { withResolvers } from '../with-resolvers.ts';
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
  /** Each trap holds its call until all do; then the program is killed. Resolves when it is gone. */
  killedAt(traps: Partial<Record<AssetSymbol, Trap>>): Promise<void>;
  ledger(symbol: AssetSymbol): Ledger;
  /** A payment in base units by nobody, final when it resolves. */
  fund(symbol: AssetSymbol, account: string, units: bigint): Promise<unknown>;
  /** True: no call reaches the chains, and no answer comes back. */
  cutChains(isCut: boolean): void;
  /** SIGKILL to both chains. Resolves when both are back with their state. */
  killChains(): Promise<void>;
}

/** The parts that kills at random moments need. */
export type KilledWorld = Omit<CrashWorld, 'killedAt' | 'fund'>;

export async function createCrashWorld(
  env: Record<string, string> = {},
  options: { poor?: boolean } = {},
): Promise<CrashWorld> {
  const chains = await startChainProcesses(options);
  const ethereum = await startRpcProxy(chains.ETH.url);
  const xrpl = await startXrplProxy(chains.XRP.url);
  const behind = { ...chains.env, ...externalChainsEnv(ethereum.url, xrpl.url), ...env };
  const world = await createProgramWorld(behind, chains, '20000');
  const disarm = () => {
    ethereum.rule(undefined);
    xrpl.rule(undefined);
    xrpl.lose(undefined);
  };
  /** `held`: resolves when every trap holds its call. */
  type SetTrap = (trap: Trap, held: () => Promise<void>, kill: () => Promise<void>) => void;
  const setTrap: Record<AssetSymbol, SetTrap> = {
    ETH: ({ method, when, only }, held, kill) =>
      ethereum.rule(async (call, answered) => {
        if (call.method !== method || !(only?.(call.params) ?? true)) return undefined;
        const answer = when === 'before' ? { status: 503, text: '' } : { body: await answered() };
        await held();
        if (when === 'answered') setImmediate(() => void kill());
        else await kill();
        return answer;
      }),
    XRP: ({ method, when, only }, held, kill) => {
      const isMeant = (command: string, request: unknown) => command === method && (only?.(request) ?? true);
      const killWhenHeld = () => void held().then(kill);
      if (when === 'before')
        return xrpl.lose((command, request) => {
          const isHeld = isMeant(command, request);
          if (isHeld) killWhenHeld();
          return isHeld;
        });
      xrpl.rule((command, answer, request) => {
        if (!isMeant(command, request)) return answer;
        if (when === 'answered')
          return held().then(() => {
            setImmediate(() => void kill());
            return answer;
          });
        killWhenHeld();
        return null;
      });
    },
  };
  return {
    ...world,
    killedAt: traps =>
      new Promise(resolve => {
        const armed = Object.entries(traps) as [AssetSymbol, Trap][];
        const free = new Set(armed.map(([symbol]) => symbol));
        const { promise: allHeld, resolve: release } = withResolvers<void>();
        let killed: Promise<void> | undefined;
        const kill = () => {
          killed ??= world.kill().then(resolve);
          return killed;
        };
        for (const [symbol, trap] of armed)
          setTrap[symbol](
            trap,
            () => {
              free.delete(symbol);
              if (free.size === 0) {
                disarm();
                release();
              }
              return allHeld;
            },
            kill,
          );
      }),
    fund: (symbol, account, units) => chains[symbol].fund(account, units),
    cutChains(isCut) {
      ethereum.rule(isCut ? () => ({ status: 503, text: '' }) : undefined);
      xrpl.lose(isCut ? () => true : undefined);
    },
    killChains: () => chains.killBoth(),
    ledger: symbol => ledgerAt(symbol, chains[symbol].url.replace(/^ws/, 'http')),
    async close() {
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
  world: Pick<CrashWorld, 'api' | 'ledger' | 'vaspId'>,
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
