import type { EnclaveDeps } from '../deps.ts';

/** False: the VASP is suspended, and nothing is sent to it. */
export const isActive = ({ vasps }: Pick<EnclaveDeps, 'vasps'>, vaspId: string): boolean =>
  vasps.find(vaspId)?.isActive ?? true;
