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
  async render({ api, texts: { pages, tests } }) {
    const reference = await referenceVaspOf(api);
    return (
      <>
        <p>{tests.intro}</p>
        {reference ? <ReferenceVasp state={reference} at={PATH} /> : null}
        <div class="cards">
          <article>
            <h2>
              <a href={`${PATH}/withdrawal`}>{pages['Withdrawal test']}</a>
            </h2>
            <p>{tests.withdrawal}</p>
            <AssetChoice path={`${PATH}/withdrawal`} of={pages['Withdrawal test']} />
          </article>
          <article>
            <h2>
              <a href={`${PATH}/deposit`}>{pages['Deposit test']}</a>
            </h2>
            <p>{tests.deposit}</p>
            <AssetChoice path={`${PATH}/deposit`} of={pages['Deposit test']} />
          </article>
        </div>
      </>
    );
  },
};
