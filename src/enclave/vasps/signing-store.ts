import { and, eq, lte, sql } from 'drizzle-orm';
import { vacuum } from '../../db/archive.ts';
import type { Db } from '../../db/open.ts';
import { deleteRows, findRows, insertRow, updateRows } from '../../db/prepared-statements.ts';
import { signingSecrets as secrets } from '../../db/schema/enclave.ts';
import { afterCommit, type Tx, write } from '../../db/transaction.ts';
import { pick } from '../../kernel/members.ts';
import type { Random } from '../../kernel/random.ts';
import type { SecretBox } from '../../kernel/secrets.ts';
import { SECRET_PREFIX } from '../../vasps/http-client.ts';

/** The secrets with which callbacks are signed, stored encrypted. Times are those of the machine, epoch ms. */
export type SigningSecrets = ReturnType<typeof signingSecretStore>;

export type SealedSecret = Pick<typeof secrets.$inferSelect, 'secret' | 'createdAt' | 'expiresAt'>;

/** Each callback is signed with each active secret. */
const MAX_ACTIVE = 5;

const place = (vaspId: string): string => `${vaspId} signingSecret`;

export function signingSecretStore(db: Db, box: SecretBox, random: Random, now: () => number) {
  sealAgain(db, box);
  const storedOf = (vaspId: string): SealedSecret[] =>
    findRows(db, secrets, { vaspId }, 'id').map(row => pick(row, 'secret', 'createdAt', 'expiresAt'));

  /** Every callback asks for the secrets of its VASP. */
  const kept = new Map<string, SealedSecret[]>();
  const readOf = (vaspId: string) => {
    const rows = kept.get(vaspId) ?? storedOf(vaspId).reverse();
    kept.set(vaspId, rows);
    return rows;
  };
  const readAgain = (tx: Tx, vaspId: string) => afterCommit(tx, () => void kept.delete(vaspId));

  return {
    /** The active ones, newest first. Empty: callbacks to this VASP are not signed. */
    of: (vaspId: string) =>
      readOf(vaspId)
        .filter(({ expiresAt }) => expiresAt === null || expiresAt > now())
        .map(({ secret }) => box.open(secret, place(vaspId))),
    /** Adds a new secret and returns it. The newest before it stay active for `overlapMs`. */
    roll(tx: Tx, vaspId: string, overlapMs: number): string {
      const at = now();
      const secret = SECRET_PREFIX + Buffer.from(random.secret(), 'base64url').toString('base64');
      tx.orm
        .delete(secrets)
        .where(and(eq(secrets.vaspId, vaspId), lte(secrets.expiresAt, at)))
        .run();
      tx.orm
        .update(secrets)
        .set({ expiresAt: sql`min(coalesce(${secrets.expiresAt}, ${at + overlapMs}), ${at + overlapMs})` })
        .where(eq(secrets.vaspId, vaspId))
        .run();
      insertRow(tx, secrets, { vaspId, secret: box.seal(secret, place(vaspId)), createdAt: at });
      for (const { id } of findRows(tx, secrets, { vaspId }, 'id').slice(0, -MAX_ACTIVE))
        deleteRows(tx, secrets, { id });
      readAgain(tx, vaspId);
      return secret;
    },
    /** As they are stored: encrypted. */
    sealed: storedOf,
    /** Secrets of another database, encrypted with one of the keys of this one. Throws `StartProblem`. */
    adopt(tx: Tx, vaspId: string, sealed: readonly SealedSecret[]): void {
      for (const { secret, createdAt, expiresAt } of sealed) {
        const sealedHere = box.seal(box.open(secret, place(vaspId)), place(vaspId));
        insertRow(tx, secrets, { vaspId, secret: sealedHere, createdAt, expiresAt });
      }
      readAgain(tx, vaspId);
    },
    removeOf(tx: Tx, vaspId: string): void {
      deleteRows(tx, secrets, { vaspId });
      readAgain(tx, vaspId);
    },
  };
}

/** Secrets that an earlier DATA_KEY encrypted are encrypted with the present one. */
function sealAgain(db: Db, box: SecretBox): void {
  const rows = findRows(db, secrets, {});
  if (rows.every(({ secret }) => box.isCurrent(secret))) return;
  write(db, tx => {
    for (const { id, vaspId, secret } of rows)
      updateRows(tx, secrets, { id }, { secret: box.seal(box.open(secret, place(vaspId)), place(vaspId)) });
  });
  vacuum(db);
}
