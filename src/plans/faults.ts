import type { Order } from '../client/calls.ts';
import type { RunWorld } from './world.ts';

/** Of several faults with the same name a VASP has only the newest. */
export const faultName = ({
  target,
  mode,
  verificationUuid,
}: Pick<Order<'addFault'>, 'target' | 'mode' | 'verificationUuid'>): string =>
  [target, mode, verificationUuid ?? 'every verification'].join(', ');

/** Removes the faults with these names. A fault that has happened is gone. */
export async function removeFaults(api: RunWorld['api'], names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const { faults } = await api.faults();
  for (const fault of faults) if (names.includes(faultName(fault))) await api.removeFault(fault.id).catch(() => {});
}
