import { Transaction } from 'ethers/transaction';
import { HDNodeWallet } from 'ethers/wallet';
import type { SignedTransfer, TransferOrder } from '../port.ts';
import { partsOf } from './fees.ts';

/** The robot's own accounts, m/44'/60'/0'/0/index of the mnemonic. */
export interface OwnAccounts {
  address(index: number): string;
  sign(order: TransferOrder): SignedTransfer;
}

/** Deriving is half of what a sandbox costs to start: what a process has derived serves all of its adapters. */
const walletsOf = new Map<string, (index: number) => HDNodeWallet>();

function derivedOnce(mnemonic: string): (index: number) => HDNodeWallet {
  const root = HDNodeWallet.fromPhrase(mnemonic, '', "m/44'/60'/0'/0");
  const derived = new Map<number, HDNodeWallet>();
  return index => {
    const wallet = derived.get(index) ?? root.deriveChild(index);
    derived.set(index, wallet);
    return wallet;
  };
}

export function ownAccounts(mnemonic: string, chainId: number): OwnAccounts {
  const at = walletsOf.get(mnemonic) ?? derivedOnce(mnemonic);
  walletsOf.set(mnemonic, at);
  return {
    address: index => at(index).address.toLowerCase(),
    sign({ from, to, amount, number, fee }) {
      const fields = { type: 2, chainId, nonce: number, to: to.account, value: amount, ...partsOf(fee) };
      const transaction = Transaction.from(fields);
      transaction.signature = at(from).signingKey.sign(transaction.unsignedHash);
      return { bytes: transaction.serialized, hash: transaction.hash ?? '' };
    },
  };
}
