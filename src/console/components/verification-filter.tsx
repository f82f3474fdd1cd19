import { MAX_LENGTH } from '../../contract/text.ts';
import { useTexts } from '../texts/languages.ts';
import { Field } from './field.tsx';
import { FilterBar } from './filter-bar.tsx';

/** Filters a list by one verification. */
export const VerificationFilter = ({ action, uuid }: { action: string; uuid: string | undefined }) => (
  <FilterBar action={action}>
    <Field
      name="verificationUuid"
      label={useTexts().verification.verification}
      value={uuid}
      type="search"
      maxLength={MAX_LENGTH.verificationUuid}
      code
    />
  </FilterBar>
);
