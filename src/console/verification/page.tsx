import type { Order } from '../../client/calls.ts';
import { ErrorReportData } from '../../contract/callbacks.ts';
import type { Role } from '../../contract/tenancy.ts';
import { CallbackTable } from '../components/callback-table.tsx';
import { ActionForm, Field } from '../components/form.tsx';
import { Json } from '../components/json.tsx';
import { filled, withQuery } from '../components/table.tsx';
import { Fold } from '../components/text.tsx';
import { moment } from '../components/values.tsx';
import type { Verification } from '../components/verification-table.tsx';
import { hashToReport } from '../hash-to-report.ts';
import { type Action, done, type Notice, type Page, type PageContext, Titled } from '../page.ts';
import { counted, fill, useTexts } from '../texts/languages.ts';
import { downloads, Findings, VerificationDetails } from './details.tsx';
import { SequenceDiagram } from './sequence-diagram.tsx';
import { nearMissOf } from './timeline-entry.tsx';
import { Waterfall } from './waterfall.tsx';

const answered = (text: string, answer: unknown): Notice => done(text, <Json of={answer} />);

/** As it was chosen in the form. The API refuses others. */
type Result = Order<'reportError'>['result'];

const verificationActions: Record<string, Action> = {
  async advance({ api, texts: { timers } }, { duration = '' }) {
    const { now, fired, behind } = await api.advance(duration);
    return done(
      [
        fill(timers.isNow, { time: moment(now), fired: counted(timers.fired, fired.length) }),
        ...behind.map(each => fill(timers.behind, each)),
      ].join(' '),
    );
  },
  /** As the customer of the VASP would. */
  async 'pay-from-faucet'({ api, params, texts }) {
    const { verifications } = await api.verifications({ verificationUuid: params.uuid! });
    const { symbol, beneficiaryAddress, amount } = verifications[0]!;
    return answered(texts.actions.faucetPaid, await api.faucet(symbol, beneficiaryAddress, amount));
  },
  async report({ api, params, texts }, { txHash = '' }) {
    await api.reportTransaction(params.uuid!, txHash.trim());
    return done(texts.actions.reported);
  },
  async 'report-error'({ api, params, texts }, { result, reason = '', message = '' }) {
    await api.reportError(params.uuid!, result as Result, reason, message || undefined);
    return done(texts.actions.errorReported);
  },
  inquire: async ({ api, params, texts }) =>
    answered(texts.actions.robotAnswered, await api.inquireTransaction(params.uuid!)),
  'let-inquire': async ({ api, params, texts }) =>
    answered(texts.actions.vaspAnswered, await api.robotInquire(params.uuid!)),
  pay: async ({ api, params, texts }, { omitTxReport }) =>
    answered(texts.actions.robotPays, await api.robotWithdraw(params.uuid!, omitTxReport === 'yes' || undefined)),
  async 'let-report-error'({ api, params, texts }, { result, reason = '', message = '' }) {
    await api.robotReportError(params.uuid!, result as Result, reason, message || undefined);
    return done(texts.actions.robotReported);
  },
  async resend({ api, texts: { actions: texts } }, { exchangeId = '' }) {
    const [exchange] = (await api.exchanges({ before: Number(exchangeId) + 1, limit: 1 })).exchanges;
    if (exchange?.id !== exchangeId || exchange.direction !== 'IN') return { kind: 'failed', text: texts.notKept };
    const { method, url, request } = exchange;
    const { status, body } = await api.call(method, url, request ?? undefined);
    return {
      kind: status === 200 ? 'done' : 'failed',
      text: fill(texts.sentAgain, { request: `${method} ${url}`, status }),
      detail: <Json of={body ?? ''} />,
    };
  },
  async replay({ api, texts }, { callbackId = '' }) {
    const { callbackType } = await api.replay(callbackId);
    return done(fill(texts.callbacks.replayed, { type: callbackType }));
  },
};

interface ActionForms {
  of: Verification;
  /** Of a matching payment. */
  txHash: string | undefined;
  roles: readonly Role[];
  hasFaucet: boolean;
  /** Something is due: time matters. */
  isWaiting: boolean;
  /** Address of the page. */
  here: string;
}

