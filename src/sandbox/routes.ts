import type { ServedBy } from '../contract/tenancy.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { assessmentEndpoints } from './assessments.ts';
import { balanceEndpoints } from './balances.ts';
import { callbackEndpoints } from './callbacks.ts';
import { chainEndpoints } from './chains.ts';
import { checkEndpoints } from './checks.ts';
import { clockEndpoints, resetEndpoints } from './clock.ts';
import type { SandboxDeps } from './deps.ts';
import { eventEndpoints } from './events/routes.ts';
import { exchangeEndpoints } from './exchanges.ts';
import { faultEndpoints } from './faults.ts';
import { healthEndpoints } from './health.ts';
import { infoEndpoints } from './info.ts';
import { ivms101Endpoints } from './ivms101.ts';
import { receivedPaymentEndpoints } from './received-payments.ts';
import { referenceVaspEndpoints } from './reference-vasp.ts';
import { scenarioEndpoints } from './scenarios.ts';
import { statisticsEndpoints } from './statistics.ts';
import { timelineEndpoints } from './timeline.ts';
import { transferEndpoints } from './transfers.ts';
import { userEndpoints } from './users.ts';
import { signingEndpoints, vaspEndpoints } from './vasps.ts';
import { verificationEndpoints } from './verifications.ts';
import { whyEndpoints } from './why.ts';

/** `/sandbox/v1`: control of the sandbox. Everything concerns only the calling VASP. By the processes that have it. */
export const sandboxEndpoints = (deps: SandboxDeps): Record<ServedBy, Endpoint[]> => ({
  all: [
    ...infoEndpoints(deps),
    ...vaspEndpoints(deps),
    ...ivms101Endpoints(deps),
    ...clockEndpoints(deps),
    ...timelineEndpoints(deps),
    ...whyEndpoints(deps),
    ...exchangeEndpoints(deps),
    ...faultEndpoints(deps),
    ...resetEndpoints(deps),
    ...eventEndpoints(deps),
    // Those of a robot without an enclave are its reports.
    ...callbackEndpoints(deps),
    ...verificationEndpoints(deps),
    ...healthEndpoints(deps),
    ...statisticsEndpoints(deps),
  ],
  enclave: [...signingEndpoints(deps), ...checkEndpoints(deps), ...assessmentEndpoints(deps)],
  robot: [
    ...userEndpoints(deps),
    ...receivedPaymentEndpoints(deps),
    ...chainEndpoints(deps),
    ...transferEndpoints(deps),
    ...balanceEndpoints(deps),
  ],
  both: [...scenarioEndpoints(deps), ...referenceVaspEndpoints(deps)],
});
