import { join } from 'node:path';
import * as z from 'zod';
import { hasPart } from '../contract/parts.ts';
import { text, VaspId } from '../contract/text.ts';
import type { Db } from '../db/open.ts';
import { write } from '../db/transaction.ts';
import type { VaspStore } from '../enclave/vasps/store.ts';
import { readFixture } from '../kernel/fixture-file.ts';
import type { Registration } from '../vasps/wire.ts';
import type { Config } from './config/config.ts';

/** Another member of the alliance. An inactive one provokes ALLIANCE-NOT-ACTIVE. */
const FixtureVasp = z.strictObject({ vaspId: VaspId, name: text(256), isActive: z.boolean() });
type FixtureVasp = z.infer<typeof FixtureVasp>;

/** Reads `vasps.json` in the folder `fixturesPath`. Throws `FixtureError`. */
export const loadVasps = (fixturesPath: string): FixtureVasp[] =>
  readFixture(join(fixturesPath, 'vasps.json'), z.array(FixtureVasp));

/** Saves the VASPs of the start: the robot if it runs here, the configured tested VASP, and the fixtures' VASPs. */
export function seedVasps(
  db: Db,
  vasps: VaspStore,
  config: Config,
  fixtures: FixtureVasp[],
  now: number,
): void {
  const { vaspId } = config.vasp;
  const isRegistered = vasps.find(vaspId) !== undefined || fixtures.some(vasp => vasp.vaspId === vaspId);
  const withoutEndpoints = { endpoints: {}, authorization: { header: 'Authorization' } };
  write(db, tx => {
    const seed = (
      vasp: Pick<Registration, 'vaspId' | 'name' | 'endpoints' | 'authorization'>,
      isActive = true,
    ) => {
      const registered = vasps.find(vasp.vaspId);
      const row = { ...vasp, isActive, createdAt: registered?.createdAt ?? now, updatedAt: now };
      vasps.save(tx, row);
    };
    for (const { isActive, ...vasp } of fixtures) seed({ ...vasp, ...withoutEndpoints }, isActive);
    if (hasPart(config.parts, 'robot')) seed({ ...config.robot, ...withoutEndpoints });
    // A registration at run time stays, unless the environment names endpoints.
    const isConfigured = Object.values(config.vasp.endpoints).some(endpoint => endpoint !== undefined);
    const isLocal = config.mode === 'local';
    if (isLocal && (isConfigured || !isRegistered)) seed(config.vasp);
  });
}
