import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actAs } from '../../src/contract/tenancy.ts';
import { openDb } from '../../src/db/open.ts';
import { type Tx, write } from '../../src/db/transaction.ts';
import { insertMoved, transition } from '../../src/db/transition.ts';
import { deleteVaspData, deleteVerifications } from '../../src/enclave/delete-vasp-data.ts';
import { countAll } from '../../src/enclave/verification/counts-store.ts';
import { verificationStatus } from '../../src/enclave/verification/machine.ts';
import * as verifications from '../../src/enclave/verification/store.ts';
import { verification } from '../support/db/verification.ts';

const VASPS = ['1', '2', '3'];
const vasp = fc.constantFrom(...VASPS);
const uuid = fc.nat(9).map(String);
const act = fc.oneof(
  fc.record({ kind: fc.constant('open'), from: vasp, to: vasp, symbol: fc.constantFrom('ETH', 'XRP'), uuid }),
  fc.record({ kind: fc.constant('answered'), from: vasp, to: vasp, symbol: fc.constant('ETH'), uuid }),
  fc.record({ kind: fc.constant('verified'), uuid }),
  fc.record({ kind: fc.constant('error-reported'), uuid }),
  fc.record({ kind: fc.constant('deleted'), uuid }),
  fc.record({ kind: fc.constant('forgotten'), of: vasp }),
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

const row = ({ from, to, symbol, uuid: id }: Extract<Act, { from: string }>) => ({
  ...verification(id),
  symbol,
  originatingVaspId: from,
  beneficiaryVaspId: to,
});

const CHANGE = { at: 5, cause: 'the test' };

function play(tx: Tx, each: Act): void {
  if ('of' in each) return deleteVaspData({ residentVaspId: actAs('3') }, tx, each.of);
  const stored = verifications.find(tx, each.uuid);
  if ('from' in each) {
    if (stored) return;
    if (each.kind === 'open') verifications.insert(tx, row(each));
    else insertMoved(tx, verificationStatus, row(each), 'verified', CHANGE);
  } else if (each.kind === 'deleted') deleteVerifications(tx, [each.uuid]);
  else if (stored?.status === (each.kind === 'verified' ? 'OPEN' : 'VERIFIED'))
    transition(tx, verificationStatus, stored, each.kind as 'verified', CHANGE);
}

const COUNTED = `SELECT vasp_id, action_type, status, symbol, count FROM enclave_verification_counts
  WHERE count <> 0 ORDER BY 1, 2, 3, 4`;
const ACTUAL = `SELECT originating_vasp_id, iif(originating_vasp_id = beneficiary_vasp_id, 'BOTH', 'SEND'), status, symbol, count(*)
  FROM enclave_verifications GROUP BY 1, 2, 3, 4
  UNION ALL SELECT beneficiary_vasp_id, 'RECEIVE', status, symbol, count(*) FROM enclave_verifications
  WHERE originating_vasp_id <> beneficiary_vasp_id GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;

test('the counts of verifications are those of the rows, whatever comes, moves and goes', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 30 }), acts => {
      const db = openDb(':memory:');
      for (const each of acts) write(db, tx => play(tx, each));
      const rowsOf = (text: string) => db.sqlite.prepare(text).raw().all();
      expect(rowsOf(COUNTED)).toEqual(rowsOf(ACTUAL));
      for (const each of VASPS)
        expect(countAll(db, each)).toBe(
          db.sqlite
            .prepare(
              'SELECT count(*) FROM enclave_verifications WHERE ? IN (originating_vasp_id, beneficiary_vasp_id)',
            )
            .pluck()
            .get(each),
        );
      db.close();
    }),
  );
});

test('a VASP that is forgotten leaves no count', () => {
  const db = openDb(':memory:');
  write(db, tx => play(tx, { kind: 'open', from: '1', to: '2', symbol: 'ETH', uuid: 'a' }));
  write(db, tx => play(tx, { kind: 'forgotten', of: '1' }));
  expect(db.sqlite.prepare('SELECT count(*) FROM enclave_verification_counts').pluck().get()).toBe(0);
  db.close();
});
