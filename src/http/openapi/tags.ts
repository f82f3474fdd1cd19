/** Sections of the document; the first whose beginning of the path fits is an operation's own. */
const TAGS: readonly { name: string; description: string; paths: readonly string[] }[] = [
  { name: 'enclave: VASPs', description: 'Who takes part.', paths: ['/v1/vasps'] },
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
    description: 'What the test counterpart is made to do (REF-4.6).',
    paths: ['/vega/robot'],
  },
  {
    name: 'sandbox: set up',
    description: 'Who is who, your VASP, the users of the robot, what can be provoked.',
    paths: ['info', 'vasps', 'users', 'scenarios', 'reset'].map(sandbox),
  },
  {
    name: 'sandbox: time',
    description: 'Move the time instead of waiting.',
    paths: ['clock', 'timers'].map(sandbox),
  },
  {
    name: 'sandbox: provoke',
    description: 'Faults, money and the embedded chains.',
    paths: ['faults', 'faucet', 'chains'].map(sandbox),
  },
  { name: 'sandbox: look', description: 'Everything that happened.', paths: ['/sandbox/v1'] },
  {
    name: 'program',
    description: 'Health, metrics, pages, and the embedded chains themselves.',
    paths: ['/'],
  },
];

function sandbox(noun: string): string {
  return `/sandbox/v1/${noun}`;
}

export const tagOf = (path: string): string =>
  TAGS.find(({ paths }) => paths.some(beginning => path.startsWith(beginning)))!.name;

export const tags = TAGS.map(({ name, description }) => ({ name, description }));
