import type { Answers } from '../../client/client.ts';
import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { ActionForm, Field } from '../components/form.tsx';
import { ReferenceVasp, referenceVaspActions, referenceVaspOf } from '../components/reference-vasp.tsx';
import { InlineCode, Prose } from '../components/text.tsx';
import { Badge, VerificationLink } from '../components/values.tsx';
import type { Action, Page } from '../page.ts';
import { fill, useTexts } from '../texts/languages.ts';

const PATH = '/console/tests';
/** Each test is one module of the plan. */
const TESTS = [
  { title: 'Withdrawal test', key: 'withdrawal', module: 'W4.1' },
  { title: 'Deposit test', key: 'deposit', module: 'D3' },
] as const;

const start: Action = async ({ api }, { module = '', symbol = '' }) => {
  const { id } = await api.startRun({ plan: 'complete', modules: [module], symbols: [symbol as 'ETH'] });
  return { goTo: `/console/checks/${id}` };
};

type Step = Answers['sendTransfer']['steps'][number];

/** Every step, and where to look. The notice has the text of `told`. */
const Steps = ({ of, told, uuid }: { of: readonly Step[]; told: Step; uuid: string | null }) => (
  <>
    <ol>
      {of.map(each => (
        <li>
          <Badge of={each.step} tone={each.done ? 'good' : 'bad'} />{' '}
          {each === told ? null : <InlineCode text={each.text} />}
        </li>
      ))}
    </ol>
    {uuid === null ? null : (
      <p>
        {useTexts().verification.verification} <VerificationLink uuid={uuid} />
      </p>
    )}
  </>
);

const send: Action = async ({ api }, { symbol = '', amount = '', to = '', lastName = '', firstName = '' }) => {
  const order = {
    symbol: symbol as 'ETH',
    amount: amount.trim(),
    ...(to.trim() ? { to: to.trim() } : {}),
    ...(lastName || firstName ? { customer: { lastName, firstName } } : {}),
  };
  const { steps, verificationUuid } = await api.sendTransfer(order);
  const told = steps.find(({ done }) => !done) ?? steps.at(-1)!;
  return {
    kind: told.done ? 'done' : 'failed',
    text: told.text,
    detail: <Steps of={steps} told={told} uuid={verificationUuid} />,
  };
};

/** One withdrawal or one deposit as a run, played by one's own VASP or by the reference VASP. */
export const guidedTests: Page = {
  path: '/tests',
  title: 'Single test run',
  group: 'Test',
  servedBy: 'both',
  isLive: true,
  actions: { ...referenceVaspActions, start, send },
  async render({ api, texts: { pages, tests, user } }) {
    const [reference, { chains }] = await Promise.all([referenceVaspOf(api), api.info()]);
    return (
      <>
        <p>{tests.intro}</p>
        {reference ? <ReferenceVasp state={reference} at={PATH} /> : null}
        <div class="cards">
          {TESTS.map(({ title, key, module }) => (
            <article>
              <h2>{pages[title]}</h2>
              <p>{tests[key]}</p>
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
          <article>
            <h2>{tests.send}</h2>
            <p>{chains.every(({ embedded }) => embedded) ? tests.sendMeaning : tests.sendByUrl}</p>
            <ActionForm to={`${PATH}/send`} label={tests.send}>
              <Field name="symbol" label={tests.asset} options={ASSET_SYMBOLS} />
              <Field name="amount" label={tests.amount} value="0.5" required />
              <Field name="to" label={tests.to} placeholder={tests.toHint} code />
              <Field name="lastName" label={user.lastName} />
              <Field name="firstName" label={user.firstName} />
            </ActionForm>
          </article>
        </div>
        <p class="next-step">
          <Prose of={tests.next} />
        </p>
      </>
    );
  },
};
