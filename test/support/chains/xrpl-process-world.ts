import { Client } from 'xrpl';
import type { XrplConfig } from '../../../src/chains/xrpl.ts';
import { XRPL_DEFAULTS } from '../../../src/devnet/xrpl/ledger.ts';
import { startLedger } from '../xrpl-network/server.ts';
import { type ChainWorld, xrplWorldAt } from './chain-world.ts';

/** The ledger as a process of its own, which knows nothing of us: closed by `ledger_accept`, money from its faucet. */
export async function xrplProcessWorld(changes: Partial<XrplConfig> = {}): Promise<Omit<ChainWorld, 'node'>> {
  const networkId = String(changes.networkId ?? XRPL_DEFAULTS.networkId);
  const ledger = await startLedger('--close-interval', '0', '--network-id', networkId);
  const admin = new Client(ledger.url);
  await admin.connect();
  const server = {
    url: ledger.url,
    closeLedger: () => admin.request({ command: 'ledger_accept' } as never),
    async fund(destination: string, drops: bigint) {
      const body = JSON.stringify({ destination, xrpAmount: String(drops / 1_000_000n) });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`http://${ledger.faucet}`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`the faucet answered ${answer.status}: ${await answer.text()}`);
    },
    async close() {
      await admin.disconnect();
      await ledger.close();
    },
  };
  return xrplWorldAt(server, changes);
}
