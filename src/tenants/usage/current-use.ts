import type { QuotaName } from '../../contract/quotas.ts';
import type { TenantsDeps } from '../deps.ts';

/** The present use of a quota by a VASP. `besides`: the id of the thing that is about to be replaced. */
export async function currentUse(
  { sandbox, usage }: TenantsDeps,
  vaspId: string,
  quota: QuotaName,
  besides?: string,
): Promise<number> {
  switch (quota) {
    case 'users': {
      const users = (await sandbox.robot.usersOf(vaspId)).all();
      return users.filter(({ source, id }) => source === 'added' && id !== besides).length;
    }
    case 'faults':
      return sandbox.faults.active(vaspId).length;
    case 'runs':
      return sandbox.plans.list(vaspId).filter(({ endedAt }) => endedAt === null).length;
    case 'verificationsKept':
      return sandbox.enclave.countOf(vaspId);
    default:
      return usage.usedToday(vaspId, quota);
  }
}
