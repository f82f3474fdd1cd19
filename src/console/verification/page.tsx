import type { Order } from '../../client/calls.ts';
import type { Answers, Client } from '../../client/client.ts';
import { ErrorReportData } from '../../contract/callbacks.ts';
import type { Role } from '../../contract/tenancy.ts';
import { CallbackTable, replay } from '../components/callback-table.tsx';
import { ActionForm, Field } from '../components/form.tsx';
import { Json } from '../components/json.tsx';
import { filled, withQuery } from '../components/table.tsx';
import { Fold } from '../components/text.tsx';
import type { Verification } from '../components/verification-table.tsx';
import { hashToReport } from '../hash-to-report.ts';
import { type Action, done, type Notice, type Page, Titled } from '../page.ts';
import { fill, useTexts } from '../texts/languages.ts';
import { advance } from '../timers/page.tsx';
import { downloads, Findings, VerificationDetails } from './details.tsx';
import { SequenceDiagram } from './sequence-diagram.tsx';
import { nearMissOf } from './timeline-entry.tsx';
import { Waterfall } from './waterfall.tsx';

const answered = (text: string, answer: unknown): Notice => done(text, <Json of={answer} />);

/** Throws `Refused` where a reset has deleted it. */
async function rowOf(api: Client, uuid: string): Promise<Verification> {
  const find = async () => (await api.verifications({ verificationUuid: uuid })).verifications[0];
  const row = await find();
  if (row) return row;
  await api.neighbours(uuid);
  return (await find())!;
}

/** As it was chosen in the form. The API refuses others. */
type Result = Order<'reportError'>['result'];

const verificationActions: Record<string, Action> = {
  advance,
  /** As the customer of the VASP would. */
  async 'pay-from-faucet'({ api, params, texts }) {
    const { symbol, beneficiaryAddress, amount } = await rowOf(api, params.uuid!);
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
  replay,
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
const ActionForms = ({ of, txHash, roles, hasFaucet, isWaiting, here }: ActionForms) => {
  const { actions: texts, list } = useTexts();
  const [hasEnclave, hasRobot] = [roles.includes('enclave'), roles.includes('robot')];
  const isOriginator = of.result === 'VERIFIED' && of.role === 'originating';
  const isBeneficiary = of.result === 'VERIFIED' && of.role === 'beneficiary';
  return (
    <section class="actions" aria-label={list.actions}>
      {isWaiting ? (
        <ActionForm to={`${here}/advance`} label={texts.advance}>
          <Field name="duration" label={texts.by} value="10m" required />
        </ActionForm>
      ) : null}
      {isOriginator && hasFaucet && txHash === undefined ? (
        <ActionForm to={`${here}/pay-from-faucet`} label={texts.payFromFaucet} tone="primary" />
      ) : null}
      {isOriginator && hasEnclave ? (
        <>
          <Fold id="report-transaction" summary={texts.reportTransaction}>
            <ActionForm to={`${here}/report`} label={texts.reportAsYou} tone="primary">
              <Field
                name="txHash"
                label={texts.txHash}
                value={txHash}
                help={txHash ? texts.hashArrived : texts.noPayment}
                required
                code
              />
            </ActionForm>
          </Fold>
          <Fold id="report-error" summary={texts.reportError}>
            <ErrorReport to={`${here}/report-error`} label={texts.reportAsYou} />
          </Fold>
        </>
      ) : null}
      {isOriginator && hasRobot ? <ActionForm to={`${here}/let-inquire`} label={texts.letInquire} /> : null}
      {/* A verification is paid once. */}
      {isBeneficiary && hasRobot && of.money?.kind !== 'transfer' ? (
        <>
          <ActionForm to={`${here}/pay`} label={texts.letPay} tone="primary" />
          <ActionForm to={`${here}/pay`} values={{ omitTxReport: 'yes' }} label={texts.letPaySilently} />
        </>
      ) : null}
      {isBeneficiary && hasEnclave ? <ActionForm to={`${here}/inquire`} label={texts.inquire} /> : null}
      {isBeneficiary && hasRobot ? (
        <Fold id="let-report-error" summary={texts.letReportError}>
          <ErrorReport to={`${here}/let-report-error`} label={texts.letReport} />
        </Fold>
      ) : null}
    </section>
  );
};

const ErrorReport = ({ to, label }: { to: string; label: string }) => {
  const { verification: texts } = useTexts();
  return (
    <ActionForm to={to} label={label} tone="primary">
      <Field name="result" label={texts.result} value="ERROR" options={ErrorReportData.shape.result.options} />
      <Field name="reason" label={texts.reason} value="USER-CANCELED" required />
      <Field name="message" label={texts.message} />
    </ActionForm>
  );
};

export const verification: Page = {
  path: '/verifications/:uuid',
  title: 'Verification',
  parent: '/verifications',
  isLive: true,
  downloads,
  async render({ api, params, query, origin, texts: { verification: texts, places, list } }) {
    const { before, ...others } = query;
    const uuid = params.uuid!;
    const [timeline, why, row, { callbacks }, { now }, { vasp, chains, roles }, neighbours] = await Promise.all([
      api.timeline(uuid, filled(query, 'before')),
      api.why(uuid),
      rowOf(api, uuid),
      api.callbacks({ verificationUuid: uuid, order: 'newest' }),
      api.clock(),
      api.info(),
      api.neighbours(uuid),
    ]);
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
        <nav class="views" aria-label={texts.views}>
          <a href={`${here}?view=messages`} aria-current={onlyMessages ? 'page' : undefined}>
            {texts.messagesOnly}
          </a>
          <a href={here} aria-current={onlyMessages ? undefined : 'page'}>
            {texts.everything}
          </a>
        </nav>
        <SequenceDiagram
          timeline={timeline}
          names={names}
          now={Date.parse(now)}
          onlyMessages={onlyMessages}
          context={context}
        />
        {/* Of a long timeline. */}
        {before === undefined && timeline.next === null ? null : (
          <p class="row">
            {before === undefined ? null : <a href={withQuery(here, others)}>← {list.newest}</a>}
            {timeline.next === null ? null : (
              <a href={withQuery(here, { ...others, before: timeline.next })}>{list.older} →</a>
            )}
          </p>
        )}
        {hasEnclave ? (
          <>
            <h2>{texts.callbacks}</h2>
            <CallbackTable rows={callbacks} empty={texts.noneYet} replayAt={`${here}/replay`} isOfOne />
          </>
        ) : null}
        <p class="row">
          {hasEnclave ? <a href={`/console/json/v1/verifications/${uuid}`}>{texts.json}</a> : null}
          <a href={`/console/json/sandbox/v1/verifications/${uuid}/timeline`}>{texts.timelineJson}</a>
          <a href={`/console/exchanges?verificationUuid=${uuid}`}>{texts.exchanges}</a>
          {(['har', 'bundle'] as const).map(file => (
            <a href={`${here}/${file}`} download>
              {texts[file]}
            </a>
          ))}
        </p>
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

const Neighbours = ({ newer, older }: Answers['neighbours']) => {
  const texts = useTexts().verification;
  return (
    <nav class="neighbours" aria-label={texts.others}>
      {(
        [
          [newer, 'prev', '[', `← ${texts.newer}`],
          [older, 'next', ']', `${texts.older} →`],
        ] as const
      ).map(([uuid, rel, key, text]) =>
        uuid === null ? (
          <span class="muted">{text}</span>
        ) : (
          <a href={`/console/verifications/${uuid}`} rel={rel} aria-keyshortcuts={key}>
            {text}
          </a>
        ),
      )}
    </nav>
  );
};
