import type { Db } from '../db/open.ts';
import { write } from '../db/transaction.ts';
import type { FixtureVasp } from '../enclave/vasps/load.ts';
import type { VaspStore } from '../enclave/vasps/store.ts';
import type { Registration } from '../vasps/wire.ts';
import type { Config } from './config.ts';

/** The VASPs that are there from the start: the robot, the tested VASP of the configuration, those of the fixtures. */
export function seedVasps(
  db: Db,
  vasps: VaspStore,
  config: Config,
  fixtures: FixtureVasp[],
  now: number,
): void {
  const { vaspId } = config.vasp;
  const isRegistered = vasps.find(vaspId) !== undefined || fixtures.some(vasp => vasp.vaspId === vaspId);
  const nowhere = { endpoints: {}, authorization: { header: 'Authorization' } };
  write(db, tx => {
    const seed = (
      vasp: Pick<Registration, 'vaspId' | 'name' | 'endpoints' | 'authorization'>,
      isActive = true,
    ) => {
      const registered = vasps.find(vasp.vaspId);
      const row = { ...vasp, isActive, createdAt: registered?.createdAt ?? now, updatedAt: now };
      vasps.save(tx, row);
    };
    for (const { isActive, ...vasp } of fixtures) seed({ ...vasp, ...nowhere }, isActive);
    seed({ ...config.robot, ...nowhere });
    // What was registered at run time stays, unless the environment names endpoints of its own.
    const isConfigured = Object.values(config.vasp.endpoints).some(endpoint => endpoint !== undefined);
    if (isConfigured || !isRegistered) seed(config.vasp);
  });
}
