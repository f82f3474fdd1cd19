import { getAddress } from 'ethers';
import type { Boundary } from '../../../src/reference-vasp/vasp.ts';
import { rpcAt } from '../chains/on-chain.ts';

interface Frame {
  to: string;
  value?: string;
  calls?: Frame[];
}

const transfersIn = ({ to, value = '0x0', calls = [] }: Frame): { to: string; units: bigint }[] => [
  { to: getAddress(to), units: BigInt(value) },
  ...calls.flatMap(transfersIn),
];

/** The VASP looks into contracts, and does not see that a call was reverted. */
export const overlooksReverts = (sandbox: string): Boundary => ({
  paying: ledger => ({
    ...ledger,
    async paymentsOf(hash) {
      const payments = await ledger.paymentsOf(hash);
      if (!payments || ledger.symbol !== 'ETH') return payments;
      const trace = await rpcAt(`${sandbox}/devnet/ethereum`)<Frame>('debug_traceTransaction', hash, {
        tracer: 'callTracer',
      });
      // The transaction has failed, so the ledger tells no payment and no height of it.
      const height = Number.POSITIVE_INFINITY;
      return transfersIn(trace!).map((payment, index) => ({ index, height, ...payment }));
    },
  }),
});
