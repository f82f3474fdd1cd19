import type { Order } from '../../client/calls.ts';
import { ErrorReportData } from '../../contract/callbacks.ts';
import type { Part } from '../../contract/parts.ts';
import { ActionForm, Field } from '../components/form.tsx';
import { Json } from '../components/json.tsx';
import { Fold } from '../components/text.tsx';
import { moment } from '../components/values.tsx';
import type { Verification } from '../components/verification-table.tsx';
import { type Action, done, type Notice } from '../page.ts';
import { counted, fill, useTexts } from '../texts/languages.ts';

const answered = (text: string, answer: unknown): Notice => done(text, <Json of={answer} />);

/** As it was chosen in the form. The API refuses others. */
type Result = Order<'reportError'>['result'];

export const verificationActions: Record<string, Action> = {
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
  parts: readonly Part[];
  hasFaucet: boolean;
  /** Address of the page. */
  here: string;
}

/** The actions that the role and the state of a verification allow. */
export const ActionForms = ({ of, txHash, parts, hasFaucet, here }: ActionForms) => (
  <section class="actions" aria-label={useTexts().list.actions}>
    <ActionForm to={`${here}/advance`} label={useTexts().actions.advance}>
      <Field name="duration" label={useTexts().actions.by} value="10m" required />
    </ActionForm>
    {of.result !== 'VERIFIED' ? null : of.role === 'originating' ? (
      <Originating txHash={txHash} parts={parts} hasFaucet={hasFaucet} here={here} />
    ) : (
      <Beneficiary isPaid={of.money?.kind === 'transfer'} parts={parts} here={here} />
    )}
  </section>
);

const Originating = ({ txHash, parts, hasFaucet, here }: Omit<ActionForms, 'of'>) => (
  <>
    {hasFaucet && txHash === undefined ? (
      <ActionForm to={`${here}/pay-from-faucet`} label={useTexts().actions.payFromFaucet} tone="primary" />
    ) : null}
    {parts.includes('enclave') ? (
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
    {parts.includes('robot') ? <ActionForm to={`${here}/let-inquire`} label={useTexts().actions.letInquire} /> : null}
  </>
);

/** A verification is paid once. */
interface Beneficiary extends Pick<ActionForms, 'parts' | 'here'> {
  isPaid: boolean;
}
const Beneficiary = ({ isPaid, parts, here }: Beneficiary) => (
  <>
    {isPaid || !parts.includes('robot') ? null : (
      <>
        <ActionForm to={`${here}/pay`} label={useTexts().actions.letPay} tone="primary" />
        <ActionForm to={`${here}/pay`} values={{ omitTxReport: 'yes' }} label={useTexts().actions.letPaySilently} />
      </>
    )}
    {parts.includes('enclave') ? <ActionForm to={`${here}/inquire`} label={useTexts().actions.inquire} /> : null}
    {parts.includes('robot') ? (
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
