import { didYouMean } from '../kernel/did-you-mean.ts';
import { command, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

/** Pages of the console by the name that the command takes. */
const PAGES = {
  overview: '',
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
} as const;
const NAMES = Object.keys(PAGES) as (keyof typeof PAGES)[];

const FILTERS = {
  search: { value: '<text>', meaning: 'verifications: text to find' },
  result: { value: '<result>', meaning: 'verifications: result' },
  symbol: { value: '<symbol>', meaning: 'verifications: asset' },
  status: { value: '<status>', meaning: 'callbacks: status' },
} as const;

export const open = command({
  name: 'open',
  summary: 'prints the address of a page of the console, with filters',
  details: 'Give it to your browser, such as `xdg-open $(robot-vasp open callbacks)`.',
  argument: {
    name: '<page>',
    meaning: `${NAMES.join(', ')}; default: overview`,
    isOptional: true,
  },
  options: {
    url: CONNECTION.url,
    verification: {
      value: '<uuid>',
      meaning: 'one verification; after a page with a filter: what belongs to it',
    },
    ...FILTERS,
    lang: { value: '<language>', meaning: 'language of the page, such as ko' },
  },
  exits: { 3: CONNECTION_EXITS[3] },
  examples: [
    'robot-vasp open',
    'robot-vasp open verifications --result DENIED',
    'robot-vasp open --verification 8db7ee2a-12a2-4cc2-9297-917c3b5176cc',
    'robot-vasp open exchanges --verification 8db7ee2a-12a2-4cc2-9297-917c3b5176cc',
  ],
  async run({ argument, values, print }) {
    if (argument !== undefined && !Object.hasOwn(PAGES, argument))
      throw wrongUsage(
        `there is no page \`${argument}\`.${didYouMean(argument, NAMES)} Pages: ${NAMES.join(', ')}`,
      );
    const api = connect({ url: values.url, 'api-key': undefined });
    await api.call('GET', '/healthcheck');
    const { verification, search, result, symbol, status, lang } = values;
    const isOfOne = argument === undefined && verification !== undefined;
    const path = isOfOne
      ? `/verifications/${encodeURIComponent(verification)}`
      : PAGES[(argument ?? 'overview') as keyof typeof PAGES];
    const filters = {
      verificationUuid: isOfOne ? undefined : verification,
      search,
      result,
      symbol,
      status,
      lang,
    };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
    const url = `${api.url}/console${path}${query.size > 0 ? `?${query}` : ''}`;
    print(url, { url });
    return 0;
  },
});
