import { expect, onTestFinished, test } from 'vitest';
import { asCaller } from '../../src/contract/tenancy.ts';
import { openDb } from '../../src/db/open.ts';
import { insertRow } from '../../src/db/prepared-statements.ts';
import { verifications } from '../../src/db/schema/enclave.ts';
import { exchanges } from '../../src/db/schema/runtime.ts';
import { write } from '../../src/db/transaction.ts';
import { countsSince } from '../../src/enclave/verification/search-store.ts';
import type { SandboxDeps } from '../../src/sandbox/deps.ts';
import { exchangeStore } from '../../src/sandbox/exchanges/store.ts';
import { readStatistics } from '../../src/sandbox/statistics.ts';

const HOUR_MS = 3_600_000;
const NOW = 1_000 * HOUR_MS + 5;
const OWN = asCaller('1');

test('statistics count results by hour, and calls by operation and duration', () => {
  const db = openDb(':memory:');
  onTestFinished(() => db.close());
  const verification = (n: number, createdAt: number, status: 'VERIFIED' | 'DENIED', from = '1') => ({
    uuid: `uuid-${n}`,
    status,
    keyType: 'PerVasp' as const,
    requiredBeneficiaryInfo: '',
    symbol: 'ETH',
    amount: '1',
    isExceedingThreshold: false,
    tradePrice: '1',
    tradeCurrency: 'KRW',
    tradeISODatetime: '',
    originatingVaspId: from,
    originatorAccountNumber: '',
    originatorAccountKey: '',
    beneficiaryVaspId: from === '1' ? '2' : '1',
    beneficiaryAccountNumber: '',
    beneficiaryAccountKey: '',
    payloadVersion: '1',
    ivms101Originator: { originatorPersons: [], accountNumber: [''] },
    originatingVaspName: '',
    ivms101Beneficiary: { beneficiaryPersons: [], accountNumber: [''] },
    beneficiaryVaspName: '',
    createdAt,
  });
  const call = (operation: string, durationMs: number, status: number | null) => ({
    vaspId: OWN,
    direction: 'OUT' as const,
    operation,
    method: 'POST',
    url: '',
    status,
    durationMs,
    at: NOW,
  });
  write(db, tx => {
    insertRow(tx, verifications, verification(1, NOW, 'VERIFIED'));
    insertRow(tx, verifications, verification(2, NOW - 1, 'VERIFIED', '2'));
    insertRow(tx, verifications, verification(3, NOW - HOUR_MS, 'DENIED'));
    insertRow(tx, verifications, verification(4, NOW - 24 * HOUR_MS, 'DENIED'));
    for (let n = 1; n <= 18; n++) insertRow(tx, exchanges, call('callback', n, 200));
    for (let n = 0; n < 2; n++) insertRow(tx, exchanges, call('callback', 3_000, 500));
    insertRow(tx, exchanges, call('callback', 7, null));
    insertRow(tx, exchanges, call('verifyUser', 7, null));
    insertRow(tx, exchanges, { ...call('verifyUser', 7, 200), direction: 'IN' });
  });
  const deps = {
    clock: { now: () => NOW },
    enclave: { countsSince: countsSince.bind(undefined, db) },
    exchanges: exchangeStore(db),
  } as unknown as SandboxDeps;
  const { hours, latencies } = readStatistics(deps, OWN);
  const none = { OPEN: 0, VERIFIED: 0, DENIED: 0, UNKNOWN: 0, ERROR: 0 };
  expect(hours).toHaveLength(24);
  expect(hours.slice(-2).map(hour => hour.results)).toEqual([
    { ...none, DENIED: 1 },
    { ...none, VERIFIED: 2 },
  ]);
  expect(hours.slice(0, -2).every(hour => hour.results.DENIED === 0)).toBe(true);
  expect(latencies).toEqual([
    { operation: 'callback', count: 21, unanswered: 1, p50: 10, p95: 3_000, histogram: [9, 9, 0, 0, 0, 0, 0, 0, 2, 0] },
    {
      operation: 'verifyUser',
      count: 1,
      unanswered: 1,
      p50: null,
      p95: null,
      histogram: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    },
  ]);
});
