import { MAX_LENGTH } from '../../contract/text.ts';
import { useTexts } from '../texts/languages.ts';
import { Field } from './field.tsx';

/** Narrows a list to one verification. */
export const VerificationField = ({ value }: { value: string | undefined }) => (
  <Field
    name="verificationUuid"
    label={useTexts().verification.verification}
    value={value}
    type="search"
    maxLength={MAX_LENGTH.verificationUuid}
    placeholder="verificationUuid"
    code
  />
);
