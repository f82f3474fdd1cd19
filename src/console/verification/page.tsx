import { Badge } from '../components/badge.tsx';
import { CallbackTable } from '../components/callback-table.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DataTable } from '../components/data-table.tsx';
import { DefinitionList } from '../components/definition-list.tsx';
import { Empty } from '../components/empty.tsx';
import { Time } from '../components/time.tsx';
import { TransactionLink } from '../components/transaction-link.tsx';
import { Money, Result, type Verification } from '../components/verification-table.tsx';
import { type Page, type PageContext, Titled } from '../page.ts';
import { ActionForms } from './action-forms.tsx';
import { verificationActions } from './actions.tsx';
import { downloads } from './downloads.ts';
import { SequenceDiagram } from './sequence-diagram.tsx';
import { nearMissOf } from './timeline-entry.tsx';

export const verification: Page = {
  path: '/verifications/:uuid',
  title: 'Verification',
  parent: '/verifications',
  isLive: true,
  downloads,
  async render({ api, params, query, origin }) {
    const uuid = params.uuid!;
    const [timeline, found, { callbacks }, { now }, { vasp }, neighbours] = await Promise.all([
      api.timeline(uuid),
      api.verifications({ search: uuid, limit: 1 }),
      api.callbacks({ verificationUuid: uuid, order: 'newest' }),
      api.clock(),
      api.info(),
      api.neighbours(uuid),
    ]);
    const row = found.verifications[0]!;
    const names = {
      'tested-vasp': vasp.name,
      enclave: 'Enclave',
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
        <VerificationDetails of={row} />
        <Remarks of={row.remarks} />
        <ActionForms of={row} txHash={await hashToReport(api, row)} here={here} />
        <h2>What happened</h2>
        <Views here={here} onlyMessages={onlyMessages} />
        <SequenceDiagram
          timeline={timeline}
          names={names}
          now={Date.parse(now)}
          onlyMessages={onlyMessages}
          context={context}
        />
        <h2>Callbacks to you</h2>
        {callbacks.length > 0 ? (
          <CallbackTable rows={callbacks} replayAt={`${here}/replay`} />
        ) : (
          <Empty>None yet.</Empty>
        )}
        <p class="row">
          <a href={`/console/json/v1/verifications/${uuid}`}>The verification as JSON</a>
          <a href={`/console/json/sandbox/v1/verifications/${uuid}/timeline`}>Its timeline as JSON</a>
          <a href={`/console/exchanges?verificationUuid=${uuid}`}>Its HTTP exchanges</a>
          <a href={`${here}/har`} download>
            Download HAR
          </a>
          <a href={`${here}/bundle`} download>
            Download everything
          </a>
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

const Neighbours = ({ newer, older }: { newer: string | null; older: string | null }) => (
  <nav class="neighbours" aria-label="Other verifications">
    {newer === null ? (
      <span class="muted">← Newer</span>
    ) : (
      <a href={`/console/verifications/${newer}`} rel="prev" aria-keyshortcuts="[">
        ← Newer
      </a>
    )}
    {older === null ? (
      <span class="muted">Older →</span>
    ) : (
      <a href={`/console/verifications/${older}`} rel="next" aria-keyshortcuts="]">
        Older →
      </a>
    )}
  </nav>
);

const Views = ({ here, onlyMessages }: { here: string; onlyMessages: boolean }) => (
  <nav class="views" aria-label="Views of the diagram">
    <a href={`${here}?view=messages`} aria-current={onlyMessages ? 'page' : undefined}>
      Messages only
    </a>
    <a href={here} aria-current={onlyMessages ? undefined : 'page'}>
      Everything
    </a>
  </nav>
);

/** The hash to report: the reported one, or that of a matching deposit. */
async function hashToReport(api: PageContext['api'], row: Verification): Promise<string | undefined> {
  if (row.role !== 'originating' || row.result !== 'VERIFIED') return undefined;
  if (row.txHash !== null) return row.txHash;
  const { deposits } = await api.deposits();
  const fits = (address: string, amount: string) =>
    address.toLowerCase() === row.beneficiaryAddress.toLowerCase() && amount === row.amount;
  return deposits.find(({ address, amount, verificationUuid }) =>
    verificationUuid === null ? fits(address, amount) : verificationUuid === row.verificationUuid,
  )?.txHash;
}

const Report = ({ of }: { of: NonNullable<Verification['report']> }) => (
  <>
    <Badge of={of.verdict} />{' '}
    <small>
      expected {of.expected}; got {of.got}
    </small>
  </>
);

const Remarks = ({ of }: { of: Verification['remarks'] }) =>
  of.length === 0 ? null : (
    <>
      <h2>Remarks</h2>
      <DataTable
        caption="Remarks about your conduct, oldest first"
        rows={of.map((remark, index) => ({ ...remark, id: `remark-${index}` }))}
        idOf={({ id }) => id}
        columns={[
          { head: 'Remark', cell: ({ code }) => code },
          { head: 'Clause', cell: ({ clause }) => clause },
          { head: 'Field', cell: ({ field }) => <code>{field}</code> },
          { head: 'Expected', cell: ({ expected }) => expected },
          { head: 'Got', cell: ({ got }) => got ?? 'nothing' },
        ]}
      />
    </>
  );

const VerificationDetails = ({ of }: { of: Verification }) => (
  <>
    <p class="row">
      <Copyable text={of.verificationUuid} /> <Result of={of} />
    </p>
    <DefinitionList
      of={[
        ['You are', `${of.role} VASP`],
        ['Counterparty', of.counterparty.name],
        ['User of the robot', of.userId ?? undefined],
        ['Amount', `${of.amount} ${of.symbol}${of.network === null ? '' : ` on ${of.network}`}`],
        ['From', <Copyable text={of.originatorAddress} />],
        ['To', <Copyable text={of.beneficiaryAddress} />],
        ['Message', of.message === '' ? undefined : of.message],
        ['Requested', <Time at={of.createdAt} />],
        ['Decided', of.verifiedAt === null ? <Badge of="OPEN" /> : <Time at={of.verifiedAt} />],
        ['Transaction reported', of.orderedAt === null ? 'not yet' : <Time at={of.orderedAt} />],
        [
          'Reported hash',
          of.txHash === null ? undefined : <TransactionLink symbol={of.symbol} txHash={of.txHash} />,
        ],
        [
          'Money',
          <>
            <Money of={of.money} /> {of.money?.note ? <small>{of.money.note}</small> : null}
          </>,
        ],
        ['Your report', of.report ? <Report of={of.report} /> : undefined],
      ]}
    />
  </>
);
