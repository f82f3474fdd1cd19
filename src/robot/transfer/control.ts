import { type CallerId, type Scoped, scopedRow } from '../../contract/tenancy.ts';
import type { RobotDeps } from '../deps.ts';
import * as numbers from '../numbers/store.ts';
import * as attempts from './attempt-store.ts';
import * as transferLists from './list-store.ts';
import * as transfers from './store.ts';
import { isOver, type Transfer } from './transfer.ts';

export type ListedTransfer = Transfer & { verificationUuid: Scoped<string> };

export const transferControl = ({ db }: RobotDeps) => ({
  /** Newest first, at most `query.limit`; `id` is the position in the list. */
  listTransfers: (query: transferLists.TransferQuery, caller: CallerId) =>
    transferLists.ofVasp(db, caller, query).map(row => listed(db, row)),
  /** Transfers that are in no block and say why in `note`, newest first. */
  listWaitingTransfers: (limit: number, caller: CallerId): ListedTransfer[] =>
    transferLists.waitingOf(db, caller, limit).map(row => listed(db, row)),
  findTransfers: (uuids: readonly Scoped<string>[]): ReadonlyMap<string, ListedTransfer> =>
    new Map(transfers.findAll(db, uuids).map(row => [row.verificationUuid, listed(db, row)])),
  /** Everything that was signed for a transfer, oldest first. */
  signedTransactions: (verificationUuid: Scoped<string>) => attempts.of(db, verificationUuid),
  /** True: the robot pays, or has paid. */
  isPaid: (verificationUuid: string): boolean => transfers.find(db, verificationUuid) !== undefined,
  /** False: money is on its way, or a deposit is not final. */
  isFinal(verificationUuid: string): boolean {
    const transfer = transfers.find(db, verificationUuid);
    return !transfer || isOver(transfer);
  },
});

const ownVerification = scopedRow('verificationUuid');

/** Its note, or what stops its account before its turn comes. */
const listed = <T extends Transfer>(db: RobotDeps['db'], row: T) => {
  const isUntried = row.status === 'PENDING' && row.note === '';
  return ownVerification(isUntried ? { ...row, note: numbers.find(db, row).note } : row);
};
