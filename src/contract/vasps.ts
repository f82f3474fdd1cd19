import * as z from 'zod';
import { named } from './named.ts';
import { AnyText, optional, text, VaspId } from './text.ts';
import { Timestamp } from './time.ts';
import { inAnyCase } from './token-header.ts';

export const VASP_STATUSES = {
  'VERIFIED-MEMBER': 'Alliance member with a running enclave: transfers are possible.',
  VERIFIED: 'Registered, not approved yet or without an enclave.',
  UNVERIFIED: 'Not registered.',
  INTEROPERATED: 'Reached by another protocol.',
} as const;
export type VaspStatus = keyof typeof VASP_STATUSES;

const HEALTH_VALUES = ['UP', 'DOWN'] as const;
const PROTOCOLS = ['VERIFYVASP', 'CODE'] as const;

export const VaspEntry = named('VaspEntry', 'One VASP of the list.', {
  health: z.enum(HEALTH_VALUES).describe('State of the enclave of that VASP, derived from its last answers (D-23).'),
  vaspId: VaspId,
  vaspName: text(256),
  legalName: optional(AnyText),
  jurisdiction: optional(AnyText),
  isAlliance: optional(z.boolean()),
  country: optional(AnyText),
  countryCode: optional(AnyText).describe('ISO 3166-1 alpha-2.'),
  protocol: z.enum(PROTOCOLS),
  licensedStatus: AnyText.nullish().describe('Regulated, Unregulated, or null.'),
  vaspStatus: z.enum(Object.keys(VASP_STATUSES) as [VaspStatus, ...VaspStatus[]]).describe(
    Object.entries(VASP_STATUSES)
      .map(([status, meaning]) => `- \`${status}\`: ${meaning}`)
      .join('\n'),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const PROTOCOL_NAMES = [...PROTOCOLS, 'ALL'] as const;

export const VaspsQuery = z
  .object({
    // Case-insensitive: the documents write both ALL and all.
    protocol: z
      .string()
      .regex(new RegExp(`^(?:${PROTOCOL_NAMES.map(inAnyCase).join('|')})$`), {
        error: `should be one of ${PROTOCOL_NAMES.map(name => `\`${name}\``).join(', ')}`,
      })
      .transform(name => name.toUpperCase())
      .pipe(z.enum(PROTOCOL_NAMES))
      .default('ALL')
      .describe('Only VASPs of this protocol.'),
  })
  .meta({ id: 'VaspsQuery', description: 'Filter of the list of VASPs.' });
export type VaspsQuery = z.infer<typeof VaspsQuery>;

export const VaspsResponse = named('VaspsResponse', 'The VASPs that can handle transfers, including the caller.', {
  vasps: z.array(VaspEntry),
});
export type VaspsResponse = z.infer<typeof VaspsResponse>;

export const SelfResponse = named('SelfResponse', 'The VASP that runs this enclave.', { vaspId: VaspId });
export type SelfResponse = z.infer<typeof SelfResponse>;
