import { Copyable } from '../components/text.tsx';
import { type Action, done } from '../page.ts';
import { fill } from '../texts/languages.ts';

const invite: Action = async ({ api, texts }, { name = '', expiresIn = '' }) => {
  const { invitation } = await api.invite(name.trim(), expiresIn.trim() || '7d');
  return done(fill(texts.operator.invited, { name }), <Copyable text={invitation} />);
};

const suspended =
  (isSuspended: boolean): Action =>
  async ({ api, texts: { operator: texts } }, { vaspId = '' }) => {
    const { name } = await api.changeTenant(vaspId, { suspended: isSuspended });
    return done(isSuspended ? fill(texts.suspended, { name }) : fill(texts.resumed, { name }));
  };

const claim: Action = async ({ api, texts: { operator: texts } }, { vaspId = '' }) => {
  const { name } = await api.changeTenant(vaspId, { claimed: true });
  return done(fill(texts.claimed, { name }));
};

const quota: Action = async (
  { api, texts: { operator: texts } },
  { vaspId = '', quota: which = '', limit = '' },
) => {
  const value = limit.trim() === '' ? null : Number(limit);
  const { name } = await api.changeTenant(vaspId, { quotas: { [which]: value } as never });
  return done(fill(texts.quotaIs, { quota: which, name, value: String(value ?? texts.asConfigured) }));
};

const forget: Action = async ({ api, texts }, { vaspId = '', confirm = '' }) => {
  if (confirm.trim() !== vaspId)
    return { kind: 'failed', field: 'confirm', text: texts.operator.notConfirmed };
  await api.forgetTenant(vaspId);
  return done(texts.operator.forgotten);
};

export const actions: Record<string, Action> = {
  invite,
  suspend: suspended(true),
  resume: suspended(false),
  claim,
  quota,
  forget,
};
