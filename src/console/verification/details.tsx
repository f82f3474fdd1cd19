import type { Answers } from '../../client/client.ts';
import { isReason, type Reason } from '../../contract/clauses.ts';
import type { Mark } from '../components/json.tsx';
import { DataTable, hrefOfRow } from '../components/table.tsx';
import { Clauses, Copyable, DefinitionList, InlineCode, Note, Prose } from '../components/text.tsx';
import { Badge, durationText, Time, TransactionLink, toneOf } from '../components/values.tsx';
import { Result, type Verification } from '../components/verification-table.tsx';
import { orNotServed } from '../not-served.ts';
import type { Download, Page, PageContext } from '../page.ts';
import { fill, useSentences, useTexts } from '../texts/languages.ts';
import { NearMiss } from './timeline-entry.tsx';

interface VerificationDetails {
  of: Verification;
  nearMiss: Mark | undefined;
  why: Answers['why'];
}

export const VerificationDetails = ({ of, nearMiss, why }: VerificationDetails) => {
  const { verification: texts, money, diagram, time } = useTexts();
  const notYet = of.result === null || of.result === 'VERIFIED' ? texts.notYet : undefined;
  return (
    <>
      <p class="row">
        <Copyable text={of.verificationUuid} /> <Result of={isExplained(of) ? { ...of, reason: null } : of} />
      </p>
      {isExplained(of) ? (
        <Why of={of} nearMiss={nearMiss} why={why} />
      ) : (
        <Next class={of.report && toneOf(of.report.verdict) === 'bad' ? 'next-step wrong' : 'next-step'} of={why} />
      )}
      <DefinitionList
        of={[
          [texts.youAre, of.role === 'originating' ? texts.originatingVasp : texts.beneficiaryVasp],
          [texts.counterparty, of.counterparty.name],
          [texts.user, of.userId ?? undefined],
          [
            texts.amount,
            of.network === null
              ? `${of.amount} ${of.symbol}`
              : fill(texts.amountOn, { amount: `${of.amount} ${of.symbol}`, network: of.network }),
          ],
          [texts.from, <Copyable text={of.originatorAddress} />],
          [texts.to, <Copyable text={of.beneficiaryAddress} />],
          [texts.message, of.message === '' ? undefined : of.message],
          [texts.requested, <Time at={of.createdAt} />],
          [
            texts.decided,
            of.verifiedAt === null ? (
              <Badge of="OPEN" />
            ) : (
              fill(diagram.later, {
                duration: durationText(Date.parse(of.verifiedAt) - Date.parse(of.createdAt), time),
              })
            ),
          ],
          [texts.reported, of.orderedAt === null ? notYet : <Time at={of.orderedAt} />],
          [
            texts.reportedHash,
            of.txHash === null ? undefined : <TransactionLink symbol={of.symbol} txHash={of.txHash} />,
          ],
          [
            texts.money,
            of.money ? (
              <>
                {money[of.money.kind]} <Badge of={of.money.status} />{' '}
                {of.money.note ? <Note>{of.money.note}</Note> : null}
              </>
            ) : undefined,
          ],
          [texts.yourReport, of.report ? <Report of={of.report} /> : undefined],
        ]}
      />
    </>
  );
};

const isExplained = <R extends { reason: string | null }>(of: R): of is R & { reason: Reason } =>
  of.reason !== null && of.reason !== 'OK' && isReason(of.reason);

/** Why it is not VERIFIED: the largest thing on the page. */
const Why = ({ of: { reason }, nearMiss, why }: VerificationDetails & { of: { reason: Reason } }) => (
  <section class="why">
    <p>
      <a href={`/guide/codes/${reason}`}>{reason}</a> <Prose of={useTexts().reasons[reason].meaning} />
    </p>
    {nearMiss ? (
      <p class="miss">
        <NearMiss {...nearMiss} />
      </p>
    ) : null}
    <Next class="next" of={why} />
  </section>
);

/** What to do. The step leads to the page where it is done. */
const Next = ({ class: name, of: { verificationUuid, next, calls } }: { class: string; of: Answers['why'] }) => {
  const { verification: texts } = useTexts();
  return (
    <p class={name}>
      <strong>{texts.whatToDo}</strong>{' '}
      {(next.length === 0 ? [texts.nothingToDo] : next).map((step, index) => {
        const href = pageFor(calls[index]?.path ?? '', verificationUuid);
        const text = <InlineCode text={step} />;
        return <>{href ? <a href={href}>{text}</a> : text} </>;
      })}
    </p>
  );
};

function pageFor(path: string, verificationUuid: string): string | undefined {
  const [, row, id] = /^\/sandbox\/v1\/(callback|exchange)s\/(\d+)/.exec(path) ?? [];
  return row && id && hrefOfRow(`/console/${row}s`, { verificationUuid }, id, `${row}-${id}`);
}

