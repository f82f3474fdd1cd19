import type { Answers } from '../../client/client.ts';
import { type Action, done } from '../page.ts';
import { counted, fill, useTexts } from '../texts/languages.ts';
import { ActionForm } from './form.tsx';
import { Json } from './json.tsx';
import { DataTable } from './table.tsx';
import { Fold, InlineCode } from './text.tsx';
import { Badge, durationText, HttpStatus, Time, verificationColumn } from './values.tsx';

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
      more={row =>
        hrefOf ? null : (
          <Fold id={`attempts-${row.id}`} summary={counted(callback.attempts, row.attempts.length)}>
            <Attempts of={row} />
          </Fold>
        )
      }
    />
  );
};

/** The action of a page that has the table. */
export const replay: Action = async ({ api, texts }, { callbackId = '' }) => {
  const { callbackType } = await api.replay(callbackId);
  return done(fill(texts.callbacks.replayed, { type: callbackType }));
};

/** `at`: path of the action. */
export const Replay = ({ of, at }: { of: Callback; at: string }) => {
  const { callback } = useTexts();
  const { id, callbackType, verificationUuid, status } = of;
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
const Outcome = ({ of, isShort }: { of: Attempt | undefined; isShort?: boolean }) => {
  const { callback, time } = useTexts();
  if (of === undefined) return <span class="muted">{callback.noneYet}</span>;
  const isSent = of.status !== null || of.url !== null;
  const error = !isShort && of.error ? <InlineCode text={of.error} /> : null;
  return (
    <>
      {isSent ? <HttpStatus of={of.status} /> : <Badge of={callback.notSent} tone="warn" />}{' '}
      <small>
        {isSent ? durationText(of.durationMs, time) : null}
        {isSent && error ? ' · ' : null}
        {error}
      </small>
    </>
  );
};

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
