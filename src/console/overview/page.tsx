import { CallbackTable } from '../components/callback-table.tsx';
import { Empty } from '../components/empty.tsx';
import { Fold } from '../components/fold.tsx';
import { ReferenceVasp, referenceVaspActions, referenceVaspOf } from '../components/reference-vasp.tsx';
import { VerificationTable } from '../components/verification-table.tsx';
import type { Page } from '../page.ts';
import { AttentionList } from './attention-list.tsx';
import { Chains } from './chains.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Identity } from './identity.tsx';

const LATEST = 5;

export const overview: Page = {
  path: '',
  title: 'Overview',
  group: 'Test',
  isLive: true,
  actions: referenceVaspActions,
  async render({ api, origin }) {
    const [info, clock, health, { verifications }, { callbacks }, reference] = await Promise.all([
      api.info(),
      api.clock(),
      api.health(),
      api.verifications({ limit: LATEST }),
      api.callbacks({ order: 'newest', limit: LATEST }),
      referenceVaspOf(api),
    ]);
    const isNew = verifications.length === 0;
    const steps = <FirstSteps origin={origin} info={info} />;
    return (
      <>
        <Identity info={info} clock={clock} health={health} />
        <AttentionList of={health.attention} />
        {reference ? <ReferenceVasp state={reference} at="/console" /> : null}
        {isNew ? steps : null}
        <Chains health={health} info={info} origin={origin} />
        <h2>Latest verifications</h2>
        {isNew ? (
          <Empty>
            None yet. <a href="/console/send">Send the first one</a>.
          </Empty>
        ) : (
          <VerificationTable rows={verifications} />
        )}
        <h2>Latest callbacks</h2>
        {callbacks.length > 0 ? (
          <CallbackTable rows={callbacks} replayAt="/console/callbacks/replay" />
        ) : (
          <Empty>None yet. The first one comes after a verification.</Empty>
        )}
        {isNew ? null : (
          <Fold id="first-steps" summary="First steps and addresses to configure">
            {steps}
          </Fold>
        )}
      </>
    );
  },
};
