import { eq, or } from 'drizzle-orm';
import { verifications } from './schema/enclave.ts';
import type { Tx } from './transaction.ts';

/** The verifications of a VASP, sent and received, as a subquery of uuids. */
export const uuidsOfVasp = (tx: Tx, vaspId: string) =>
  tx.orm
    .select({ uuid: verifications.uuid })
    .from(verifications)
    .where(or(eq(verifications.originatingVaspId, vaspId), eq(verifications.beneficiaryVaspId, vaspId)));
