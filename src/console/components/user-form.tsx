import type { Order } from '../../client/calls.ts';
import type { RobotUser } from '../../client/client.ts';
import { useTexts } from '../texts/languages.ts';
import { Checkbox, Field, OwnFields } from './form.tsx';

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
export const UserForm = ({ to, label, fields, behaviours, isNew }: UserForm) => {
  const { user, users } = useTexts();
  return (
    <form id={isNew ? 'add-user' : 'change-user'} class="user" method="post" action={to} hx-morph-skip>
      <OwnFields to={to}>
        <div class="cards">
          <fieldset>
            {isNew ? (
              <Field name="userId" label={user.id} placeholder="slow-payer" required help={user.idHelp} code />
            ) : null}
            <Field
              name="kind"
              label={user.kind}
              value={fields.kind}
              options={(['natural', 'legal'] as const).map(kind => [kind, user[kind]])}
            />
            <Field name="behaviour" label={users.behaviour} value={fields.behaviour} options={behaviours} />
            <Checkbox name="kyc" label={user.kycDone} isChecked={fields.kyc !== ''} />
          </fieldset>
          <fieldset class="natural">
            <Field name="firstName" label={user.firstName} value={fields.firstName} />
            <Field name="lastName" label={user.lastName} value={fields.lastName} />
          </fieldset>
          <fieldset class="legal">
            <Field name="legalName" label={user.legalName} value={fields.legalName} />
            <Field
              name="representatives"
              label={user.representatives}
              value={fields.representatives}
              rows={3}
              placeholder="Clarke, Jason"
              help={user.representativesHelp}
            />
          </fieldset>
        </div>
      </OwnFields>
      <button type="submit">{label}</button>
    </form>
  );
};

/** The values of an existing user. */
export function fieldsOf({ kind, kyc, behaviour, names }: RobotUser): UserFields {
  const common = { kind, behaviour, kyc: kyc ? 'yes' : '' };
  if (!('legalName' in names)) return { ...common, ...names };
  const representatives = names.representatives.map(({ lastName, firstName }) => `${lastName}, ${firstName}`);
  return { ...common, legalName: names.legalName, representatives: representatives.join('\n') };
}

/** The API request of a sent form. The API checks it. */
export function userOf(form: UserFields): Order<'putUser'> {
  const common = { kyc: form.kyc === 'yes', behaviour: form.behaviour as Order<'putUser'>['behaviour'] };
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
