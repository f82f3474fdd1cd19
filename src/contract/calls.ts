interface Section {
  readonly description: string;
  readonly calls: Readonly<Record<string, `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`>>;
}

const ROBOT = '/vega/robot/v1.0';

/**
 * The API: method and path of each call, by the name of the client's method, in the sections of the API document. What a
 * call takes and returns stands in a schema of the same name (`calls` in `http/endpoint.ts`).
 */
export const SECTIONS = {
  'enclave: VASPs': {
    description: 'The VASPs of the network.',
    calls: { self: 'GET /v1/vasps/self', vasps: 'GET /v1/vasps' },
  },
  'enclave: verifications': {
    description: 'Verify, look up, report, query (REF-4).',
    calls: {
      verifyAccount: 'POST /v1/verifications/account',
      verifyUser: 'POST /v1/verifications',
      list: 'GET /v1/verifications',
      verification: 'GET /v1/verifications/:uuid',
      reportTransaction: 'POST /v1/verifications/tx',
      reportError: 'POST /v1/verifications/error',
      inquireTransaction: 'POST /v1/verifications/tx/inquiry',
    },
  },
  'enclave: risk assessment': {
    description: 'Screening of addresses, transactions and persons (REF-4.1, REF-4.2, REF-4.3).',
    calls: {
      assessSanction: 'POST /v1/risk-assessment/providerA-sanction',
      assessKyt: 'POST /v1/risk-assessment/providerA-kyt',
      assessWco: 'POST /v1/risk-assessment/providerB-wco',
    },
  },
  robot: {
    description: 'Actions of the test counterpart (REF-4.6).',
    calls: {
      balance: `GET ${ROBOT}/testnet/balance`,
      robotInquire: `POST ${ROBOT}/action/tx/inquiry`,
      robotVerifyAccount: `POST ${ROBOT}/action/verifications/account`,
      robotVerifyUser: `POST ${ROBOT}/action/verifications`,
      robotWithdraw: `POST ${ROBOT}/action/withdrawal`,
      robotReport: `POST ${ROBOT}/action/verifications/tx`,
      robotReportError: `POST ${ROBOT}/action/verifications/error`,
    },
  },
  'sandbox: set up': {
    description: 'VASPs, the users of the robot, requests that are ready to send.',
    calls: {
      info: 'GET /sandbox/v1/info',
      registeredVasps: 'GET /sandbox/v1/vasps',
      registerVasp: 'PUT /sandbox/v1/vasps/:vaspId',
      changeVasp: 'PATCH /sandbox/v1/vasps/:vaspId',
      checkVasp: 'POST /sandbox/v1/vasps/:vaspId/check',
      rollSigningSecret: 'POST /sandbox/v1/signing-secret/roll',
      referenceVasp: 'GET /sandbox/v1/reference-vasp',
      switchReferenceVasp: 'PUT /sandbox/v1/reference-vasp',
      users: 'GET /sandbox/v1/users',
      restoreUsers: 'DELETE /sandbox/v1/users',
      user: 'GET /sandbox/v1/users/:userId',
      putUser: 'PUT /sandbox/v1/users/:userId',
      removeUser: 'DELETE /sandbox/v1/users/:userId',
      scenarios: 'GET /sandbox/v1/scenarios',
      readyRequest: 'GET /sandbox/v1/requests/:request',
      checkIvms101: 'POST /sandbox/v1/ivms101/check',
      reset: 'POST /sandbox/v1/reset',
    },
  },
  'hosted: VASP': {
    description: 'Registration, keys and quotas of a VASP in the hosted mode.',
    calls: {
      register: 'POST /sandbox/v1/registrations',
      claimTrial: 'POST /sandbox/v1/registrations/claim',
      keys: 'GET /sandbox/v1/keys',
      createKey: 'POST /sandbox/v1/keys',
      revokeKey: 'DELETE /sandbox/v1/keys/:id',
      rollKey: 'POST /sandbox/v1/keys/:id/roll',
      usage: 'GET /sandbox/v1/usage',
      audit: 'GET /sandbox/v1/audit',
    },
  },
  'hosted: operator': {
    description: 'Invitations and the VASPs of a hosted sandbox.',
    calls: {
      invitations: 'GET /sandbox/v1/invitations',
      invite: 'POST /sandbox/v1/invitations',
      tenants: 'GET /sandbox/v1/tenants',
      importTenant: 'POST /sandbox/v1/tenants',
      changeTenant: 'PATCH /sandbox/v1/tenants/:vaspId',
      exportTenant: 'GET /sandbox/v1/tenants/:vaspId/export',
      forgetTenant: 'DELETE /sandbox/v1/tenants/:vaspId',
    },
  },
  'sandbox: time': {
    description: 'Advance the time instead of waiting.',
    calls: {
      clock: 'GET /sandbox/v1/clock',
      advance: 'POST /sandbox/v1/clock/advance',
      timers: 'GET /sandbox/v1/timers',
    },
  },
  'sandbox: provoke': {
    description: 'Faults, test money and the embedded chains.',
    calls: {
      faults: 'GET /sandbox/v1/faults',
      addFault: 'PUT /sandbox/v1/faults',
      removeFaults: 'DELETE /sandbox/v1/faults',
      removeFault: 'DELETE /sandbox/v1/faults/:id',
      faucet: 'POST /sandbox/v1/faucet',
      resumeChain: 'POST /sandbox/v1/chains/:symbol/resume',
      setControl: 'POST /sandbox/v1/chains/:symbol/:control',
    },
  },
  'sandbox: test runs': {
    description: 'The official list of tests, played to a verdict.',
    calls: {
      plans: 'GET /sandbox/v1/plans',
      startRun: 'POST /sandbox/v1/runs',
      runs: 'GET /sandbox/v1/runs',
      run: 'GET /sandbox/v1/runs/:id',
      stopRun: 'DELETE /sandbox/v1/runs/:id',
      reportJson: 'GET /sandbox/v1/runs/:id/report.json',
      reportXml: 'GET /sandbox/v1/runs/:id/report.xml',
      reportHtml: 'GET /sandbox/v1/runs/:id/report.html',
      reportMarkdown: 'GET /sandbox/v1/runs/:id/report.md',
      reportSigned: 'GET /sandbox/v1/runs/:id/report.jws',
    },
  },
  'sandbox: look': {
    description: 'Everything that happened.',
    calls: {
      verifications: 'GET /sandbox/v1/verifications',
      neighbours: 'GET /sandbox/v1/verifications/:uuid/neighbours',
      timeline: 'GET /sandbox/v1/verifications/:uuid/timeline',
      why: 'GET /sandbox/v1/verifications/:uuid/why',
      transfers: 'GET /sandbox/v1/transfers',
      sendTransfer: 'POST /sandbox/v1/transfers',
      receivedPayments: 'GET /sandbox/v1/received-payments',
      balances: 'GET /sandbox/v1/balances',
      callbacks: 'GET /sandbox/v1/callbacks',
      replay: 'POST /sandbox/v1/callbacks/:id/replay',
      mailbox: 'GET /sandbox/v1/mailbox',
      assessments: 'GET /sandbox/v1/assessments',
      exchanges: 'GET /sandbox/v1/exchanges',
      exchange: 'GET /sandbox/v1/exchanges/:id',
      events: 'GET /sandbox/v1/events',
      health: 'GET /sandbox/v1/health',
      statistics: 'GET /sandbox/v1/statistics',
    },
  },
} as const satisfies Record<string, Section>;

type Calls = (typeof SECTIONS)[keyof typeof SECTIONS]['calls'];
type NamesOf<C> = C extends unknown ? keyof C : never;
export type CallName = NamesOf<Calls>;

export const CALLS: { readonly [N in CallName]: Extract<Calls, Readonly<Record<N, string>>>[N] } = Object.assign(
  {},
  ...Object.values(SECTIONS).map(({ calls }) => calls),
);