/** The actions that the role and the state of a verification allow. */
const ActionForms = ({ of, txHash, roles, hasFaucet, isWaiting, here }: ActionForms) => (
  <section class="actions" aria-label={useTexts().list.actions}>
    {isWaiting ? (
      <ActionForm to={`${here}/advance`} label={useTexts().actions.advance}>
        <Field name="duration" label={useTexts().actions.by} value="10m" required />
      </ActionForm>
    ) : null}
    {of.result !== 'VERIFIED' ? null : of.role === 'originating' ? (
      <Originating txHash={txHash} roles={roles} hasFaucet={hasFaucet} here={here} />
    ) : (
      <Beneficiary isPaid={of.money?.kind === 'transfer'} roles={roles} here={here} />
    )}
  </section>
);

const Originating = ({ txHash, roles, hasFaucet, here }: Omit<ActionForms, 'of' | 'isWaiting'>) => (
  <>
    {hasFaucet && txHash === undefined ? (
      <ActionForm to={`${here}/pay-from-faucet`} label={useTexts().actions.payFromFaucet} tone="primary" />
    ) : null}
    {roles.includes('enclave') ? (
      <>
        <Fold id="report-transaction" summary={useTexts().actions.reportTransaction}>
          <ActionForm to={`${here}/report`} label={useTexts().actions.reportAsYou} tone="primary">
            <Field
              name="txHash"
              label={useTexts().actions.txHash}
              value={txHash}
              help={txHash ? useTexts().actions.hashArrived : useTexts().actions.noPayment}
              required
              code
            />
          </ActionForm>
        </Fold>
        <Fold id="report-error" summary={useTexts().actions.reportError}>
          <ErrorReport to={`${here}/report-error`} label={useTexts().actions.reportAsYou} />
        </Fold>
      </>
    ) : null}
    {roles.includes('robot') ? <ActionForm to={`${here}/let-inquire`} label={useTexts().actions.letInquire} /> : null}
  </>
);

/** A verification is paid once. */
interface Beneficiary extends Pick<ActionForms, 'roles' | 'here'> {
  isPaid: boolean;
}
const Beneficiary = ({ isPaid, roles, here }: Beneficiary) => (
  <>
    {isPaid || !roles.includes('robot') ? null : (
      <>
        <ActionForm to={`${here}/pay`} label={useTexts().actions.letPay} tone="primary" />
        <ActionForm to={`${here}/pay`} values={{ omitTxReport: 'yes' }} label={useTexts().actions.letPaySilently} />
      </>
    )}
    {roles.includes('enclave') ? <ActionForm to={`${here}/inquire`} label={useTexts().actions.inquire} /> : null}
    {roles.includes('robot') ? (
      <Fold id="let-report-error" summary={useTexts().actions.letReportError}>
        <ErrorReport to={`${here}/let-report-error`} label={useTexts().actions.letReport} />
      </Fold>
    ) : null}
  </>
);

const ErrorReport = ({ to, label }: { to: string; label: string }) => (
  <ActionForm to={to} label={label} tone="primary">
    <Field
      name="result"
      label={useTexts().verification.result}
      value="ERROR"
      options={ErrorReportData.shape.result.options}
    />
    <Field name="reason" label={useTexts().verification.reason} value="USER-CANCELED" required />
    <Field name="message" label={useTexts().verification.message} />
  </ActionForm>
);

