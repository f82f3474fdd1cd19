import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { ErrorReportData } from '../../contract/callbacks.ts';
import { REASON_CODES } from '../../contract/reasons.ts';
import { Field } from '../components/field.tsx';
import type { FieldName } from './actions.ts';
import type { Prepared, Verification } from './prepare.ts';

type Choice = readonly (string | readonly [string, string])[];
interface FieldRow {
  label: string;
  options?(prepared: Prepared): Choice;
  placeholder?: string;
}

/** The important members of a body as inputs. */
const FIELDS: Record<FieldName, FieldRow> = {
  symbol: { label: 'Symbol', options: () => ASSET_SYMBOLS },
  user: {
    label: 'User of the robot',
    options: ({ info }) => info.users.map(({ id, behaviour }) => [id, userText(id, behaviour)] as const),
  },
  amount: { label: 'Amount' },
  account: {
    label: 'Address of your customer',
    placeholder: 'empty: address of your newest deposit, or a sample',
  },
  verificationUuid: {
    label: 'Verification',
    options: ({ verifications }) =>
      verifications.map(each => [each.verificationUuid, verificationText(each)] as const),
  },
  txHash: { label: 'Transaction hash' },
  result: { label: 'Result', options: () => ErrorReportData.shape.result.options },
  reason: { label: 'Reason', options: () => ['USER-CANCELED', ...REASON_CODES] },
  message: { label: 'Message' },
  omitTxReport: {
    label: 'Report',
    options: () => [
      ['false', 'The robot reports the transaction'],
      ['true', 'The robot does not report: your VASP has to ask'],
    ],
  },
};

const userText = (id: string, behaviour: string): string =>
  behaviour === 'ORDINARY' ? id : `${id} (${behaviour})`;

const verificationText = ({ verificationUuid, amount, symbol, userId, result }: Verification): string =>
  `${verificationUuid.slice(0, 8)}: ${amount} ${symbol}, ${userId ?? 'no user of the robot'}, ${result ?? 'OPEN'}`;

export const FieldOf = ({ name, prepared }: { name: FieldName; prepared: Prepared }) => {
  const { label, options, placeholder } = FIELDS[name];
  return (
    <Field
      name={name}
      label={label}
      value={prepared.values[name]}
      options={options?.(prepared)}
      placeholder={placeholder}
      code={name === 'txHash' || name === 'account'}
    />
  );
};
