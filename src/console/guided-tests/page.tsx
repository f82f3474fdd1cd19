import { ReferenceVasp, referenceVaspActions, referenceVaspOf } from '../components/reference-vasp.tsx';
import { AssetChoice } from '../components/test-run.tsx';
import type { Page } from '../page.ts';

const PATH = '/console/tests';

/** The way into both guided tests. */
export const guidedTests: Page = {
  path: '/tests',
  title: 'Guided tests',
  group: 'Test',
  isLive: true,
  actions: referenceVaspActions,
  async render({ api }) {
    const reference = await referenceVaspOf(api);
    return (
      <>
        <p>
          A guided test plays one payment from the first question to the balance. Each step makes one call of
          a real VASP and shows what was sent and what came back.
        </p>
        {reference ? <ReferenceVasp state={reference} at={PATH} /> : null}
        <div class="cards">
          <article>
            <h2>
              <a href={`${PATH}/withdrawal`}>Withdrawal test</a>
            </h2>
            <p>Your customer pays a user of the robot: verify, pay, report, look at the balance.</p>
            <AssetChoice path={`${PATH}/withdrawal`} of="Withdrawal test" />
          </article>
          <article>
            <h2>
              <a href={`${PATH}/deposit`}>Deposit test</a>
            </h2>
            <p>The robot pays your customer: verify, pay, get the report, ask for the status.</p>
            <AssetChoice path={`${PATH}/deposit`} of="Deposit test" />
          </article>
        </div>
      </>
    );
  },
};
