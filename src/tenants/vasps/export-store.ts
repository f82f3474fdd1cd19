import { and, eq, inArray, like } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import * as enclave from '../../db/schema/enclave.ts';
import { expectations } from '../../db/schema/expectations.ts';
import * as plans from '../../db/schema/plans.ts';
import * as robot from '../../db/schema/robot.ts';
import * as runtime from '../../db/schema/runtime.ts';
import { uuidsOfVasp } from '../../db/verification-uuids.ts';
import { wholeExchanges } from '../../db/whole-exchanges.ts';

export type RowsOfVasp = ReturnType<typeof rowsOfVasp>;

/** Everything that is stored about a VASP and its verifications, by kind. Without registration and keys. */
export function rowsOfVasp(db: Db, vaspId: string) {
  const { orm } = db;
  const { verifications, callbacks, callbackAttempts, assessments } = enclave;
  const callbackIds = orm.select({ id: callbacks.id }).from(callbacks).where(eq(callbacks.receiverVaspId, vaspId));
  const history = orm
    .select()
    .from(runtime.history)
    .where(inArray(runtime.history.verificationUuid, uuidsOfVasp(db, vaspId)))
    .orderBy(runtime.history.id)
    .all()
    // The other VASP of a verification has lines of its own.
    .map(row => ({ ...row, lines: row.lines.map(line => ((line?.vaspId ?? vaspId) === vaspId ? line : null)) }));
  return {
    verifications: orm
      .select()
      .from(verifications)
      .where(inArray(verifications.uuid, uuidsOfVasp(db, vaspId)))
      .all(),
    callbacks: orm.select().from(callbacks).where(eq(callbacks.receiverVaspId, vaspId)).all(),
    callbackAttempts: orm
      .select()
      .from(callbackAttempts)
      .where(inArray(callbackAttempts.callbackId, callbackIds))
      .all(),
    assessments: orm.select().from(assessments).where(eq(assessments.callerVaspId, vaspId)).all(),
    history,
    findings: orm.select().from(runtime.findings).where(eq(runtime.findings.vaspId, vaspId)).all(),
    exchanges: wholeExchanges(db).where(eq(runtime.exchanges.vaspId, vaspId)).all(),
    faults: orm.select().from(runtime.faults).where(eq(runtime.faults.vaspId, vaspId)).all(),
    timers: orm
      .select()
      .from(runtime.timers)
      .where(and(eq(runtime.timers.owner, vaspId), like(runtime.timers.kind, 'enclave.%')))
      .all(),
    expectations: orm.select().from(expectations).where(eq(expectations.vaspId, vaspId)).all(),
    deposits: orm.select().from(robot.deposits).where(eq(robot.deposits.vaspId, vaspId)).all(),
    submissions: orm.select().from(robot.submissions).where(eq(robot.submissions.vaspId, vaspId)).all(),
    transfers: orm.select().from(robot.transfers).where(eq(robot.transfers.vaspId, vaspId)).all(),
    users: orm.select().from(robot.users).where(eq(robot.users.vaspId, vaspId)).all(),
    answers: orm.select().from(robot.answers).where(eq(robot.answers.vaspId, vaspId)).all(),
    runs: orm.select().from(plans.runs).where(eq(plans.runs.vaspId, vaspId)).all(),
  };
}
