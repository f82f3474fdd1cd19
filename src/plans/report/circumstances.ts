import type { EvidenceExchange, RunReport } from '../../contract/plans.ts';

/** On which chains the run was, and when a transaction counted as final there. */
export const chainTexts = ({ chains }: RunReport): string[] =>
  chains.map(({ network, id, finality }) => {
    const name = id === null ? network : `${network} (${id})`;
    return finality === undefined ? name : `${name}, final: ${finality}`;
  });

/** The exchanges that the run has kept, the memory that it needed, and by how much it has extended time limits. */
export function usageText({ evidence, memoryBytes, modules }: RunReport): string {
  const kept = `${evidence.exchanges} exchanges of ${Math.ceil(evidence.bytes / 2 ** 10)} KB kept`;
  const memory =
    memoryBytes === undefined ? [] : [`at most ${Math.round(memoryBytes / 2 ** 20)} MB of memory`];
  const stood = modules.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ standstillMs }) => standstillMs ?? []),
  );
  const extended =
    stood.length === 0
      ? []
      : [
          `the sandbox itself was late during ${stood.length} calls, at most by ${Math.max(...stood)} ms, by which it extended their time limits`,
        ];
  return [kept, ...memory, ...extended].join(', ');
}

/** `120 ms, of which the sandbox itself was late by 80 ms` */
export const durationText = ({
  durationMs,
  standstillMs,
}: Pick<EvidenceExchange, 'durationMs' | 'standstillMs'>): string =>
  `${durationMs} ms${standstillMs ? `, of which the sandbox itself was late by ${standstillMs} ms` : ''}`;
