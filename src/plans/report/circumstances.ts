import type { RunReport } from '../../contract/plans.ts';

/** On which chains the run was, and when a transaction counted as final there. */
export const chainTexts = ({ chains }: RunReport): string[] =>
  chains.map(({ network, id, finality }) => {
    const name = id === null ? network : `${network} (${id})`;
    return finality === undefined ? name : `${name}, final: ${finality}`;
  });

/** The exchanges that the run has kept, and the memory that it needed. */
export function usageText({ evidence, memoryBytes }: RunReport): string {
  const kept = `${evidence.exchanges} exchanges of ${Math.ceil(evidence.bytes / 2 ** 10)} KB kept`;
  return memoryBytes === undefined
    ? kept
    : `${kept}, at most ${Math.round(memoryBytes / 2 ** 20)} MB of memory`;
}
