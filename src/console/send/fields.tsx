import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { ErrorReportData } from '../../contract/callbacks.ts';
import { REASON_CODES } from '../../contract/reasons.ts';
import { Field } from '../components/field.tsx';
import type { Texts } from '../texts/english.ts';
import { useTexts } from '../texts/languages.ts';
import type { FieldName } from './actions.ts';
import type { Prepared, Verification } from './prepare.ts';

type Choice = readonly (string | readonly [string, string])[];
type FieldTexts = Texts['sendFields'];

/** The choices of the fields that are no free text. */
const OPTIONS: Partial<Record<FieldName, (prepared: Prepared, texts: FieldTexts) => Choice>> = {
  symbol: () => ASSET_SYMBOLS,
  user: ({ info }) => info.users.map(({ id, behaviour }) => [id, userText(id, behaviour)] as const),
  verificationUuid: ({ verifications }, texts) =>
    verifications.map(each => [each.verificationUuid, verificationText(each, texts)] as const),
  result: () => ErrorReportData.shape.result.options,
  reason: () => ['USER-CANCELED', ...REASON_CODES],
  omitTxReport: (_, { robotReports, robotIsSilent }) => [
    ['false', robotReports],
    ['true', robotIsSilent],
  ],
};

const userText = (id: string, behaviour: string): string =>
  behaviour === 'ORDINARY' ? id : `${id} (${behaviour})`;

const verificationText = (
  { verificationUuid, amount, symbol, userId, result }: Verification,
  { noUser }: FieldTexts,
): string => `${verificationUuid.slice(0, 8)}: ${amount} ${symbol}, ${userId ?? noUser}, ${result ?? 'OPEN'}`;

/** One important member of the body as an input. */
export const FieldOf = ({ name, prepared }: { name: FieldName; prepared: Prepared }) => {
  const texts = useTexts().sendFields;
  return (
    <Field
      name={name}
      label={texts[name]}
      value={prepared.values[name]}
      options={OPTIONS[name]?.(prepared, texts)}
      placeholder={name === 'account' ? texts.accountHint : undefined}
      code={name === 'txHash' || name === 'account'}
    />
  );
};