const Report = ({ of }: { of: NonNullable<Verification['report']> }) => {
  const { verification: texts, verdicts } = useTexts();
  const say = useSentences();
  return (
    <>
      <Badge of={of.verdict} />{' '}
      {of.expected === of.got ? null : (
        <small>
          <InlineCode text={fill(texts.expectedAndGot, { expected: say(of.expected), got: say(of.got) })} />{' '}
        </small>
      )}
      <Prose of={verdicts[of.verdict].meaning} />
    </>
  );
};

export const Findings = ({ of }: { of: Verification['findings'] }) => {
  const { verification: texts, findings } = useTexts();
  return of.length === 0 ? null : (
    <>
      <h2>{texts.findings}</h2>
      <DataTable
        caption={texts.findingsCaption}
        rows={of.map((finding, index) => ({ ...finding, id: `finding-${index}` }))}
        idOf={({ id }) => id}
        columns={[
          { head: texts.finding, cell: ({ code }) => <a href={`/guide/codes/${code}`}>{code}</a> },
          { head: texts.clause, cell: ({ clause }) => <Clauses of={clause} /> },
          { head: texts.field, cell: ({ field }) => <code>{field}</code> },
          { head: texts.expected, cell: ({ expected }) => <InlineCode text={expected} /> },
          { head: texts.got, cell: ({ got }) => <InlineCode text={got ?? texts.nothing} /> },
        ]}
        more={({ code }) => <Prose of={findings[code].meaning} />}
      />
    </>
  );
};

type Exchange = Answers['exchanges']['exchanges'][number];

/** Of each list, in one file. */
const MAX_ROWS = 200;

/** The files of a verification: its exchanges for other tools, and everything for a report of a defect. */
export const downloads: NonNullable<Page['downloads']> = {
  async har(context) {
    // Refused where there is no verification.
    await context.api.neighbours(context.params.uuid!);
    return har(context, await exchangesOf(context));
  },
  bundle,
};

const exchangesOf = async ({ api, params }: PageContext): Promise<Exchange[]> =>
  (await api.exchanges({ verificationUuid: params.uuid!, limit: MAX_ROWS })).exchanges.reverse();

/** HTTP Archive 1.2. Secrets are masked, as everywhere. */
const har = ({ params, origin }: PageContext, exchanges: readonly Exchange[]): Download => ({
  name: `${params.uuid}.har`,
  type: 'application/json',
  content: JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'robot-vasp', version: '' },
      entries: exchanges.map(each => harEntry(each, origin)),
    },
  }),
});

const harEntry = (each: Exchange, origin: string) => ({
  startedDateTime: each.at,
  time: each.durationMs,
  request: {
    method: each.method,
    url: new URL(each.url, origin).href,
    httpVersion: 'HTTP/1.1',
    headers: pairs(each.headers),
    queryString: pairs(Object.fromEntries(new URL(each.url, origin).searchParams)),
    cookies: [],
    headersSize: -1,
    bodySize: sizeOf(each.request),
    ...(each.request === null ? {} : { postData: { mimeType: 'application/json', text: each.request } }),
  },
  response: {
    status: each.status ?? 0,
    statusText: each.error ?? '',
    httpVersion: 'HTTP/1.1',
    headers: pairs(each.responseHeaders),
    cookies: [],
    content: { size: sizeOf(each.response), mimeType: 'application/json', text: each.response ?? '' },
    redirectURL: '',
    headersSize: -1,
    bodySize: sizeOf(each.response),
  },
  cache: {},
  timings: { connect: each.connectMs ?? -1, send: 0, wait: each.durationMs - (each.connectMs ?? 0), receive: 0 },
  comment: each.operation,
});

const pairs = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));
const sizeOf = (text: string | null): number => Buffer.byteLength(text ?? '');

async function bundle(context: PageContext): Promise<Download> {
  const { api, params } = context;
  const uuid = params.uuid!;
  const [info, verification, list, timeline, { callbacks }, exchanges] = await Promise.all([
    api.info(),
    orNotServed(api.verification(uuid), null),
    api.verifications({ verificationUuid: uuid }),
    api.timeline(uuid),
    api.callbacks({ verificationUuid: uuid, limit: MAX_ROWS }),
    exchangesOf(context),
  ]);
  const { version, mode, robot, vasp, chains } = info;
  const content = {
    sandbox: { version, mode, robot, vasp, chains },
    verification,
    listed: list.verifications[0],
    timeline,
    callbacks,
    exchanges,
  };
  return { name: `${uuid}.json`, type: 'application/json', content: JSON.stringify(content) };
}
