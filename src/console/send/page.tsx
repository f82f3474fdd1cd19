import { type Child, useContext } from 'hono/jsx';
import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { ErrorReportData } from '../../contract/callbacks.ts';
import { REASON_CODES } from '../../contract/clauses.ts';
import { parseJson } from '../../kernel/json.ts';
import { Curl } from '../components/exchange-detail.tsx';
import { Field, OwnFields, Sent } from '../components/form.tsx';
import { withQuery } from '../components/table.tsx';
import { Empty, Fold, InlineCode } from '../components/text.tsx';
import type { Page } from '../page.ts';
import type { Texts } from '../texts/english.ts';
import { fill, useSentences, useTexts } from '../texts/languages.ts';
import { ACTIONS, type ActionId, type FieldName, SEND_GROUPS } from './actions.ts';
import { advance, send as perform } from './perform.tsx';
import { type Prepared, prepare, type Scenario, type Verification } from './prepare.ts';

interface RequestForm {
  prepared: Prepared;
  /** Query of the page: the choices. */
  query: Record<string, string>;
  origin: string;
  isSignedIn: boolean;
}

/** A request before it is sent: its important fields, its body, and a curl command. */
const RequestForm = ({ prepared, query, origin, isSignedIn }: RequestForm) => {
  const { action, scenario, path, body } = prepared;
  // As the reader has edited and sent it.
  const text = useContext(Sent).values.body ?? JSON.stringify(body, null, 2);
  const { send, requests } = useTexts();
  const say = useSentences();
  const { title, meaning } = requests[prepared.actionId];
  return (
    <article id="request" class="request">
      <div class="row">
        <h2>{scenario ? scenario.id : title}</h2>
        <button type="submit" form="send" aria-keyshortcuts="Control+Enter">
          {send.send}
        </button>
        <small>{send.orByKeys}</small>
      </div>
      <p>{scenario ? <InlineCode text={`${title}: ${say(scenario.how).replace(/\.$/, '')}.`} /> : meaning}</p>
      <Choices prepared={prepared} />
      <div class="tabbed">
        <div class="tabs" role="radiogroup" aria-label={send.views}>
          <label>
            <input type="radio" name="tab" value="request" checked /> {send.request}
          </label>
          <label>
            <input type="radio" name="tab" value="curl" /> {send.asCurl}
          </label>
        </div>
        <form id="send" method="post" action={withQuery('/console/send/send', query)}>
          <p>
            <code>{`${action.method} ${path}`}</code>
          </p>
          <OwnFields to="/console/send/send">
            {body === undefined ? null : <Field name="body" label={send.body} rows={linesOf(text)} value={text} code />}
          </OwnFields>
        </form>
        <Curl
          method={action.method}
          url={origin + path}
          body={body === undefined ? undefined : (parseJson(text) ?? text)}
          needsKey={isSignedIn}
        />
      </div>
    </article>
  );
};

/** A new choice makes a new body. Without JavaScript the button does. */
const Choices = ({ prepared }: { prepared: Prepared }) => {
  const { action, scenario, fields, verifications } = prepared;
  const { send, sendFields } = useTexts();
  if (action.about && verifications.length === 0)
    return <Empty of={fill(send.noVerificationFits, { href: firstRequest(prepared) })} />;
  return (
    <form
      method="get"
      action="/console/send"
      class="action"
      hx-get="/console/send"
      hx-trigger="change"
      hx-target="#request"
      hx-select="#request"
      hx-swap="outerHTML"
      hx-push-url="true"
    >
      <input type="hidden" name={scenario ? 'scenario' : 'action'} value={scenario ? scenario.id : prepared.actionId} />
      {fields.map(name => (
        <Field
          name={name}
          label={sendFields[name]}
          value={prepared.values[name]}
          options={OPTIONS[name]?.(prepared, sendFields)}
          placeholder={name === 'account' ? sendFields.accountHint : undefined}
          code={name === 'txHash' || name === 'account'}
        />
      ))}
      <button type="submit" class="secondary outline">
        {send.update}
      </button>
    </form>
  );
};

