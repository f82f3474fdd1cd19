import { asc, eq, sql } from 'drizzle-orm';
import type { Fee, SignedTransfer } from '../../chains/port.ts';
import type { Db } from '../../db/open.ts';
import { insertRow, isAmong, preparedQuery, updateRows } from '../../db/prepared-statements.ts';
import { transferAttempts, transfers } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';

export type Attempt = typeof transferAttempts.$inferSelect;
type TransferId = Pick<typeof transfers.$inferSelect, 'verificationUuid'>;

/** The SQL of signed transactions. */
export function attemptStore(db: Db) {
  const p = sql.placeholder;
  const { verificationUuid } = transferAttempts;
  const inOrder = (condition: ReturnType<typeof eq>) =>
    preparedQuery(db.orm.select().from(transferAttempts).where(condition).orderBy(asc(transferAttempts.id)));
  const ofOne = inOrder(eq(verificationUuid, p('uuid')));
  const ofAll = inOrder(isAmong(verificationUuid, p('uuids')));

  return {
    /** Oldest first. */
    attemptsOf: (uuid: string): Attempt[] => ofOne.all({ uuid }),
    /** For each transfer its attempts, oldest first. */
    attemptsOfAll(transfers: readonly TransferId[]): Attempt[][] {
      const uuids = transfers.map(transfer => transfer.verificationUuid);
      const found = new Map<string, Attempt[]>(uuids.map(uuid => [uuid, []]));
      for (const attempt of ofAll.all({ uuids: JSON.stringify(uuids) }))
        found.get(attempt.verificationUuid)!.push(attempt);
      return uuids.map(uuid => found.get(uuid)!);
    },
    addAttempt(
      tx: Tx,
      { verificationUuid }: TransferId,
      sequence: number,
      fee: Fee,
      signed: SignedTransfer,
      signedAt: number,
    ) {
      const { hash, bytes, validity } = signed;
      insertRow(tx, transferAttempts, {
        verificationUuid,
        sequence,
        hash,
        bytes,
        fee,
        signedAfter: validity?.signedAfter ?? null,
        lastLedgerSequence: validity?.lastLedgerSequence ?? null,
        signedAt,
      });
      updateRows(tx, transfers, { verificationUuid }, { txHash: hash });
    },
    /** The node's answer to the broadcast of an attempt. */
    saveAnswer(tx: Tx, { id }: Attempt, answer: Pick<Attempt, 'rejection' | 'isAccepted'>) {
      updateRows(tx, transferAttempts, { id }, answer);
    },
  };
}
