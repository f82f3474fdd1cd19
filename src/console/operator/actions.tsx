import { Copyable } from '../components/copyable.tsx';
import type { Action } from '../page.ts';

const invite: Action = async ({ api }, { name = '', expiresIn = '' }) => {
  const { invitation } = await api.invite(name.trim(), expiresIn.trim() || '7d');
  return {
    kind: 'done',
    text: `${name} is invited. Send the invitation; it is shown once and works once.`,
    detail: <Copyable text={invitation} />,
  };
};

const suspended =
  (isSuspended: boolean): Action =>
  async ({ api }, { vaspId = '' }) => {
    const { name } = await api.changeTenant(vaspId, { suspended: isSuspended });
    return { kind: 'done', text: `${name} is ${isSuspended ? 'suspended' : 'active again'}.` };
  };

const quota: Action = async ({ api }, { vaspId = '', quota: which = '', limit = '' }) => {
  const value = limit.trim() === '' ? null : Number(limit);
  const { name } = await api.changeTenant(vaspId, { quotas: { [which]: value } as never });
  return { kind: 'done', text: `${which} of ${name} is ${value ?? 'as configured'}.` };
};

const forget: Action = async ({ api }, { vaspId = '', confirm = '' }) => {
  if (confirm.trim() !== vaspId)
    return { kind: 'failed', text: 'Nothing has changed. Type the vaspId to confirm.' };
  await api.forgetTenant(vaspId);
  return { kind: 'done', text: 'The VASP is forgotten. Its id stays taken.' };
};

/** The actions of the operator's page. */
export const actions: Record<string, Action> = {
  invite,
  suspend: suspended(true),
  resume: suspended(false),
  quota,
  forget,
};
