import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { write } from '../../db/transaction.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { addFault } from './add.ts';
import { listFaults } from './list.ts';
import { FaultEntry, FaultRequest, FaultsRemoved, FaultsResponse } from './schema.ts';

const ALL = { operation: 'sandbox', refusals: [], path: '/sandbox/v1/faults' } as const;
const ONE = { ...ALL, path: '/sandbox/v1/faults/:id' } as const;

/** `/sandbox/v1/faults`: a VASP orders faults for itself. */
export const faultEndpoints = (deps: SandboxDeps): Endpoint[] => [
  endpoint({
    ...ALL,
    method: 'GET',
    summary: 'List the active faults of this VASP and every fault that can be ordered',
    response: FaultsResponse,
    run: (_, caller) => listFaults(deps, caller),
  }),
  endpoint({
    ...ALL,
    method: 'PUT',
    summary: 'Order a fault; it replaces one of the same target, verification and mode',
    refusals: ['verification-missing'],
    conditionallyRequired: ['delay', 'status'],
    examples: {
      'two callbacks': {
        summary: 'The next two callbacks are answered with 503, then they succeed',
        body: { target: 'callback', mode: 'status', status: 503, times: 2 },
      },
      'a late answer': {
        summary: 'The robot answers the next user verification too late: REQUEST-TIMEOUT',
        body: { target: 'robot.verifyUser', mode: 'delay', delay: '6s', times: 1 },
      },
      'an answer that is lost': {
        summary: 'The connection of your next call breaks off before the answer; the call still takes effect',
        body: { target: 'answer', mode: 'drop', times: 1 },
      },
    },
    body: FaultRequest,
    response: FaultEntry,
    run: ({ body }, caller) => addFault(deps, body, caller),
  }),
  endpoint({
    ...ALL,
    method: 'DELETE',
    summary: 'Remove every fault of this VASP',
    response: FaultsRemoved,
    run: (_, caller) => removeFaults(deps, caller),
  }),
  endpoint({
    ...ONE,
    method: 'DELETE',
    summary: 'Remove one fault',
    refusals: ['not-found'],
    precondition: 'fault-ordered',
    response: FaultsRemoved,
    run: ({ params }, caller) => removeFault(deps, params.id, caller),
  }),
];

function removeFault(deps: SandboxDeps, id: string, caller: CallerId) {
  if (!/^\d{1,15}$/.test(id) || !deps.faults.remove(caller, Number(id)))
    throw refusals.notFound(`Fault(${id.slice(0, 64)})`);
  return { removed: 1 };
}

function removeFaults(deps: SandboxDeps, caller: CallerId) {
  const removed = deps.faults.active(caller).length;
  write(deps.db, tx => deps.faults.removeOf(tx, caller));
  return { removed };
}
