import type { Answers } from '../../client/client.ts';
import { ExchangeDetail, type ShownExchange } from '../components/exchange-detail.tsx';
import { ActionForm } from '../components/form.tsx';
import { Json, type Mark } from '../components/json.tsx';
import { DataTable } from '../components/table.tsx';
import { Clauses, InlineCode, Note, Prose } from '../components/text.tsx';
import { Badge, durationText, HttpStatus, TransactionLink } from '../components/values.tsx';
import { useSentences, useTexts } from '../texts/languages.ts';
import { callText, eventText } from '../texts/of-records.ts';

export type Entry = Answers['timeline']['timeline'][number];

/** Details of an entry. The members depend on `what`. */
interface Detail extends Partial<ShownExchange> {
  operation?: string;
  /** Of the end of a verification, unless it is OK. */
  reason?: string;
  exchangeId?: string;
  durationMs?: number;
  connectMs?: number | null;
  steps?: Step[];
  nearMiss?: Mark;
  txHash?: string;
}
interface Step {
  rule: string;
  clause: string;
  outcome: string;
  field?: string;
  detail?: string;
}

export const detailOf = (entry: Entry): Detail => (entry.detail ?? {}) as Detail;
export const isCall = (entry: Entry): boolean => entry.what === 'http';
export const isUnanswered = (entry: Entry): boolean => detailOf(entry).status === null;
/** The member that decided, and the request that holds it. */
export const nearMissOf = (entry: Entry): Mark | undefined => detailOf(entry).nearMiss;

export const isTimeOut = (entry: Entry): boolean => detailOf(entry).reason === 'REQUEST-TIMEOUT';

/** A call without an answer of 200. */
export const hasFailed = (entry: Entry): boolean => isCall(entry) && detailOf(entry).status !== 200;

/** Of a callback that a fault has changed it is not the status of the answer, and stands in the event that follows. */
export function statusThatCounted(timeline: readonly Entry[], call: number): number | null | undefined {
  const { operation, status, error } = detailOf(timeline[call]!);
  if (operation !== 'callback' || !error) return status;
  const judged = timeline.slice(call).find(({ what, detail }) => what === 'callback' && detail?.attempt !== undefined);
  return judged === undefined ? status : detailOf(judged).status;
}

/** One line: the event, its outcome and its cause. */
export function Headline({ of }: { of: Entry }) {
  const { operation, status, error, durationMs, nearMiss } = detailOf(of);
  const { timelineWords: words } = useTexts();
  if (isCall(of))
    return (
      <>
        <strong>{callText(operation ?? '', useTexts())}</strong>{' '}
        <HttpStatus of={status ?? null} tone={status !== 200 ? 'bad' : error ? 'warn' : 'good'} />
        {durationMs === undefined ? null : <small> {durationText(durationMs, useTexts().time)}</small>}
      </>
    );
  if (of.what === 'fault') return <strong>{useSentences()(of.cause)}</strong>;
  return (
    <>
      {words[of.what] ?? of.what}{' '}
      {of.to === null ? <strong>{words[of.event] ?? of.event}</strong> : <Badge of={of.to} />}{' '}
      {of.cause === '' ? null : <Note>{eventText(of, useTexts(), useSentences())}</Note>}
      {nearMiss ? <NearMiss {...nearMiss} /> : null}
    </>
  );
}

export const NearMiss = ({ field, expected, got }: Mark) => {
  const { shouldBe, is } = useTexts().diagram;
  const say = useSentences();
  const shown = (value: unknown) => ({ value: <code>{say(text(value))}</code> });
  return (
    <small class="near-miss">
      {expected === undefined ? null : <Prose of={shouldBe} with={shown(expected)} />}
      {expected === undefined || got === undefined ? null : ', '}
      {got === undefined ? null : <Prose of={is} with={shown(got)} />} <span class="code path">{field}</span>
    </small>
  );
};

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

export interface EntryContext {
  symbol: string;
  origin: string;
  /** Address of the page. */
  here: string;
  /** The member that decided, for the request of the verification. */
  mark: Mark | undefined;
}

/** The details that open below the line. */
export function EntryDetails({ of, id, context }: { of: Entry; id: string; context: EntryContext }) {
  const { method = '', url = '', request, response, error = null, steps, txHash, status = null } = detailOf(of);
  const { headers, responseHeaders, exchangeId } = detailOf(of);
  if (isCall(of))
    return (
      <>
        <p>
          <code>
            {method} {url}
          </code>
        </p>
        <ExchangeDetail
          of={{ method, url, request, response, headers, responseHeaders, status, error }}
          id={id}
          origin={context.origin}
          mark={isVerifyUser(of) ? context.mark : undefined}
        />
        {of.event === 'was-called' && of.between?.from === 'tested-vasp' && exchangeId !== undefined ? (
          <ActionForm to={`${context.here}/resend`} values={{ exchangeId }} label={useTexts().actions.sendAgain} />
        ) : null}
      </>
    );
  return (
    <>
      {txHash ? (
        <p>
          <TransactionLink symbol={context.symbol} txHash={txHash} />
        </p>
      ) : null}
      {steps ? <Rules of={steps} /> : <Json of={of.detail} />}
    </>
  );
}

const isVerifyUser = (entry: Entry): boolean => ['verify-user', 'verifyUser'].includes(detailOf(entry).operation ?? '');

const Rules = ({ of }: { of: readonly Step[] }) => {
  const { diagram, verification } = useTexts();
  return (
    <DataTable
      caption={diagram.rules}
      rows={of}
      idOf={({ rule }) => `rule-${rule}`}
      isLoud={({ outcome }) => outcome === 'decided'}
      columns={[
        { head: diagram.rule, cell: ({ rule }) => rule },
        { head: verification.clause, cell: ({ clause }) => <Clauses of={clause} /> },
        { head: diagram.outcome, cell: ({ outcome }) => outcome },
        { head: verification.field, cell: ({ field }) => (field ? <code>{field}</code> : null) },
        { head: diagram.why, cell: ({ detail = '' }) => <InlineCode text={detail} /> },
      ]}
    />
  );
};
