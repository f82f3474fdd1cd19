import { expect, test } from 'vitest';
import * as z from 'zod';
import { inProcessApi } from '../../src/app/parts/sandbox.ts';
import { asCaller } from '../../src/contract/tenancy.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { fairTurns } from '../../src/http/server.ts';
import { createLog } from '../../src/kernel/log.ts';
import { systemRandom } from '../../src/kernel/random.ts';

/** B6: a run calls the program inside its process, so nothing but its turns lets others be served. */

const CALLS = 20;

test('each call of a run takes a turn of its VASP, and another VASP is served between two of them', async () => {
  const order: string[] = [];
  const endpoint: Endpoint = {
    operation: 'sandbox',
    method: 'GET',
    path: '/sandbox/v1/info',
    summary: '',
    response: z.object({}),
    run(_, caller) {
      order.push(caller);
      return {};
    },
  };
  let atMs = 0;
  const inTurn = fairTurns(() => atMs++);
  const api = inProcessApi(() => [endpoint], {
    exchanges: { record: () => {}, position: () => 0 },
    now: () => 0,
    random: systemRandom,
    log: createLog('error'),
    turnOf: vaspId => new Promise(resolve => void inTurn(vaspId, resolve)),
  })(asCaller('the VASP of the run'));
  let isOver = false;
  const another = (): void => {
    order.push('another');
    if (!isOver) inTurn('another', another);
  };
  inTurn('another', another);
  for (let n = 0; n < CALLS; n++) await api.info();
  isOver = true;
  const gaps = order.join(' ').split('the VASP of the run').slice(1, -1);
  expect([gaps.length, gaps.filter(each => !each.includes('another'))]).toEqual([CALLS - 1, []]);
});
