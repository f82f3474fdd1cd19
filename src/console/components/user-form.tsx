import type { RobotUser, UserChange } from '../../client/answers.ts';
import { Field } from './field.tsx';

/** What the fields of a user's form hold. */
export type UserFields = Record<string, string>;

interface UserForm {
  /** Where it goes. */
  to: string;
  label: string;
  fields: UserFields;
  behaviours: readonly string[];
  /** A user that is new gets its id here. */
  isNew?: boolean;
}

/** Works without a script: a style shows the names of the chosen kind. */
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
            help="Small letters, digits and hyphens. It names the user in this console and in the API."
            code
          />
        ) : null}
        <Field name="kind" label="Kind" value={fields.kind} options={KINDS} />
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

const KINDS = [
  ['natural', 'natural person'],
  ['legal', 'company'],
] as const;

/** Of a user that there is. */
export function fieldsOf({ kind, kyc, behaviour, names }: RobotUser): UserFields {
  const common = { kind, behaviour, kyc: kyc ? 'yes' : '' };
  if (!('legalName' in names)) return { ...common, ...names };
  const representatives = names.representatives.map(({ lastName, firstName }) => `${lastName}, ${firstName}`);
  return { ...common, legalName: names.legalName, representatives: representatives.join('\n') };
}

/** What a sent form asks for. The API says what is wrong with it. */
export function userOf(form: UserFields): UserChange {
  const said = { kyc: form.kyc === 'yes', behaviour: form.behaviour as 'ORDINARY' };
  const { firstName = '', lastName = '', legalName = '', representatives = '' } = form;
  if (form.kind !== 'legal') return { kind: 'natural', names: { firstName, lastName }, ...said };
  return { kind: 'legal', names: { legalName, representatives: personsOf(representatives) }, ...said };
}

const personsOf = (text: string) =>
  text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const [lastName = '', firstName = ''] = line.split(',').map(part => part.trim());
      return { lastName, firstName };
    });
