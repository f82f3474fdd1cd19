import type { RobotUser } from '../../client/answers.ts';
import { Badge } from '../components/badge.tsx';
import { DataTable } from '../components/table.tsx';
import { Copyable, InlineCode } from '../components/text.tsx';
import { fill, useTexts } from '../texts/languages.ts';

interface UserList {
  rows: readonly RobotUser[];
  meaningOf(behaviour: string): string;
}

export const UserList = ({ rows, meaningOf }: UserList) => {
  const { users } = useTexts();
  return (
    <DataTable
      caption={users.caption}
      rows={rows}
      empty={users.noneFits}
      idOf={({ id }) => `user-${id}`}
      columns={[
        { head: users.user, cell: user => <UserName user={user} /> },
        {
          head: 'KYC',
          cell: ({ kyc }) => (
            <Badge of={kyc ? users.kycDone : users.kycNotDone} tone={kyc ? 'good' : 'warn'} />
          ),
        },
        {
          head: users.behaviour,
          cell: ({ behaviour }) => <Behaviour code={behaviour} meaning={meaningOf(behaviour)} />,
        },
        { head: users.addresses, cell: ({ accounts }) => <Accounts {...accounts} /> },
        { head: users.actions, cell: user => <UserLinks id={user.id} /> },
      ]}
    />
  );
};

export const nameOf = ({ names }: Pick<RobotUser, 'names'>): string =>
  'legalName' in names ? names.legalName : `${names.firstName} ${names.lastName}`;

const UserName = ({ user }: { user: RobotUser }) => (
  <>
    <strong>{nameOf(user)}</strong>{' '}
    {user.source === 'fixture' ? null : <Badge of={user.source} tone="busy" />}
    <br />
    <code>{user.id}</code>
    {'legalName' in user.names ? (
      <>
        <br />
        <small>
          {fill(useTexts().users.companyBy, {
            names: user.names.representatives.map(each => `${each.firstName} ${each.lastName}`).join(', '),
          })}
        </small>
      </>
    ) : null}
  </>
);

const Behaviour = ({ code, meaning }: { code: string; meaning: string }) => (
  <>
    {code}
    <br />
    <small>
      <InlineCode text={meaning} />
    </small>
  </>
);

const Accounts = (accounts: RobotUser['accounts']) => (
  <>
    {Object.entries(accounts).map(([symbol, address]) => (
      <div class="together">
        <small>{symbol}</small> <Copyable text={address} ends={10} />
      </div>
    ))}
  </>
);

const UserLinks = ({ id }: { id: string }) => (
  <div class="together">
    <a data-offer href={`/console/send?user=${id}`} aria-label={fill(useTexts().users.sendTo, { id })}>
      {useTexts().users.send}
    </a>{' '}
    <a href={`/console/users/${id}`} aria-label={fill(useTexts().users.changeThis, { id })}>
      {useTexts().users.change}
    </a>
  </div>
);
