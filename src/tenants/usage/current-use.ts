import type { QuotaName } from '../../contract/quotas.ts';
import { actAs } from '../../contract/tenancy.ts';
import type { TenantsDeps } from '../deps.ts';
import { isOver } from '../keys/store.ts';

/** What is about to be added. It may replace something. */
interface Adding {
  params: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>> | undefined;
}

export type UseDeps = Pick<TenantsDeps, 'keys' | 'now' | 'sandbox' | 'usage'>;

/** The present use of a quota by a VASP, without what `adding` replaces. */
export async function currentUse(
  { sandbox, keys, usage, now }: UseDeps,
  vaspId: string,
  quota: QuotaName,
  adding?: Adding,
): Promise<number> {
  const caller = actAs(vaspId);
  switch (quota) {
    case 'keys':
      return keys.ofVasp(vaspId).filter(key => !isOver(key, now())).length;
    case 'users': {
      const users = (await sandbox.robot.usersOf(caller)).all();
      return users.filter(({ source, id }) => source === 'added' && id !== adding?.params.userId).length;
    }
    case 'faults':
      return sandbox.faults.active(caller, adding && faultIn(adding)).length;
    case 'runs':
      return sandbox.runs.list(caller).filter(({ endedAt }) => endedAt === null).length;
    case 'verificationsKept':
      return sandbox.enclave.countOf(caller);
    default:
      return usage.usedToday(vaspId, quota);
  }
}

type Fault = NonNullable<Parameters<UseDeps['sandbox']['faults']['active']>[1]>;

const faultIn = ({ body }: Adding): Fault => ({ verificationUuid: null, ...body }) as unknown as Fault;
