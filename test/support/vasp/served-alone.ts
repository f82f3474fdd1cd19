import { silentLog } from '../../../src/kernel/log.ts';
import { systemRandom } from '../../../src/kernel/random.ts';
import type { Registration } from '../../../src/vasps/http-client.ts';
import type { Vasp } from '../../../src/vasps/port.ts';
import { serveVasp } from '../../../src/vasps/serve-vasp.ts';

/** A VASP behind HTTP that keeps no exchanges. */
export const servedAlone = (vasp: Vasp, authorization: Registration['authorization']) =>
  serveVasp(vasp, {
    authorization,
    counterpartyOf: () => undefined,
    now: () => 0,
    exchanges: { record: () => {}, position: () => 0 },
    random: systemRandom,
    log: silentLog,
  });
