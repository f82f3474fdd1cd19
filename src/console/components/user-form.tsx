import type { RobotUser, UserChange } from '../../client/answers.ts';
import { Field } from './field.tsx';

/** Values of the user form. */
export type UserFields = Record<string, string>;

interface UserForm {
  /** Address of the action. */
  to: string;
  label: string;
  fields: UserFields;
  behaviours: readonly string[];
  /** A new user needs an id. */
  isNew?: boolean;
}

/** Works without JavaScript: CSS shows the names of the chosen kind. */
export const UserForm = ({ to, label, fields, behaviours, isNew }: UserForm) => (
  <form id={isNew ? 'add-user' : 'change-user'} class="user" method="post" action={to} hx-morph-skip>
    <div class="cards">
      <fieldset>
        {isNew ? (
          <Field
            name="userId"
            label="Id"
            value={fields.userId}
            placeholder="slow-payer"
            required
            help="Small letters, digits and hyphens."
            code
          />
        ) : null}
        <Field name="kind" label="Kind" value={fields.kind} options={Object.entries(KINDS)} />
        <Field name="behaviour" label="Behaviour" value={fields.behaviour} options={behaviours} />
        <label>
          <input type="checkbox" name="kyc" value="yes" checked={fields.kyc !== ''} /> KYC is done
        </label>
      </fieldset>
      <fieldset class="natural">
        <Field name="firstName" label="First name" value={fields.firstName} />
        <Field name="lastName" label="Last name" value={fields.lastName} />
      </fieldset>
      <fieldset class="legal">
        <Field name="legalName" label="Name of the company" value={fields.legalName} />
        <Field
          name="representatives"
          label="Representatives"
          value={fields.representatives}
          rows={3}
          placeholder="Clarke, Jason"
          help="One per line: last name, first name."
        />
      </fieldset>
    </div>
    <button type="submit">{label}</button>
  </form>
);

const KINDS: Record<RobotUser['kind'], string> = { natural: 'natural person', legal: 'company' };

/** The values of an existing user. */
export function fieldsOf({ kind, kyc, behaviour, names }: RobotUser): UserFields {
  const common = { kind, behaviour, kyc: kyc ? 'yes' : '' };
  if (!('legalName' in names)) return { ...common, ...names };
  const representatives = names.representatives.map(({ lastName, firstName }) => `${lastName}, ${firstName}`);
  return { ...common, legalName: names.legalName, representatives: representatives.join('\n') };
}

/** The API request of a sent form. The API checks it. */
export function userOf(form: UserFields): UserChange {
  const common = { kyc: form.kyc === 'yes', behaviour: form.behaviour as UserChange['behaviour'] };
  const { firstName = '', lastName = '', legalName = '', representatives = '' } = form;
  if (form.kind !== 'legal') return { kind: 'natural', names: { firstName, lastName }, ...common };
  return { kind: 'legal', names: { legalName, representatives: personsOf(representatives) }, ...common };
}

const personsOf = (text: string) =>
  text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const [lastName = '', firstName = ''] = line.split(',').map(part => part.trim());
      return { lastName, firstName };
    });
