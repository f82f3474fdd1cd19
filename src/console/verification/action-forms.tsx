import { ErrorReportData } from '../../contract/callbacks.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Field } from '../components/field.tsx';
import { Fold } from '../components/fold.tsx';
import type { Verification } from '../components/verification-table.tsx';
import { useTexts } from '../texts/languages.ts';

interface ActionForms {
  of: Verification;
  /** Of a matching payment. */
  txHash: string | undefined;
  hasFaucet: boolean;
  /** Address of the page. */
  here: string;
}

/** The actions that the role and the state of a verification allow. */
export const ActionForms = ({ of, txHash, hasFaucet, here }: ActionForms) => (
  <section class="actions" aria-label={useTexts().list.actions}>
    <ActionForm to={`${here}/advance`} label={useTexts().actions.advance}>
      <Field name="duration" label={useTexts().actions.by} value="10m" required />
    </ActionForm>
    {of.result !== 'VERIFIED' ? null : of.role === 'originating' ? (
      <Originating txHash={txHash} hasFaucet={hasFaucet} here={here} />
    ) : (
      <Beneficiary isPaid={of.money?.kind === 'transfer'} here={here} />
    )}
  </section>
);

const Originating = ({ txHash, hasFaucet, here }: Omit<ActionForms, 'of'>) => (
  <>
    {hasFaucet && txHash === undefined ? (
      <ActionForm to={`${here}/pay-from-faucet`} label={useTexts().actions.payFromFaucet} tone="primary" />
    ) : null}
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
    <ActionForm to={`${here}/let-inquire`} label={useTexts().actions.letInquire} />
  </>
);

/** A verification is paid once. */
const Beneficiary = ({ isPaid, here }: { isPaid: boolean; here: string }) => (
  <>
    {isPaid ? null : (
      <>
        <ActionForm to={`${here}/pay`} label={useTexts().actions.letPay} tone="primary" />
        <ActionForm
          to={`${here}/pay`}
          values={{ omitTxReport: 'yes' }}
          label={useTexts().actions.letPaySilently}
        />
      </>
    )}
    <ActionForm to={`${here}/inquire`} label={useTexts().actions.inquire} />
    <Fold id="let-report-error" summary={useTexts().actions.letReportError}>
      <ErrorReport to={`${here}/let-report-error`} label={useTexts().actions.letReport} />
    </Fold>
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
