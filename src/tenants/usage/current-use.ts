import type { QuotaName } from '../../contract/quotas.ts';
import { actAs } from '../../contract/tenancy.ts';
import type { TenantsDeps } from '../deps.ts';
import { isOver } from '../keys/store.ts';

/** The present use of a quota by a VASP. `besides`: the id of the thing that is about to be replaced. */
export async function currentUse(
  { sandbox, keys, usage, now }: TenantsDeps,
  vaspId: string,
  quota: QuotaName,
  besides?: string,
): Promise<number> {
  const caller = actAs(vaspId);
  switch (quota) {
    case 'keys':
      return keys.ofVasp(vaspId).filter(key => !isOver(key, now())).length;
    case 'users': {
      const users = (await sandbox.robot.usersOf(caller)).all();
      return users.filter(({ source, id }) => source === 'added' && id !== besides).length;
    }
    case 'faults':
      return sandbox.faults.active(caller).length;
    case 'runs':
      return sandbox.plans.list(caller).filter(({ endedAt }) => endedAt === null).length;
    case 'verificationsKept':
      return sandbox.enclave.countOf(caller);
    default:
      return usage.usedToday(vaspId, quota);
  }
}
