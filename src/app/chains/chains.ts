import type { Chain } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Log } from '../../kernel/log.ts';
import type { Config } from '../config/config.ts';
import { ethereumLedger } from './ethereum.ts';
import { xrplLedger } from './xrpl.ts';

export type AppChains = ReturnType<typeof createChains>;

export function createChains(config: Config, log: Log) {
  const [ETH, XRP] = [ethereumLedger(config, log), xrplLedger(config, log)];
  return { ETH, XRP, stop: () => Promise.all([ETH.stop(), XRP.stop()]) };
}

/** The users' addresses come from the adapters, which are loaded when somebody asks for the first of them. */
export async function loadedChains(chains: AppChains): Promise<Record<AssetSymbol, Chain>> {
  const [ETH, XRP] = await Promise.all([chains.ETH.chain(), chains.XRP.chain()]);
  return { ETH, XRP };
}
