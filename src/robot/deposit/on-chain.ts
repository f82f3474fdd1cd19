import { addressText } from '../../contract/assets.ts';
import type { Deposit } from './store.ts';

/** Which transfer it is, for the history. */
export const onChain = ({ symbol, txHash, from, account, tag, amount, height, blockHash }: Deposit) => ({
  symbol,
  txHash,
  from,
  to: addressText(account, tag),
  amount,
  height,
  blockHash,
});
