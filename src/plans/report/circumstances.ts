import type { EvidenceExchange, RunReport } from '../../contract/plans.ts';
import { selfDelays } from '../outcome.ts';

/** On which chains the run was, and when a transaction counted as final there. */
export const chainTexts = ({ chains }: RunReport): string[] =>
  chains.map(({ network, id, finality }) => {
    const name = id === null ? network : `${network} (${id})`;
    return finality === undefined ? name : `${name}, final: ${finality}`;
  });

/** The exchanges that the run has kept, the memory that it needed, and by how much it has extended time limits. */
export function usageText(report: RunReport): string {
  const { evidence, memoryBytes } = report;
  const kept = `${evidence.exchanges} exchanges of ${Math.ceil(evidence.bytes / 2 ** 10)} KB kept`;
  const memory = memoryBytes === undefined ? [] : [`at most ${Math.round(memoryBytes / 2 ** 20)} MB of memory`];
  return [kept, ...memory, ...selfDelays(report)].join(', ');
}

/** `120 ms, of which the sandbox itself was late by 80 ms` */
export const durationText = ({ durationMs, stallMs }: Pick<EvidenceExchange, 'durationMs' | 'stallMs'>): string =>
  `${durationMs} ms${stallMs ? `, of which the sandbox itself was late by ${stallMs} ms` : ''}`;
