import { Field } from './field.tsx';
import { FilterBar } from './filter-bar.tsx';

/** Filters a list by one verification. */
export const VerificationFilter = ({ action, uuid }: { action: string; uuid: string | undefined }) => (
  <FilterBar action={action}>
    <Field name="verificationUuid" label="Verification" value={uuid} type="search" code />
  </FilterBar>
);