const firstRequest = ({ action, scenario }: Prepared): string =>
  withQuery('/console/send', {
    action: action.about?.role === 'beneficiary' ? 'robot-verify-user' : 'verify-user',
    ...(scenario ? { user: scenario.user } : {}),
  });

const MAX_LINES = 34;
const linesOf = (text: string): number => Math.min(text.split('\n').length + 1, MAX_LINES);

type Choice = readonly (string | readonly [string, string])[];
type FieldTexts = Texts['sendFields'];

const OPTIONS: Partial<Record<FieldName, (prepared: Prepared, texts: FieldTexts) => Choice>> = {
  symbol: () => ASSET_SYMBOLS,
  user: ({ info }) => info.users.map(({ id, behaviour }) => [id, userText(id, behaviour)] as const),
  verificationUuid: ({ verifications }, texts) =>
    verifications.map(each => [each.verificationUuid, verificationText(each, texts)] as const),
  result: () => ErrorReportData.shape.result.options,
  reason: () => ['USER-CANCELED', ...REASON_CODES],
  omitTxReport: (_, { robotReports, robotIsSilent }) => [
    ['false', robotReports],
    ['true', robotIsSilent],
  ],
};

const userText = (id: string, behaviour: string): string => (behaviour === 'ORDINARY' ? id : `${id} (${behaviour})`);

const verificationText = (
  { verificationUuid, amount, symbol, userId, result }: Verification,
  { noUser }: FieldTexts,
): string => `${verificationUuid.slice(0, 8)}: ${amount} ${symbol}, ${userId ?? noUser}, ${result ?? 'OPEN'}`;

/** Ready-made requests of a tested VASP: `?action=`, `?scenario=` or `?user=`, and `&symbol=`. */
export const send: Page = {
  path: '/send',
  title: 'Send',
  group: 'Test',
  servedBy: 'both',
  isLive: false,
  actions: { send: perform, advance },
  async render({ api, query, origin, isSignedIn }) {
    const [prepared, { scenarios }] = await Promise.all([prepare(api, query), api.scenarios()]);
    const current = prepared.scenario?.id ?? prepared.actionId;
    return (
      <div class="send">
        {/* First for the keyboard, beside the menu for the eye. */}
        <RequestForm {...{ prepared, query, origin, isSignedIn }} />
        <Menu scenarios={scenarios} current={current} />
      </div>
    );
  },
};

/** `current`: id of the selected action or catalogue entry. */
const Menu = ({ scenarios, current }: { scenarios: readonly Scenario[]; current: string }) => {
  const { send, requests, scenarios: titles } = useTexts();
  const say = useSentences();
  const ids = Object.keys(ACTIONS) as ActionId[];
  return (
    <nav class="send-menu" aria-label={send.whatToSend}>
      {SEND_GROUPS.map(group => (
        <>
          <h2>{send[group]}</h2>
          <ul>
            {ids
              .filter(id => ACTIONS[id].group === group)
              .map(id => (
                <Item href={withQuery('/console/send', { action: id })} isCurrent={id === current}>
                  {requests[id].title}
                </Item>
              ))}
          </ul>
        </>
      ))}
      <h2>{send.catalogue}</h2>
      {Object.entries(titles).map(([group, title]) => {
        const entries = scenarios.filter(({ id }) => id.startsWith(`${group}: `));
        return entries.length === 0 ? null : (
          <Fold id={`catalogue-${group}`} summary={title} isOpen={current.startsWith(`${group}: `)}>
            <ul>
              {entries.map(({ id }) => (
                <Item href={withQuery('/console/send', { scenario: id })} isCurrent={id === current}>
                  {say(id.slice(group.length + 2))}
                </Item>
              ))}
            </ul>
          </Fold>
        );
      })}
    </nav>
  );
};

const Item = ({ href, isCurrent, children }: { href: string; isCurrent: boolean; children?: Child }) => (
  <li>
    <a href={href} aria-current={isCurrent ? 'true' : undefined}>
      {children}
    </a>
  </li>
);
