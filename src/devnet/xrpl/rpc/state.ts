import type { Engine } from '../engine.ts';
import type { Entry } from '../entries.ts';
import type { SelectedLedger } from './ledger-selector.ts';

/** The state of a ledger behind the key `after`, sorted by key. */
export function* stateOf(
  engine: Engine,
  { header, index }: SelectedLedger,
  after = '',
): Generator<{ key: string; entry: Entry }> {
  if (header) {
    yield* engine.storage.entriesOf(index, after);
    return;
  }
  const written = engine.open.view.written();
  const added = [...written].filter(([key]) => key > after).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const item of engine.storage.entriesOf(engine.closed.index, after)) {
    for (let next = added[0]; next && next[0] < item.key; next = added[0]) {
      added.shift();
      if (next[1]) yield { key: next[0], entry: next[1] };
    }
    if (!written.has(item.key)) yield item;
  }
  for (const [key, entry] of added) if (entry) yield { key, entry };
}