export const verification: Page = {
  path: '/verifications/:uuid',
  title: 'Verification',
  parent: '/verifications',
  isLive: true,
  downloads,
  async render({ api, params, query, origin, texts: { verification: texts, places } }) {
    const uuid = params.uuid!;
    const [timeline, why, found, { callbacks }, { now }, { vasp, chains, roles }, neighbours] = await Promise.all([
      api.timeline(uuid, filled(query, 'before')),
      api.why(uuid),
      api.verifications({ verificationUuid: uuid }),
      api.callbacks({ verificationUuid: uuid, order: 'newest' }),
      api.clock(),
      api.info(),
      api.neighbours(uuid),
    ]);
    const row = found.verifications[0]!;
    const hasEnclave = roles.includes('enclave');
    const names = {
      'tested-vasp': vasp.name,
      enclave: places.enclave,
      robot: row.counterparty.name,
      chain: row.symbol,
    };
    const here = `/console/verifications/${uuid}`;
    const onlyMessages = query.view === 'messages';
    const mark = timeline.timeline.map(nearMissOf).find(each => each !== undefined);
    const context = { symbol: row.symbol, origin, here, mark };
    return new Titled(
      titleOf(row),
      <>
        <Neighbours {...neighbours} />
        <VerificationDetails of={row} nearMiss={mark} why={why} />
        <Findings of={row.findings} />
        <ActionForms
          of={row}
          txHash={await hashToReport(api, row)}
          roles={roles}
          hasFaucet={chains.some(({ symbol, embedded }) => symbol === row.symbol && embedded)}
          isWaiting={timeline.pending.length > 0}
          here={here}
        />
        <Waterfall timeline={timeline.timeline} />
        <h2>{texts.whatHappened}</h2>
        <Views here={here} onlyMessages={onlyMessages} />
        <SequenceDiagram
          timeline={timeline}
          names={names}
          now={Date.parse(now)}
          onlyMessages={onlyMessages}
          context={context}
        />
        <Pages here={here} query={query} next={timeline.next} />
        {hasEnclave ? (
          <>
            <h2>{texts.callbacks}</h2>
            <CallbackTable rows={callbacks} empty={texts.noneYet} replayAt={`${here}/replay`} isOfOne />
          </>
        ) : null}
        <Links uuid={uuid} hasEnclave={hasEnclave} />
      </>,
    );
  },
  actions: verificationActions,
};

/** `ETH 0.024 → Taylor Robbins` */
const titleOf = ({ symbol, amount, role, counterparty, userId }: Verification): string => {
  const name =
    userId === null
      ? counterparty.name
      : userId.replaceAll(/(^|-)(.)/g, (_, dash, letter) => `${dash && ' '}${letter.toUpperCase()}`);
  return role === 'originating' ? `${symbol} ${amount} → ${name}` : `${symbol} ${amount} ← ${name}`;
};

const Neighbours = ({ newer, older }: { newer: string | null; older: string | null }) => {
  const texts = useTexts().verification;
  return (
    <nav class="neighbours" aria-label={texts.others}>
      {newer === null ? (
        <span class="muted">← {texts.newer}</span>
      ) : (
        <a href={`/console/verifications/${newer}`} rel="prev" aria-keyshortcuts="[">
          ← {texts.newer}
        </a>
      )}
      {older === null ? (
        <span class="muted">{texts.older} →</span>
      ) : (
        <a href={`/console/verifications/${older}`} rel="next" aria-keyshortcuts="]">
          {texts.older} →
        </a>
      )}
    </nav>
  );
};

const Views = ({ here, onlyMessages }: { here: string; onlyMessages: boolean }) => {
  const texts = useTexts().verification;
  return (
    <nav class="views" aria-label={texts.views}>
      <a href={`${here}?view=messages`} aria-current={onlyMessages ? 'page' : undefined}>
        {texts.messagesOnly}
      </a>
      <a href={here} aria-current={onlyMessages ? undefined : 'page'}>
        {texts.everything}
      </a>
    </nav>
  );
};

/** Of a long timeline. */
const Pages = ({ here, query, next }: { here: string; query: PageContext['query']; next: string | null }) => {
  const { older, newest } = useTexts().list;
  const { before, ...others } = query;
  return before === undefined && next === null ? null : (
    <p class="row">
      {before === undefined ? null : <a href={withQuery(here, others)}>← {newest}</a>}
      {next === null ? null : <a href={withQuery(here, { ...others, before: next })}>{older} →</a>}
    </p>
  );
};

const Links = ({ uuid, hasEnclave }: { uuid: string; hasEnclave: boolean }) => {
  const texts = useTexts().verification;
  const here = `/console/verifications/${uuid}`;
  return (
    <p class="row">
      {hasEnclave ? <a href={`/console/json/v1/verifications/${uuid}`}>{texts.json}</a> : null}
      <a href={`/console/json/sandbox/v1/verifications/${uuid}/timeline`}>{texts.timelineJson}</a>
      <a href={`/console/exchanges?verificationUuid=${uuid}`}>{texts.exchanges}</a>
      <a href={`${here}/har`} download>
        {texts.har}
      </a>
      <a href={`${here}/bundle`} download>
        {texts.bundle}
      </a>
    </p>
  );
};
