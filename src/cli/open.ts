import { command, Failure } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

/** Pages of the console by the name that the command takes. */
const PAGES = {
  overview: '',
  tests: '/tests',
  ivms101: '/ivms101',
  verifications: '/verifications',
  callbacks: '/callbacks',
  exchanges: '/exchanges',
  money: '/money',
  assessments: '/assessments',
  timers: '/timers',
  faults: '/faults',
  chains: '/chains',
  users: '/users',
  checks: '/checks',
  send: '/send',
  settings: '/settings',
  keys: '/keys',
} as const;
const NAMES = Object.keys(PAGES) as (keyof typeof PAGES)[];

const FILTERS = {
  search: { value: '<text>', meaning: 'verifications: text to find' },
  result: { value: '<result>', meaning: 'verifications: result' },
  symbol: { value: '<symbol>', meaning: 'verifications: asset' },
  status: { value: '<status>', meaning: 'callbacks: status' },
} as const;

const NO_VERIFICATION = '`robot-vasp verifications` lists the verifications';
const NO_PART = 'it belongs to the other part of the program, enclave or robot';

export const open = command({
  name: 'open',
  summary: 'prints the address of a page of the console, with filters',
  details: 'Give it to your browser, such as `xdg-open $(robot-vasp open callbacks)`.',
  argument: { name: '<page>', meaning: `${NAMES.join(', ')}; default: overview`, choices: NAMES, isOptional: true },
  options: {
    url: CONNECTION.url,
    verification: { value: '<uuid>', meaning: 'one verification; after a page with a filter: what belongs to it' },
    ...FILTERS,
    lang: { value: '<language>', meaning: 'language of the page, such as ko' },
  },
  exits: CONNECTION_EXITS,
  examples: [
    'robot-vasp open',
    'robot-vasp open verifications --result DENIED',
    'robot-vasp open --verification 8db7ee2a-12a2-4cc2-9297-917c3b5176cc',
    'robot-vasp open exchanges --verification 8db7ee2a-12a2-4cc2-9297-917c3b5176cc',
  ],
  async run({ argument, values, print }) {
    const api = connect({ url: values.url, 'api-key': undefined });
    const { verification, search, result, symbol, status, lang } = values;
    const isOfOne = argument === undefined && verification !== undefined;
    const path = isOfOne
      ? `/verifications/${encodeURIComponent(verification)}`
      : PAGES[(argument ?? 'overview') as keyof typeof PAGES];
    const filters = { verificationUuid: isOfOne ? undefined : verification, search, result, symbol, status, lang };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
    const url = `${api.url}/console${path}${query.size > 0 ? `?${query}` : ''}`;
    const { status: shown } = await api.call('GET', url.slice(api.url.length));
    if (shown === 404)
      throw new Failure(4, 'NO-PAGE', `${url} does not exist there: ${isOfOne ? NO_VERIFICATION : NO_PART}.`);
    print(url, { url });
    return 0;
  },
});
