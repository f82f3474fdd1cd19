import type { Answers, Client } from '../../client/client.ts';
import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { ActionForm, Field } from '../components/form.tsx';
import { withQuery } from '../components/table.tsx';
import { Copyable, InlineCode, Note } from '../components/text.tsx';
import { Badge, TransactionLink, VerificationLink } from '../components/values.tsx';
import { Result, type Verification } from '../components/verification-table.tsx';
import { accountData, amountData, type Datum, STEPS, type StepName, Wizard } from '../components/wizard.tsx';
import { type Action, done, type Notice, type Page } from '../page.ts';
import type { Texts } from '../texts/english.ts';
import { fill, useTexts } from '../texts/languages.ts';

export const DEPOSIT = '/console/tests/deposit';

type Transfer = Answers['transfers']['transfers'][number];

/** A deposit by hand as far as it has come. Undefined: it has not begun. */
interface Begun {
  verification: Verification;
  transfer: Transfer | undefined;
}

async function begunOf(api: Client, verificationUuid: string | undefined): Promise<Begun | undefined> {
  if (!verificationUuid) return undefined;
  const [{ verifications }, { transfers }] = await Promise.all([
    api.verifications({ verificationUuid, role: 'beneficiary' }),
    api.transfers({ verificationUuid }),
  ]);
  const [verification] = verifications;
  return verification && { verification, transfer: transfers[0] };
}

const IN_BLOCK = ['WAIT-CONFIRM', 'CONFIRMED'];

/** Undefined: all is done. */
function nextStep(begun: Begun | undefined): StepName | undefined {
  if (begun?.verification.result !== 'VERIFIED') return 'verify';
  const { transfer } = begun;
  if (!transfer || !IN_BLOCK.includes(transfer.transactionStatus)) return 'pay';
  return begun.verification.txHash === null ? 'report' : undefined;
}

type Words = Texts['wizard'];

const dataOf = ({ verification, transfer }: Begun, wizard: Words): Datum[] => [
  ...(transfer ? accountData(transfer.from, wizard, wizard.from) : []),
  ...accountData(verification.beneficiaryAddress, wizard),
  amountData(verification, wizard),
  [wizard.verification, <VerificationLink uuid={verification.verificationUuid} />],
  [wizard.result, <Result of={verification} />],
  [wizard.payment, transfer && <Badge of={transfer.transactionStatus} />],
  [wizard.hash, transfer?.txHash ? <TransactionLink symbol={transfer.symbol} txHash={transfer.txHash} /> : undefined],
];

interface DepositByHand {
  begun: Begun | undefined;
  robotVaspId: string;
  symbol: string | undefined;
}

const DepositByHand = ({ begun, robotVaspId, symbol }: DepositByHand) => {
  const { wizard } = useTexts();
  const next = nextStep(begun);
  if (!begun) {
    const data = [[wizard.payerVasp, <Copyable text={robotVaspId} />]] as const;
    return (
      <Wizard steps={STEPS} next={next} meaning={wizard.deposit.verify} data={data}>
        <Begin symbol={symbol} />
      </Wizard>
    );
  }
  const { verification, transfer } = begun;
  // It is paid once, and then the ledger takes its time.
  const canDo = next === 'report' || (next === 'pay' && !transfer);
  return (
    <Wizard
      steps={STEPS}
      next={next}
      meaning={wizard.deposit[next === 'verify' ? 'denied' : (next ?? 'over')]}
      data={dataOf(begun, wizard)}
    >
      {canDo ? (
        <ActionForm
          to={withQuery(`${DEPOSIT}/${next}`, { verificationUuid: verification.verificationUuid })}
          label={wizard.doIt}
          describe={label => `${label}: ${wizard[next]}`}
          tone="primary"
        />
      ) : null}
      {next === 'pay' && transfer ? <Note>{transfer.why}</Note> : null}
      <p>
        <a href={DEPOSIT}>{wizard.another}</a>
      </p>
    </Wizard>
  );
};

const Begin = ({ symbol }: { symbol: string | undefined }) => {
  const { tests, user, wizard } = useTexts();
  return (
    <ActionForm
      id="begin"
      to={`${DEPOSIT}/verify`}
      label={[{ label: wizard.doIt }, { label: wizard.doAll, name: 'upTo', value: 'REPORT' }]}
      describe={label => (label === wizard.doIt ? `${label}: ${wizard.verify}` : label)}
      tone="primary"
    >
      <Field name="symbol" label={tests.asset} options={ASSET_SYMBOLS} value={symbol} />
      <Field name="amount" label={tests.amount} value="0.5" required />
      <Field name="to" label={tests.to} placeholder={tests.toHint} code />
      <Field name="lastName" label={user.lastName} />
      <Field name="firstName" label={user.firstName} />
    </ActionForm>
  );
};

type Sent = Answers['sendTransfer'];

/** Every step, and where to look. The notice has the text of `told`. */
const Steps = ({ of: { steps, verificationUuid }, told }: { of: Sent; told: Sent['steps'][number] | undefined }) => (
  <>
    <ol>
      {steps.map(each => (
        <li>
          <Badge of={each.step} tone={each.done ? 'good' : 'bad'} />{' '}
          {each === told ? null : <InlineCode text={each.text} />}
        </li>
      ))}
    </ol>
    {verificationUuid === null ? null : (
      <p>
        {useTexts().verification.verification} <VerificationLink uuid={verificationUuid} />
      </p>
    )}
  </>
);

const failed = (sent: Sent): Notice => {
  const told = sent.steps.find(each => !each.done);
  return { kind: 'failed', text: told?.text ?? '', detail: <Steps of={sent} told={told} /> };
};

const verify: Action = async ({ api }, form) => {
  const { symbol = '', amount = '', to = '', lastName, firstName, upTo } = form;
  const sent = await api.sendTransfer({
    symbol: symbol as 'ETH',
    amount: amount.trim(),
    upTo: upTo === 'REPORT' ? upTo : 'FUND',
    ...(to.trim() ? { to: to.trim() } : {}),
    ...(lastName || firstName ? { customer: { lastName: lastName ?? '', firstName: firstName ?? '' } } : {}),
  });
  return sent.done ? { goTo: withQuery(DEPOSIT, { verificationUuid: sent.verificationUuid ?? '' }) } : failed(sent);
};

/** The robot pays a customer of the tested VASP, step by step: what it does stands in the verification. */
export const deposit: Page = {
  path: '/tests/deposit',
  title: 'Deposit by hand',
  parent: '/tests',
  servedBy: 'both',
  isLive: true,
  async render({ api, query, texts: { tests } }) {
    const [begun, { robot, chains }] = await Promise.all([begunOf(api, query.verificationUuid), api.info()]);
    return (
      <>
        <p>{chains.every(({ embedded }) => embedded) ? tests.sendMeaning : tests.sendByUrl}</p>
        <DepositByHand begun={begun} robotVaspId={robot.vaspId} symbol={query.symbol} />
      </>
    );
  },
  actions: {
    verify,
    async pay({ api, query, texts }) {
      await api.robotWithdraw(query.verificationUuid ?? '', true);
      return done(texts.wizard.robotPays);
    },
    async report({ api, query, texts }) {
      const begun = await begunOf(api, query.verificationUuid);
      const { txHash = null } = begun?.transfer ?? {};
      if (!begun || txHash === null) return { kind: 'failed', text: texts.wizard.notPaid };
      await api.robotReport(begun.verification.verificationUuid, txHash);
      return done(fill(texts.wizard.robotReports, { hash: txHash }));
    },
  },
};
