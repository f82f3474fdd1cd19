import { QUOTA_NAMES, QUOTA_RULES, type QuotaName } from '../../../contract/quotas.ts';

/** English texts of keys, quotas, the operator and the sign-in page. */

export const keys = {
  signedInAs: 'Signed in as',
  youAre: 'You are',
  because: 'Because',
  byKey: 'you signed in with its API key',
  locally: 'local mode: without a key you are this VASP',
  signOut: 'Sign out',
  signIn: 'Sign in',
  keyOfAnother: 'API key of another VASP',
  allVasps: 'All VASPs',
  caption: 'Registered VASPs',
  health: 'Health',
  endpoints: 'Endpoints',
  second: 'Register a second VASP to test two of yours against each other. Each sees only its own data.',
  register: 'Register',
  idHint: 'digits, up to 20',
  nameHint: 'Second VASP',
  ownId: 'This is your own vaspId. Enter another one for the second VASP.',
  registered: (name: string) => `${name} is registered.`,
  newKey: 'This is its API key. It is shown only once, so keep it:',
  signInAs: (name: string) => `Sign in as ${name}`,
  unknown:
    'This API key is unknown. Nothing has changed. Check the key: it begins with rv_ and is shown once, when its VASP is registered.',
};

/** Keys and signing secret of a VASP in the hosted mode. */
export const access = {
  apiKeys: 'API keys',
  scope: 'Scope',
  lastUsed: 'Last used',
  expires: 'Expires',
  never: 'never',
  change: 'Change',
  roll: 'Roll',
  rollThis: (name: string) => `Roll ${name}`,
  revoke: 'Revoke',
  revokeThis: (name: string) => `Revoke ${name}`,
  newKey: 'A new key',
  create: 'Create',
  full: 'full: everything',
  check: 'check: read and run checks',
  read: 'read: only read',
  secret: 'Signing secret',
  secretMeaning: 'It signs every callback to you, by Standard Webhooks.',
  rollSecret: 'Roll the signing secret',
  created: 'The key is created. It is shown once. Keep it now.',
  rolled: 'The key is rolled; the one before it is valid for 24 hours more. It is shown once. Keep it now.',
  revoked: 'The key is revoked.',
  secretRolled: 'The signing secret is rolled; for 24 hours both sign. It is shown once. Keep it now.',
};

export const usage = {
  intro: 'What your VASP uses of its quotas. Ask the operator for more.',
  caption: 'Quotas',
  quota: 'Quota',
  limit: 'Limit',
  used: 'Used',
  beginsAgain: 'Begins again',
  trial: 'This is a trial. It ends, and all its data are deleted, at',
  invitation: 'Invitation of the operator',
  claim: 'Keep this VASP',
  claimed: 'This VASP stays for good, with the ordinary quotas.',
};

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Meanings of the quotas. */
export const quotas = Object.fromEntries(
  QUOTA_NAMES.map(name => [name, capitalised(QUOTA_RULES[name].meaning)]),
) as Record<QuotaName, string>;

export const operator = {
  missing: (what: string) => `Missing: ${what}`,
  vasps: 'VASPs',
  noVasp: 'None yet. Invite the first one.',
  moreVasps: 'More VASPs',
  more: 'Quotas, suspend, forget',
  setQuota: 'Set the quota',
  asConfigured: 'as configured',
  suspend: 'Suspend',
  resume: 'Resume',
  forget: 'Forget for good',
  confirm: 'Type the vaspId to confirm',
  apiKeys: 'Keys',
  today: 'Verifications today',
  lastSeen: 'Last seen',
  invitations: 'Invitations',
  invitationsCaption: 'Invitations that nobody has accepted',
  invite: 'Invite',
  validFor: 'Valid for',
  invitedName: 'For',
  audit: 'Audit',
  olderEntries: 'Older entries',
  at: 'At',
  who: 'Who',
  what: 'What',
  onWhat: 'On what',
  outcome: 'Outcome',
  invited: (name: string) => `${name} is invited. Send the invitation; it is shown once and works once.`,
  suspended: (name: string) => `${name} is suspended.`,
  claim: 'Claim the trial',
  claimed: (name: string) => `${name} stays for good, with the ordinary quotas.`,
  resumed: (name: string) => `${name} is active again.`,
  quotaIs: (quota: string, name: string, value: string) => `${quota} of ${name} is ${value}.`,
  notConfirmed: 'Nothing has changed. Type the vaspId to confirm.',
  forgotten: 'The VASP is forgotten. Its id stays taken.',
};

export const signIn = {
  title: 'Sign in',
  intro:
    'Sign in with an API key of your VASP. It begins with `rv_` and was shown once, at your registration.',
  key: 'API key',
  noKey: 'No key yet? [Ask the operator for an invitation](/guide/hosting).',
  trial: 'Start without an invitation',
  trialIntro:
    'A trial VASP has a key, a signing secret and a tenth of the quotas. It ends after 7 days, unless an invitation or the operator claims it. [What a trial may do](/guide/hosting#trials).',
  nameOfVasp: 'Name of your VASP',
  trialName: 'Trial VASP',
  startTrial: 'Start a trial',
  trialStarted: 'Your trial has started',
  trialKeep: 'Key and signing secret are shown once, so keep them. You are signed in.',
  secret: 'Signing secret',
  trialEnds: 'Ends',
  openConsole: 'Open the console',
  refused: 'Nobody has this key, or its VASP is suspended.',
  noAddress: '`to` is no address.',
};
