import type { Running } from './run-module.ts';

/**
 * Runs modules in their order, those of two symbols side by side: their balances and amounts are separate. A module
 * that is alone waits for all before it, and all after it wait for it. Resolves or throws when all have ended.
 */
export async function inLanes(
  modules: readonly Running[],
  laneOf: (module: Running) => string,
  run: (module: Running) => Promise<void>,
): Promise<void> {
  let lanes = new Map<string, Running[]>();
  const runTogether = async () => {
    const together = [...lanes.values()];
    lanes = new Map();
    await allEnded(together.map((lane, index) => oneByOne(inTurn(lane, index), run)));
  };
  for (const module of modules) {
    if (module.module.alone) {
      await runTogether();
      await run(module);
    } else lanes.set(laneOf(module), [...(lanes.get(laneOf(module)) ?? []), module]);
  }
  await runTogether();
}

/**
 * What is judged again at the end of the run comes first, so that the time until then passes while the others run. Then
 * one lane waits while the other one works.
 */
function inTurn(lane: readonly Running[], index: number): Running[] {
  const waitsAreFirst = index % 2 === 0;
  const rank = ({ module }: Running) =>
    (module.late ? 0 : 2) + (Boolean(module.mostlyWaits) === waitsAreFirst ? 0 : 1);
  return lane.toSorted((one, other) => rank(one) - rank(other));
}

async function oneByOne(lane: readonly Running[], run: (module: Running) => Promise<void>): Promise<void> {
  for (const module of lane) await run(module);
}

async function allEnded(lanes: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
