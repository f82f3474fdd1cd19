import { ASSETS, type AssetSymbol } from '../../../src/contract/assets.ts';
import { toUnits } from '../../../src/kernel/decimal.ts';
import { devnetAt, openWallet, type Wallet } from '../chains/wallets.ts';
import type { ExternalChains } from './external-chains.ts';
import type { World } from './world.ts';

type Given = Pick<World, 'url' | 'api' | 'vasp'>;
type Asking = Given & Pick<World, 'info' | 'vaspId' | 'robotVaspId' | 'user' | 'amount' | 'idle' | 'wallet'>;

/** What a test asks of a program. A ledger that ends leaves no wallet open: `closeWallets` comes first. */
export async function askingMembers(
  { url, api, vasp }: Given,
  chains?: ExternalChains,
  coins = '1000',
): Promise<{ members: Asking; closeWallets(): Promise<void> }> {
  const info = await api.info();
  const wallets = new Map<AssetSymbol, Promise<Wallet>>();
  let amounts = 0;
  const fundedWallet = async (symbol: AssetSymbol): Promise<Wallet> => {
    const wallet = await openWallet(symbol, chains?.[symbol].url ?? devnetAt(symbol, url));
    if (chains) await chains[symbol].fund(wallet.address, toUnits(coins, ASSETS[symbol].decimals));
    else await api.faucet(symbol, wallet.address, coins);
    return wallet;
  };
  const members: Asking = {
    url,
    api,
    vasp,
    info,
    vaspId: info.vasp.vaspId,
    robotVaspId: info.robot.vaspId,
    user: id => info.users.find(user => user.id === id)!,
    amount: () => `1.${String(++amounts * 10 + 1).padStart(6, '0')}`,
    idle: () => api.advance('0s'),
    wallet(symbol) {
      const known = wallets.get(symbol) ?? fundedWallet(symbol);
      wallets.set(symbol, known);
      return known;
    },
  };
  return {
    members,
    async closeWallets() {
      for (const wallet of wallets.values()) await (await wallet).close();
      wallets.clear();
    },
  };
}
