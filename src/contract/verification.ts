import * as z from 'zod';
import { AssetInfo } from './assets.ts';
import { RESULT_VALUES, RESULTS } from './clauses.ts';
import { AccountNumber, AnyText, MessageText, ReasonText, TxHash, VaspId, Vout } from './text.ts';
import { Timestamp } from './time.ts';

export const Result = z.enum(RESULT_VALUES).meta({
  id: 'Result',
  description: Object.entries(RESULTS)
    .map(([result, meaning]) => `- \`${result}\`: ${meaning}`)
    .join('\n'),
});

/** REF-2.2. Without an answer yet (D-02): no result, no reason, message '', verifiedAt null. */
export const VerificationResult = z
  .object({
    verificationId: z
      .string()
      .regex(/^\d+$/)
      .meta({ examples: ['1'] })
      .describe('Numeric identifier of the record, as text (D-03: the row number).'),
    verificationUuid: z.uuid().describe('Verification request ID.'),
    result: Result.optional(),
    reason: ReasonText.describe('OK on success; otherwise a reason code.').optional(),
    message: MessageText.describe('Detail text for the reason; empty when there is none.'),
    assetInfo: AssetInfo,
    txHash: TxHash.nullable().describe('Transaction ID; null while no transaction report has arrived.'),
    vout: Vout.nullable().describe('Index of the transfer inside one transaction.').optional(),
    originatingVaspId: VaspId,
    originatorAccountNumber: AccountNumber.describe('Originator wallet address.'),
    ivms101Originator: AnyText.describe('Originator in IVMS101 format, as a JSON text.'),
    ivms101OriginatingVasp: AnyText.describe('Originating VASP in IVMS101 format, as a JSON text.'),
    beneficiaryVaspId: VaspId,
    beneficiaryAccountNumber: AccountNumber.describe('Beneficiary account number.'),
    ivms101Beneficiary: AnyText.describe('Beneficiary in IVMS101 format, as a JSON text.'),
    ivms101BeneficiaryVasp: AnyText.describe('Beneficiary VASP in IVMS101 format, as a JSON text.'),
    verifiedAt: Timestamp.nullable().describe('Time of the verification; null until there is a result.'),
    orderedAt: Timestamp.nullable().describe('Time the transaction ID was reported; null before that.'),
    createdAt: Timestamp.describe('Time the verification request was made.'),
  })
  .refine(row => (row.result === undefined) === (row.verifiedAt === null), {
    error: 'should be null if and only if there is no `result`',
    path: ['verifiedAt'],
  })
  .refine(row => (row.result === undefined) === (row.reason === undefined), {
    error: 'should be present if and only if there is a `result`',
    path: ['reason'],
  })
  .refine(row => (row.txHash === null) === (row.orderedAt === null), {
    error: 'should be null if and only if there is no `txHash`',
    path: ['orderedAt'],
  })
  .meta({ id: 'VerificationResult', description: 'REF-2.2: one verification and its result.' });
export type VerificationResult = z.infer<typeof VerificationResult>;
