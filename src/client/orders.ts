import type * as z from 'zod';
import type { KNOBS } from '../contract/knobs.ts';
import type { RunRequest } from '../contract/plans.ts';
import type { CheckRequest } from '../sandbox/checks/schema.ts';
import type { FaultRequest } from '../sandbox/faults/schema.ts';
import type { TransferRequest } from '../sandbox/transfers/schema.ts';
import type { UserRequest } from '../sandbox/users/schema.ts';
import type { VaspPatch, VaspRequest } from '../sandbox/vasps/schema.ts';
import type { KeyRequest } from '../tenants/keys/schema.ts';
import type { RegistrationRequest } from '../tenants/registrations/schema.ts';
import type { TenantPatch } from '../tenants/vasps/schema.ts';

/** The bodies of requests, before their defaults are filled in. */

export type UserChange = z.input<typeof UserRequest>;
export type FaultOrder = z.input<typeof FaultRequest>;
export type VaspRegistration = z.input<typeof VaspRequest>;
export type NewTenant = z.input<typeof RegistrationRequest>;
export type VaspChange = z.input<typeof VaspPatch>;
export type RunOrder = z.input<typeof RunRequest>;
export type TransferOrder = z.input<typeof TransferRequest>;
export type KeyOrder = z.input<typeof KeyRequest>;
export type TenantChange = z.input<typeof TenantPatch>;
export type CheckOptions = z.input<typeof CheckRequest>;
export type KnobName<S extends keyof typeof KNOBS> = keyof (typeof KNOBS)[S];
