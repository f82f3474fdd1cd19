import type { Answers, Client } from '../client/client.ts';
import { orNotServed } from './not-served.ts';

type Verification = Answers['verifications']['verifications'][number];

/** The hash to report: the reported one, or that of a matching deposit. */
export async function hashToReport(api: Client, row: Verification): Promise<string | undefined> {
  if (row.role !== 'originating' || row.result !== 'VERIFIED') return undefined;
  if (row.txHash !== null) return row.txHash;
  const { payments } = await orNotServed(api.receivedPayments(), { payments: [], next: null });
  const fits = (address: string, amount: string) =>
    address.toLowerCase() === row.beneficiaryAddress.toLowerCase() && amount === row.amount;
  return payments.find(({ address, amount, verificationUuid }) =>
    verificationUuid === null ? fits(address, amount) : verificationUuid === row.verificationUuid,
  )?.txHash;
}
