import type { Answers } from '../../client/client.ts';
import { counted, fill, useTexts } from '../texts/languages.ts';
import { ActionForm } from './form.tsx';
import { Json } from './json.tsx';
import { DataTable } from './table.tsx';
import { Fold, InlineCode } from './text.tsx';
import { Badge, durationText, Time, verificationColumn } from './values.tsx';

type Callback = Answers['replay'];
type Attempt = Callback['attempts'][number];

interface CallbackTable {
  rows: readonly Callback[];
  /** Shown when there are none. */
  empty: string;
  /** The form posts the `id` of the callback to this path. */
  replayAt: string;
  /** They are all of the verification of the page. */
  isOfOne?: boolean;
  /** The page with the details of a callback. Default: they fold below its row. */
  hrefOf?(id: string): string;
  /** Id of the callback whose details are shown. */
  shown?: string | undefined;
}

/** Callbacks with their attempts. Failed deliveries are highlighted. */
export const CallbackTable = ({ rows, empty, replayAt, isOfOne, hrefOf, shown }: CallbackTable) => {
  const { callback, verification, list } = useTexts();
  return (
    <DataTable
      caption={callback.caption}
      rows={rows}
      empty={empty}
      idOf={({ id }) => `callback-${id}`}
      isLoud={({ status }) => status === 'GIVEN-UP'}
      hrefOf={({ id }) => hrefOf?.(id)}
      columns={[
        { head: verification.created, bare: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          head: callback.type,
          bare: true,
          line: true,
          cell: ({ id, callbackType }) =>
            hrefOf ? (
              <a class="code" href={hrefOf(id)} aria-current={id === shown ? 'true' : undefined}>
                {callbackType}
              </a>
            ) : (
              <span class="code">{callbackType}</span>
            ),
        },
        ...(isOfOne ? [] : [verificationColumn<Callback>(useTexts())]),
        { head: verification.status, bare: true, line: true, cell: ({ status }) => <Badge of={status} /> },
        {
          head: callback.lastAttempt,
          bare: true,
          cell: ({ attempts }) => <Outcome of={attempts.at(-1)} isShort={hrefOf !== undefined} />,
        },
        // Beside its list the chosen callback has the button.
        ...(shown === undefined
          ? [{ head: list.actions, bare: true, cell: (row: Callback) => <Replay of={row} at={replayAt} /> }]
          : []),
      ]}
      more={row => (hrefOf ? null : <FoldedAttempts of={row} />)}
    />
  );
};

export const Replay = ({
  of: { id, callbackType, verificationUuid, status },
  at,
}: {
  of: Callback;
  at: CallbackTable['replayAt'];
}) => {
  const { callback } = useTexts();
  const [label, description] =
    status === 'PENDING' ? [callback.retry, callback.retryThis] : [callback.replay, callback.replayThis];
  return (
    <ActionForm
      to={at}
      values={{ callbackId: id }}
      label={label}
      tone={status === 'GIVEN-UP' ? 'secondary' : 'quiet'}
      describe={() => fill(description, { type: callbackType, of: verificationUuid.slice(0, 8) })}
    />
  );
};

/** `isShort`: the error stands elsewhere. */
const Outcome = ({ of, isShort }: { of: Attempt | undefined; isShort?: boolean }) =>
  of === undefined ? (
    <span class="muted">{useTexts().callback.noneYet}</span>
  ) : of.status === null && of.url === null ? (
    <>
      <Badge of={useTexts().callback.notSent} tone="warn" />{' '}
      {of.error && !isShort ? (
        <small>
          <InlineCode text={of.error} />
        </small>
      ) : null}
    </>
  ) : (
    <>
      <Badge
        of={of.status === null ? useTexts().exchange.noAnswer : String(of.status)}
        tone={of.status === 200 ? 'good' : 'bad'}
      />{' '}
      <small>
        {durationText(of.durationMs, useTexts().time)}
        {of.error && !isShort ? (
          <>
            {' · '}
            <InlineCode text={of.error} />
          </>
        ) : null}
      </small>
    </>
  );

const FoldedAttempts = ({ of }: { of: Callback }) => (
  <Fold id={`attempts-${of.id}`} summary={counted(useTexts().callback.attempts, of.attempts.length)}>
    <Attempts of={of} />
  </Fold>
);

/** The data of a callback, and every attempt to deliver it. */
export const Attempts = ({ of: { data, attempts } }: { of: Callback }) => (
  <>
    <Json of={data} />
    <ol class="attempts">
      {attempts.map(attempt => (
        <li>
          <p class="row">
            <Time at={attempt.at} /> <Outcome of={attempt} />
            {attempt.url === null ? null : <code>{`POST ${attempt.url}`}</code>}
          </p>
          {attempt.request === null ? null : <Json of={attempt.request} />}
          {attempt.answer ? <Json of={attempt.answer} /> : null}
        </li>
      ))}
    </ol>
  </>
);
