import { onCommit, write } from '../../../../../db/transaction.ts';
import { elapsedMs } from '../../../../../kernel/clock.ts';
import { later } from '../../../../../kernel/interval.ts';
import type { Log } from '../../../../../kernel/log.ts';
import { storageTrouble } from '../../../../../kernel/storage-trouble.ts';
import type { EnclaveDeps } from '../../../../deps.ts';
import { type SearchIndexStore, searchIndexStore } from './store.ts';

/** A search reads the newest verifications themselves, so their entries may wait for a moment. */
const WAIT_MS = 500;
/** Requests are served between two parts. */
const PAUSE_MS = 8;
const PART_MS = 4;
const PAGE = 100;
const TRY_AGAIN_MS = 1_000;
const AFTER_FAILURE_MS = 60_000;

type Deps = Pick<EnclaveDeps, 'db'> & { residentVaspId: string };

/** Keeps the index of the searches behind every commit. The returned function ends that. */
export function startSearchIndex(deps: Deps, log: Log): () => void {
  const store = searchIndexStore(deps.db);
  let cancel: (() => void) | undefined;
  let isWriting = false;
  const schedule = (ms: number) => {
    cancel = later(ms, run);
  };
  function run(): void {
    cancel = undefined;
    isWriting = true;
    try {
      if (!fillPart(deps, store)) schedule(PAUSE_MS);
    } catch (error) {
      const isTrouble = storageTrouble(error) !== undefined;
      if (!isTrouble) log.error({ err: String(error) }, 'the index of the searches could not be written');
      schedule(isTrouble ? TRY_AGAIN_MS : AFTER_FAILURE_MS);
    } finally {
      isWriting = false;
    }
  }
  schedule(WAIT_MS);
  const stopListening = onCommit(deps.db, () => {
    if (!isWriting && !cancel) schedule(WAIT_MS);
  });
  return () => {
    stopListening();
    cancel?.();
  };
}

/** Adds entries for a few milliseconds. True: every verification has its entries. */
export function fillPart({ db, residentVaspId }: Deps, store: SearchIndexStore): boolean {
  if (store.isComplete()) return true;
  const startedAt = elapsedMs();
  return write(db, tx => {
    for (;;) {
      const changed = store.changed(PAGE);
      const rows = changed.length > 0 ? changed : store.next(PAGE);
      const last = rows.at(-1)?.id;
      if (last === undefined) return true;
      store.add(tx, rows, residentVaspId);
      if (changed.length > 0) store.finishChanges(tx, last);
      else store.saveUpTo(tx, last);
      if (elapsedMs() - startedAt > PART_MS) return false;
    }
  });
}
