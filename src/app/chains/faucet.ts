import { ChainUnreachable } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import { FaucetRefusal } from '../../devnet/faucet-refusal.ts';
import type { XrplLedger } from '../../devnet/xrpl/ledger.ts';
import type { Funded, Network } from '../../sandbox/deps.ts';
import { pause } from '../../timers/loop.ts';
import { type AppChains, ROBOT_XRP_DROPS } from './chains.ts';

const FUNDING_STEP_MS = 10;

/** The faucet of an embedded chain. `sync` reads the chain up to the payment. */
export const chainFaucet =
  (chains: AppChains, symbol: AssetSymbol, sync: () => Promise<void>): NonNullable<Network['fund']> =>
  async (account, tag, units, options = {}) => {
    const funded = await pay(chains, symbol, { account, tag, units, ...options }).then(
      ({ hash }): Funded => ({ txHash: hash }),
      (error): Funded => {
        if (error instanceof FaucetRefusal || error instanceof ChainUnreachable)
          return { refused: error.message };
        throw error;
      },
    );
    await sync();
    return funded;
  };

interface Payment {
  account: string;
  tag: number | undefined;
  units: bigint;
  fails?: boolean;
  delivered?: bigint;
  token?: boolean;
}

async function pay(
  chains: AppChains,
  symbol: AssetSymbol,
  { account, tag, units, fails, delivered, token }: Payment,
): Promise<{ hash: string }> {
  if (symbol === 'ETH') {
    const node = await chains.ethereumNode()!;
    if (token) return node.payToken(account, units);
    return fails ? node.failToFund(account, units) : node.fund(account, units);
  }
  const ledger = (await chains.xrplLedger())!;
  ledger.requireClosing();
  if (fails) return ledger.failToFund(account, units, tag);
  if (delivered !== undefined) return ledger.payInPart(account, units, delivered, tag);
  return ledger.fund(account, units, tag);
}

/**
 * Creates the robot's account on a ledger that began with another seed. Closes ledgers itself meanwhile, so that
 * readiness does not wait for the close interval.
 */
export async function fundRobot(chains: AppChains, account: string): Promise<void> {
  const ledger = await chains.xrplLedger();
  if (!ledger || (await exists(ledger, account))) return;
  let isDone = false;
  const funded = ledger
    .fund(account, ROBOT_XRP_DROPS)
    .catch(error => {
      throw error.message === 'terNO_ACCOUNT' ? new Error(OF_ANOTHER_DATABASE) : error;
    })
    .finally(() => {
      isDone = true;
    });
  while (!isDone) {
    await Promise.race([funded, pause(FUNDING_STEP_MS)]);
    if (!isDone) ledger.knobs.close();
  }
}

const OF_ANOTHER_DATABASE =
  'the ledger beside the database belongs to another database, which had the keys of its coins. Restore that database, or make a new ledger: POST /sandbox/v1/chains/XRP/start-over';

async function exists(ledger: XrplLedger, account: string): Promise<boolean> {
  const call = { method: 'account_info', params: [{ account, ledger_index: 'validated' }] };
  const request = new Request('http://localhost/', { method: 'POST', body: JSON.stringify(call) });
  const answer = await ledger.handleRequest(request, { remoteAddress: undefined });
  return ((await answer.json()) as { result: { status: string } }).result.status === 'success';
}
