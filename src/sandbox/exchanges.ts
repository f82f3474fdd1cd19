import * as z from 'zod';
import { EXCHANGE_MEMBERS, EXCHANGE_OPERATIONS } from '../contract/plans.ts';
import { refusals } from '../contract/refusals.ts';
import { named, optional, VerificationUuid } from '../contract/text.ts';
import type { ExchangeRow } from '../db/whole-exchanges.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import type { SandboxDeps } from './deps.ts';
import { limit, nextPage, POSITION, position, total } from './parameters.ts';

export const exchangeEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(exchangeCalls.exchanges, {
    summary: 'List the HTTP exchanges with this VASP, newest first',
    run({ query }, caller) {
      const { rows, next } = deps.exchanges.listOf(caller, query);
      return { exchanges: rows.map(present), next, total: deps.exchanges.countOf(caller, query) };
    },
  }),
  control(exchangeCalls.exchange, {
    summary: 'Read one HTTP exchange with this VASP',
    refusals: ['not-found'],
    precondition: 'exchanged',
    run({ params: { id } }, caller) {
      const row = POSITION.test(id) ? deps.exchanges.find(caller, Number(id)) : undefined;
      if (!row) throw refusals.notFound('Exchange', id, '/sandbox/v1/exchanges');
      return present(row);
    },
  }),
];

const present = ({ vaspId: _, afterHistory: __, stallMs: ___, ...row }: ExchangeRow) => ({
  ...row,
  id: String(row.id),
  at: toIso(row.at),
});

/** `/exchanges` */

const ExchangeStatus = z
  .string()
  .regex(/^([1-5]\d\d|[1-5]xx|none)$/, { error: 'should be a status such as 200, a class such as 4xx, or none' })
  .meta({
    description: 'A status (`200`), a class of statuses (`4xx`), or `none`: no answer came.',
    examples: ['4xx'],
  });
const milliseconds = z
  .string()
  .regex(/^\d{1,7}$/, { error: 'should be a number of milliseconds' })
  .meta({ examples: ['500'] })
  .transform(Number);
const Headers = z.record(z.string(), z.string());

const ExchangesQuery = named('ExchangesQuery', {
  verificationUuid: optional(VerificationUuid),
  operation: optional(z.enum(EXCHANGE_OPERATIONS)).describe('`unknown`: a call that names no operation.'),
  direction: optional(z.enum(['IN', 'OUT'])).describe(
    'IN: this VASP called the sandbox; OUT: the sandbox called this VASP.',
  ),
  status: optional(ExchangeStatus),
  slow: optional(milliseconds).describe('Only exchanges that took at least this many milliseconds.'),
  before: optional(position).describe('Only earlier exchanges: `id` of the last one that was read.'),
  limit: limit.describe('The most exchanges of an answer, which also ends at about 512 KiB of bodies.'),
});
const ExchangeEntry = named('ExchangeEntry', {
  ...EXCHANGE_MEMBERS,
  connectMs: z
    .number()
    .int()
    .nullable()
    .describe(
      'Milliseconds of `durationMs` for a new connection to your VASP: DNS, TCP and TLS. All of them when it was never made; null: the exchange needed no new one.',
    ),
  headers: Headers.describe('Headers of the request. A secret is masked: `present, 43 characters, Bearer`.'),
  responseHeaders: Headers.describe('Headers of the answer, masked likewise; empty without an answer.'),
  isCheck: z.boolean().describe('A call of the endpoint check. It belongs to no verification.'),
  isRepeated: z
    .boolean()
    .describe(
      'Your VASP had closed the kept-alive connection (D-38). The next exchange is the same call on a fresh one.',
    ),
});
export const ExchangesResponse = named('ExchangesResponse', 'HTTP exchanges with this VASP, newest first.', {
  exchanges: z.array(ExchangeEntry),
  next: nextPage('before'),
  total,
});

export const exchangeCalls = calls({
  exchanges: { query: ExchangesQuery, response: ExchangesResponse },
  exchange: { response: ExchangeEntry },
});
