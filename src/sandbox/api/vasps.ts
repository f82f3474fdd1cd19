import * as z from 'zod';
import { optional, text, VaspId } from '../../contract/text.ts';

/** `/vasps` */

const address = z
  .string()
  .max(2048)
  .refine(value => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: 'should be a full http or https address',
  });
const providerKey = optional(text(256));
export const VaspRequest = z
  .object({
    name: text(256),
    endpoints: z
      .object({
        verifyUser: optional(address),
        verifyAccount: optional(address),
        transactionStatus: optional(address),
        callback: optional(address),
      })
      .default({}),
    authorization: optional(
      z.object({
        header: z
          .string()
          .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/, { error: 'should be a header name' })
          .default('Authorization'),
        token: optional(
          z
            .string()
            .max(4096)
            .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, { error: 'should be printable ASCII' }),
        ),
      }),
    ),
    providerKeys: optional(
      z.object({
        sanctionApiKey: providerKey,
        kytApiKey: providerKey,
        wcoApiKey: providerKey,
        wcoGroupId: providerKey,
      }),
    ).describe('For the screening providers, instead of those of the configuration. Never shown.'),
  })
  .meta({ id: 'VaspRequest', description: 'A VASP that is registered, or changed.' });
export const RegisteredVasp = z
  .object({
    vaspId: VaspId,
    name: z.string(),
    endpoints: z.object({
      verifyUser: z.string().optional(),
      verifyAccount: z.string().optional(),
      transactionStatus: z.string().optional(),
      callback: z.string().optional(),
    }),
    authorization: z.object({ header: z.string(), hasToken: z.boolean() }),
    health: z.enum(['UP', 'DOWN']),
    apiKey: z.string().optional().describe('Only in the answer to the first registration; stored hashed.'),
  })
  .meta({ id: 'RegisteredVasp' });
export const VaspsResponse = z.object({ vasps: z.array(RegisteredVasp) }).meta({ id: 'RegisteredVasps' });
