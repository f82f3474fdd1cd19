import { keccak_256 } from '@noble/hashes/sha3';
import { remember } from '../../kernel/rate-limit.ts';
import type { SignedTransfer, TransferOrder } from '../port.ts';
import { isLegacy, partsOf } from './fees.ts';
import { HdNode } from './hd-node.ts';

export type EthereumWallet = ReturnType<typeof ethereumWallet>;
type Account = ReturnType<typeof accountOf>;

const MAX_MNEMONICS = 1_000;

/** Derived accounts by mnemonic, shared by all adapters of the process. */
const derivedFrom = remember(MAX_MNEMONICS, mnemonic => {
  let parent: HdNode | undefined;
  const derived = new Map<number, Account>();
  return (index: number): Account => {
    parent ??= HdNode.fromMnemonic(mnemonic).derive("44'/60'/0'/0");
    const account = derived.get(index) ?? accountOf(parent.derive(String(index)));
    derived.set(index, account);
    return account;
  };
});

const accountOf = ({ key, publicKey }: HdNode) => ({
  address: `0x${Buffer.from(keccak_256(publicKey.subarray(1)))
    .toString('hex')
    .slice(-40)}`,
  key,
});

/** Loaded with the first payment. */
const ethers = async () => ({ ...(await import('ethers/crypto')), ...(await import('ethers/transaction')) });

/** The robot's own accounts, m/44'/60'/0'/0/index of the mnemonic. */
export function ethereumWallet(mnemonic: string, chainId: number) {
  const at = derivedFrom(mnemonic);
  return {
    /** In lower case. */
    address: (index: number): string => at(index).address,
    async sign({ from, to, amount, sequence, fee }: TransferOrder): Promise<SignedTransfer> {
      const { SigningKey, Transaction } = await ethers();
      const { gasLimit, maxFeePerGas, maxPriorityFeePerGas } = partsOf(fee);
      const bid = isLegacy(fee) ? { type: 0, gasPrice: maxFeePerGas } : { type: 2, maxFeePerGas, maxPriorityFeePerGas };
      const payment = { gasLimit, chainId, nonce: sequence, to: to.account, value: amount };
      const transaction = Transaction.from({ ...bid, ...payment });
      transaction.signature = new SigningKey(at(from).key).sign(transaction.unsignedHash);
      return { bytes: transaction.serialized, hash: transaction.hash! };
    },
  };
}
