import { isReason, type Reason } from '../../contract/reasons.ts';
import { Badge } from '../components/badge.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DataTable } from '../components/data-table.tsx';
import { DefinitionList } from '../components/definition-list.tsx';
import { InlineCode } from '../components/inline-code.tsx';
import type { Mark } from '../components/json.tsx';
import { Note } from '../components/note.tsx';
import { Clauses, Prose } from '../components/prose.tsx';
import { durationText, Time } from '../components/time.tsx';
import { TransactionLink } from '../components/transaction-link.tsx';
import { Result, type Verification } from '../components/verification-table.tsx';
import { moneyNote } from '../money/note-text.ts';
import type { CodeText } from '../texts/english.ts';
import { fill } from '../texts/fill.ts';
import { useSentences, useTexts } from '../texts/languages.ts';
import { NearMiss } from './timeline-entry.tsx';

export const VerificationDetails = ({ of, nearMiss }: { of: Verification; nearMiss: Mark | undefined }) => {
  const all = useTexts();
  const { verification: texts, diagram, time } = all;
  return (
    <>
      <p class="row">
        <Copyable text={of.verificationUuid} /> <Result of={isExplained(of) ? { ...of, reason: null } : of} />
      </p>
      <Why of={of} nearMiss={nearMiss} />
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
          [
            texts.reported,
            of.orderedAt !== null ? (
              <Time at={of.orderedAt} />
            ) : of.result === null || of.result === 'VERIFIED' ? (
              texts.notYet
            ) : undefined,
          ],
          [
            texts.reportedHash,
            of.txHash === null ? undefined : <TransactionLink symbol={of.symbol} txHash={of.txHash} />,
          ],
          [
            texts.money,
            of.money === null ? undefined : (
              <>
                {all.money[of.money.kind]} <Badge of={of.money.status} />{' '}
                {of.money.note ? <Note>{moneyNote(of.money, all)}</Note> : null}
              </>
            ),
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
const Why = ({ of, nearMiss }: { of: Verification; nearMiss: Mark | undefined }) => {
  const { reasons, verification } = useTexts();
  if (!isExplained(of)) return null;
  const { reason } = of;
  const { meaning, advice } = reasons[reason];
  return (
    <section class="why">
      <p>
        <a href={`/guide/codes/${reason}`}>{reason}</a> <Prose of={meaning} />
      </p>
      {nearMiss ? (
        <p class="miss">
          <NearMiss {...nearMiss} />
        </p>
      ) : null}
      <p class="next">
        {verification.whatToDo} <Prose of={advice} />
      </p>
    </section>
  );
};

const Report = ({ of }: { of: NonNullable<Verification['report']> }) => {
  const { verification: texts, verdicts } = useTexts();
  const say = useSentences();
  return (
    <>
      <Badge of={of.verdict} />{' '}
      <small>{fill(texts.expectedAndGot, { expected: say(of.expected), got: say(of.got) })}</small>{' '}
      <Meaning of={verdicts[of.verdict]} />
    </>
  );
};

/** The meaning of a code, and the next step. */
const Meaning = ({ of: { meaning, advice } }: { of: CodeText }) => (
  <span>
    <Prose of={meaning} />{' '}
    <small>
      {useTexts().verification.whatToDo} <Prose of={advice} />
    </small>
  </span>
);

export const Remarks = ({ of }: { of: Verification['remarks'] }) => {
  const { verification: texts, remarks } = useTexts();
  return of.length === 0 ? null : (
    <>
      <h2>{texts.remarks}</h2>
      <DataTable
        caption={texts.remarksCaption}
        rows={of.map((remark, index) => ({ ...remark, id: `remark-${index}` }))}
        idOf={({ id }) => id}
        columns={[
          { head: texts.remark, cell: ({ code }) => <a href={`/guide/codes/${code}`}>{code}</a> },
          { head: texts.clause, cell: ({ clause }) => <Clauses of={clause} /> },
          { head: texts.field, cell: ({ field }) => <code>{field}</code> },
          { head: texts.expected, cell: ({ expected }) => <InlineCode text={expected} /> },
          { head: texts.got, cell: ({ got }) => <InlineCode text={got ?? texts.nothing} /> },
        ]}
        more={({ code }) => <Meaning of={remarks[code]} />}
      />
    </>
  );
};
