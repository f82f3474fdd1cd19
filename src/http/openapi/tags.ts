interface Section {
  readonly name: string;
  readonly description: string;
  readonly paths: readonly string[];
}

/** Sections of the document, by the beginning of the path. An endpoint outside of them does not compile. */
const SECTIONS = [
  { name: 'enclave: VASPs', description: 'The VASPs of the network.', paths: ['/v1/vasps'] },
  {
    name: 'enclave: verifications',
    description: 'Verify, look up, report, query (REF-4).',
    paths: ['/v1/verifications'],
  },
  {
    name: 'enclave: risk assessment',
    description: 'Screening of addresses, transactions and persons (REF-4.1, REF-4.2, REF-4.3).',
    paths: ['/v1/risk-assessment'],
  },
  {
    name: 'robot',
    description: 'Actions of the test counterpart (REF-4.6).',
    paths: ['/vega/robot'],
  },
  {
    name: 'sandbox: set up',
    description: 'VASPs, the users of the robot, requests that are ready to send.',
    paths: [
      '/sandbox/v1/info',
      '/sandbox/v1/vasps',
      '/sandbox/v1/signing-secret',
      '/sandbox/v1/reference-vasp',
      '/sandbox/v1/users',
      '/sandbox/v1/scenarios',
      '/sandbox/v1/requests',
      '/sandbox/v1/ivms101',
      '/sandbox/v1/reset',
    ],
  },
  {
    name: 'hosted: VASP',
    description: 'Registration, keys and quotas of a VASP in the hosted mode.',
    paths: ['/sandbox/v1/registrations', '/sandbox/v1/keys', '/sandbox/v1/usage', '/sandbox/v1/audit'],
  },
  {
    name: 'hosted: operator',
    description: 'Invitations and the VASPs of a hosted sandbox.',
    paths: ['/sandbox/v1/invitations', '/sandbox/v1/tenants'],
  },
  {
    name: 'sandbox: time',
    description: 'Advance the time instead of waiting.',
    paths: ['/sandbox/v1/clock', '/sandbox/v1/timers'],
  },
  {
    name: 'sandbox: provoke',
    description: 'Faults, test money and the embedded chains.',
    paths: ['/sandbox/v1/faults', '/sandbox/v1/faucet', '/sandbox/v1/chains'],
  },
  {
    name: 'sandbox: conformance',
    description: 'The official list of tests as runs with a verdict.',
    paths: ['/sandbox/v1/plans', '/sandbox/v1/runs'],
  },
  {
    name: 'sandbox: look',
    description: 'Everything that happened.',
    paths: [
      '/sandbox/v1/verifications',
      '/sandbox/v1/transfers',
      '/sandbox/v1/deposits',
      '/sandbox/v1/balances',
      '/sandbox/v1/callbacks',
      '/sandbox/v1/mailbox',
      '/sandbox/v1/assessments',
      '/sandbox/v1/exchanges',
      '/sandbox/v1/events',
      '/sandbox/v1/health',
      '/sandbox/v1/statistics',
    ],
  },
] as const satisfies readonly Section[];

/** The section of all routes that are not endpoints. */
const PROGRAM = {
  name: 'program',
  description: 'Health, metrics, web pages and the nodes of the embedded chains.',
};

type SectionPath = (typeof SECTIONS)[number]['paths'][number];
export type DocumentedPath = SectionPath | `${SectionPath}/${string}`;

export const tagOf = (path: string): string =>
  (SECTIONS.find(({ paths }) => paths.some(beginning => path.startsWith(beginning))) ?? PROGRAM).name;

export const tags = [...SECTIONS, PROGRAM].map(({ name, description }) => ({ name, description }));
