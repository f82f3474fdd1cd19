import { ErrorReportData } from '../../contract/callbacks.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Field } from '../components/field.tsx';
import { Fold } from '../components/fold.tsx';
import type { Verification } from '../components/verification-table.tsx';

interface ActionForms {
  of: Verification;
  /** Of a matching payment. */
  txHash: string | undefined;
  /** Address of the page. */
  here: string;
}

/** The actions that the role and the state of a verification allow. */
export const ActionForms = ({ of, txHash, here }: ActionForms) => (
  <section class="actions" aria-label="Actions">
    <ActionForm to={`${here}/advance`} label="Advance time">
      <Field name="duration" label="By" value="10m" required />
    </ActionForm>
    {of.result !== 'VERIFIED' ? null : of.role === 'originating' ? (
      <Originating txHash={txHash} here={here} />
    ) : (
      <Beneficiary here={here} />
    )}
  </section>
);

const Originating = ({ txHash, here }: Omit<ActionForms, 'of'>) => (
  <>
    <Fold id="report-transaction" summary="Report the transaction">
      <ActionForm to={`${here}/report`} label="Report as your VASP" tone="primary">
        <Field
          name="txHash"
          label="Transaction hash"
          value={txHash}
          help={txHash ? 'The hash of the payment that arrived.' : 'No matching payment has arrived yet.'}
          required
          code
        />
      </ActionForm>
    </Fold>
    <Fold id="report-error" summary="Report an error">
      <ErrorReport to={`${here}/report-error`} label="Report as your VASP" />
    </Fold>
    <ActionForm to={`${here}/let-inquire`} label="Let the robot ask for the status" />
  </>
);

const Beneficiary = ({ here }: { here: string }) => (
  <>
    <ActionForm to={`${here}/pay`} label="Let the robot pay" tone="primary" />
    <ActionForm
      to={`${here}/pay`}
      values={{ omitTxReport: 'yes' }}
      label="Let the robot pay without a report"
    />
    <ActionForm to={`${here}/inquire`} label="Ask for the transaction status" />
    <Fold id="let-report-error" summary="Let the robot report an error">
      <ErrorReport to={`${here}/let-report-error`} label="Let the robot report" />
    </Fold>
  </>
);

const ErrorReport = ({ to, label }: { to: string; label: string }) => (
  <ActionForm to={to} label={label} tone="primary">
    <Field name="result" label="Result" value="ERROR" options={ErrorReportData.shape.result.options} />
    <Field name="reason" label="Reason" value="USER-CANCELED" required />
    <Field name="message" label="Message" />
  </ActionForm>
);
