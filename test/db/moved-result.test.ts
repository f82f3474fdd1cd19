import { expect, test } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { write } from '../../src/db/transaction.ts';
import { wholeCallbacks } from '../../src/db/whole-exchanges.ts';
import * as callbacks from '../../src/enclave/callbacks/store.ts';
import * as verifications from '../../src/enclave/verification/store.ts';
import { importRows, rowsOfVasp } from '../../src/tenants/vasps/move-store.ts';
import { verification } from '../support/db/verification.ts';

test('a result says the same in another cell, where its other VASP came before the answer', () => {
  const [here, there] = [openDb(':memory:'), openDb(':memory:')];
  const open = verification('33e4cad7-8b84-4339-b509-5578118125fc');
  const row = { verificationUuid: open.uuid, receiverVaspId: '1', name: 'n', status: 'PENDING', createdAt: 1 } as const;
  write(there, tx => void verifications.insert(tx, open));
  write(here, tx => {
    const ivms101Answer = { beneficiaryPersons: [], accountNumber: ['the answer'] };
    verifications.insert(tx, { ...open, status: 'VERIFIED', reason: 'OK', ivms101Answer });
    callbacks.insert(tx, { ...row, callbackType: 'VERIFICATION_RESULT', data: {} });
  });
  write(there, tx => importRows(tx, JSON.parse(JSON.stringify(rowsOfVasp(here, '1')))));
  const said = wholeCallbacks(here).all()[0]!.data;
  expect(said).toHaveProperty('ivms101.beneficiary.accountNumber', ['the answer']);
  expect(wholeCallbacks(there).all()[0]!.data).toEqual(said);
  for (const db of [here, there]) db.close();
});
