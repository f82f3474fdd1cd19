import type * as z from 'zod';

/** The control calls, each with its schemas. Types only: to build every schema takes longer than a call. */
type Calls = typeof import('../sandbox/assessments/schema.ts').assessmentCalls &
  typeof import('../sandbox/balances/schema.ts').balanceCalls &
  typeof import('../sandbox/callbacks/schema.ts').callbackCalls &
  typeof import('../sandbox/chains/schema.ts').chainCalls &
  typeof import('../sandbox/checks/schema.ts').checkCalls &
  typeof import('../sandbox/clock/schema.ts').clockCalls &
  typeof import('../sandbox/deposits/schema.ts').depositCalls &
  typeof import('../sandbox/exchanges/schema.ts').exchangeCalls &
  typeof import('../sandbox/faults/schema.ts').faultCalls &
  typeof import('../sandbox/health/schema.ts').healthCalls &
  typeof import('../sandbox/info/schema.ts').infoCalls &
  typeof import('../sandbox/ivms101/schema.ts').ivms101Calls &
  typeof import('../sandbox/reference-vasp/schema.ts').referenceVaspCalls &
  typeof import('../sandbox/reset/schema.ts').resetCalls &
  typeof import('../sandbox/scenarios/schema.ts').scenarioCalls &
  typeof import('../sandbox/signing/schema.ts').signingCalls &
  typeof import('../sandbox/statistics/schema.ts').statisticsCalls &
  typeof import('../sandbox/timeline/schema.ts').timelineCalls &
  typeof import('../sandbox/transfers/schema.ts').transferCalls &
  typeof import('../sandbox/users/schema.ts').userCalls &
  typeof import('../sandbox/vasps/schema.ts').vaspCalls &
  typeof import('../sandbox/verifications/schema.ts').verificationCalls &
  typeof import('../sandbox/why/schema.ts').whyCalls &
  typeof import('../tenants/audit/schema.ts').auditCalls &
  typeof import('../tenants/invitations/schema.ts').invitationCalls &
  typeof import('../tenants/keys/schema.ts').keyCalls &
  typeof import('../tenants/registrations/schema.ts').registrationCalls &
  typeof import('../tenants/usage/schema.ts').usageCalls &
  typeof import('../tenants/vasps/schema.ts').tenantCalls &
  typeof import('../sandbox/runs/schema.ts').runCalls;
export type CallOf<M extends keyof Calls> = Calls[M];
/** The body of a call, before its defaults are filled in. */
export type Order<M extends keyof Calls> = z.input<Extract<CallOf<M>['body'], z.ZodType>>;

/** Method and path of each: what `http/endpoint.ts` serves. A call that is missing here does not compile. */
export const CALLS: { readonly [M in keyof Calls]: `${Calls[M]['method']} ${Calls[M]['path']}` } = {
  assessments: 'GET /sandbox/v1/assessments',
  balances: 'GET /sandbox/v1/balances',
  callbacks: 'GET /sandbox/v1/callbacks',
  replay: 'POST /sandbox/v1/callbacks/:id/replay',
  mailbox: 'GET /sandbox/v1/mailbox',
  faucet: 'POST /sandbox/v1/faucet',
  resumeChain: 'POST /sandbox/v1/chains/:symbol/resume',
  checkVasp: 'POST /sandbox/v1/vasps/:vaspId/check',
  clock: 'GET /sandbox/v1/clock',
  advance: 'POST /sandbox/v1/clock/advance',
  timers: 'GET /sandbox/v1/timers',
  deposits: 'GET /sandbox/v1/deposits',
  exchanges: 'GET /sandbox/v1/exchanges',
  faults: 'GET /sandbox/v1/faults',
  addFault: 'PUT /sandbox/v1/faults',
  removeFaults: 'DELETE /sandbox/v1/faults',
  removeFault: 'DELETE /sandbox/v1/faults/:id',
  health: 'GET /sandbox/v1/health',
  info: 'GET /sandbox/v1/info',
  checkIvms101: 'POST /sandbox/v1/ivms101/check',
  referenceVasp: 'GET /sandbox/v1/reference-vasp',
  switchReferenceVasp: 'PUT /sandbox/v1/reference-vasp',
  reset: 'POST /sandbox/v1/reset',
  scenarios: 'GET /sandbox/v1/scenarios',
  readyRequest: 'GET /sandbox/v1/requests/:request',
  rollSigningSecret: 'POST /sandbox/v1/signing-secret/roll',
  statistics: 'GET /sandbox/v1/statistics',
  timeline: 'GET /sandbox/v1/verifications/:uuid/timeline',
  sendTransfer: 'POST /sandbox/v1/transfers',
  transfers: 'GET /sandbox/v1/transfers',
  users: 'GET /sandbox/v1/users',
  restoreUsers: 'DELETE /sandbox/v1/users',
  user: 'GET /sandbox/v1/users/:userId',
  putUser: 'PUT /sandbox/v1/users/:userId',
  removeUser: 'DELETE /sandbox/v1/users/:userId',
  registeredVasps: 'GET /sandbox/v1/vasps',
  registerVasp: 'PUT /sandbox/v1/vasps/:vaspId',
  changeVasp: 'PATCH /sandbox/v1/vasps/:vaspId',
  verifications: 'GET /sandbox/v1/verifications',
  neighbours: 'GET /sandbox/v1/verifications/:uuid/neighbours',
  why: 'GET /sandbox/v1/verifications/:uuid/why',
  audit: 'GET /sandbox/v1/audit',
  invitations: 'GET /sandbox/v1/invitations',
  invite: 'POST /sandbox/v1/invitations',
  keys: 'GET /sandbox/v1/keys',
  createKey: 'POST /sandbox/v1/keys',
  revokeKey: 'DELETE /sandbox/v1/keys/:id',
  rollKey: 'POST /sandbox/v1/keys/:id/roll',
  register: 'POST /sandbox/v1/registrations',
  claimTrial: 'POST /sandbox/v1/registrations/claim',
  usage: 'GET /sandbox/v1/usage',
  tenants: 'GET /sandbox/v1/tenants',
  importTenant: 'POST /sandbox/v1/tenants',
  changeTenant: 'PATCH /sandbox/v1/tenants/:vaspId',
  exportTenant: 'GET /sandbox/v1/tenants/:vaspId/export',
  forgetTenant: 'DELETE /sandbox/v1/tenants/:vaspId',
  startRun: 'POST /sandbox/v1/runs',
  runs: 'GET /sandbox/v1/runs',
  run: 'GET /sandbox/v1/runs/:id',
  stopRun: 'DELETE /sandbox/v1/runs/:id',
};
