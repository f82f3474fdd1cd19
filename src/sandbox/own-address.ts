import { type AssetSymbol, addressText } from '../contract/assets.ts';
import type { SandboxDeps } from './deps.ts';

type OwnAddress = (symbol: AssetSymbol, account: string, tag: number | null) => string;

/** Addresses of the robot as people copy them: with the checksum of EIP-55 on Ethereum. */
export async function ownAddresses({ networks }: SandboxDeps): Promise<OwnAddress> {
  const unavailable = () => undefined;
  const [ETH, XRP] = await Promise.all([
    networks.ETH.chain().catch(unavailable),
    networks.XRP.chain().catch(unavailable),
  ]);
  const chains = { ETH, XRP };
  return (symbol, account, tag) => addressText(chains[symbol]?.shownAccount(account) ?? account, tag);
}
