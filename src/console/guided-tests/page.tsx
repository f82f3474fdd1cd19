import type { Client } from '../../client/client.ts';
import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { ActionForm } from '../components/form.tsx';
import { ReferenceVasp, referenceVaspActions, referenceVaspOf } from '../components/reference-vasp.tsx';
import { withQuery } from '../components/table.tsx';
import { Paragraph, Prose } from '../components/text.tsx';
import type { Page } from '../page.ts';
import { fill } from '../texts/languages.ts';
import { DEPOSIT } from './deposit.tsx';

const PATH = '/console/tests';
/** Each test is one module of the plan. */
const TESTS = [
  { title: 'Withdrawal test', key: 'withdrawal', module: 'W4.1' },
  // Only a driver names the customer.
  { title: 'Deposit test', key: 'deposit', module: 'D3', withoutDriver: DEPOSIT },
] as const;

async function hasDriver(api: Client): Promise<boolean> {
  const [{ vasp }, { vasps }] = await Promise.all([api.info(), api.registeredVasps()]);
  return vasps.some(({ vaspId, endpoints }) => vaspId === vasp.vaspId && endpoints.driver !== undefined);
}

/** One withdrawal or one deposit as a run, played by one's own VASP or by the reference VASP. */
export const guidedTests: Page = {
  path: '/tests',
  title: 'Single test run',
  group: 'Test',
  servedBy: 'both',
  isLive: true,
  actions: {
    ...referenceVaspActions,
    async start({ api }, { module = '', symbol = '' }) {
      const test = TESTS.find(each => each.module === module);
      if (test && 'withoutDriver' in test && !(await hasDriver(api)))
        return { goTo: withQuery(test.withoutDriver, { symbol }) };
      const { id } = await api.startRun({ plan: 'complete', modules: [module], symbols: [symbol as 'ETH'] });
      return { goTo: `/console/checks/${id}` };
    },
  },
  async render({ api, texts: { pages, tests } }) {
    const reference = await referenceVaspOf(api);
    return (
      <>
        <p>{tests.intro}</p>
        {reference ? <ReferenceVasp state={reference} at={PATH} /> : null}
        <div class="cards">
          {TESTS.map(({ title, key, module }) => (
            <article>
              <h2>{pages[title]}</h2>
              <Paragraph of={tests[key]} />
              <div class="row">
                {ASSET_SYMBOLS.map(symbol => (
                  <ActionForm
                    to={`${PATH}/start`}
                    values={{ module, symbol }}
                    label={fill(tests.inAsset, { symbol })}
                    describe={() => fill(tests.testInAsset, { test: pages[title], symbol })}
                  />
                ))}
              </div>
            </article>
          ))}
        </div>
        <p class="next-step">
          <Prose of={tests.next} />
        </p>
      </>
    );
  },
};
