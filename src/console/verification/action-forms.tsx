import { ErrorReportData } from '../../contract/callbacks.ts';
import type { Part } from '../../contract/parts.ts';
import { ActionForm, Field } from '../components/form.tsx';
import { Fold } from '../components/text.tsx';
import type { Verification } from '../components/verification-table.tsx';
import { useTexts } from '../texts/languages.ts';

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
    {parts.includes('robot') ? (
      <ActionForm to={`${here}/let-inquire`} label={useTexts().actions.letInquire} />
    ) : null}
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
        <ActionForm
          to={`${here}/pay`}
          values={{ omitTxReport: 'yes' }}
          label={useTexts().actions.letPaySilently}
        />
      </>
    )}
    {parts.includes('enclave') ? (
      <ActionForm to={`${here}/inquire`} label={useTexts().actions.inquire} />
    ) : null}
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
