import * as z from 'zod';
import { named } from './named.ts';
import { NameText } from './text.ts';

/** The names of a person or company, in the form of the fixtures and of the customers file. */

/** A company has a few. */
export const MAX_REPRESENTATIVES = 10;

export const PersonNames = z
  .strictObject({ lastName: NameText, firstName: NameText })
  .meta({ id: 'PersonNames', description: 'The names of a natural person.' });
export type PersonNames = z.infer<typeof PersonNames>;

/** WIRE-4: a name that cannot be split is a last name only. */
export const CustomerNames = PersonNames.extend({ firstName: NameText.optional() }).meta({
  id: 'CustomerNames',
  description: 'The names of a customer. A name that cannot be split is a last name only.',
});
export type CustomerNames = z.infer<typeof CustomerNames>;

export const CompanyNames = z
  .strictObject({ legalName: NameText, representatives: z.array(PersonNames).min(1).max(MAX_REPRESENTATIVES) })
  .meta({ id: 'CompanyNames', description: 'The names of a legal person and of its representatives.' });
export type CompanyNames = z.infer<typeof CompanyNames>;

export const NaturalNamed = named('NaturalNamed', 'A natural person.', {
  kind: z.literal('natural'),
  names: PersonNames,
});
export const LegalNamed = named('LegalNamed', 'A legal person with its representatives.', {
  kind: z.literal('legal'),
  names: CompanyNames,
});

/** Anybody with a name: a user of the robot, a customer of the tested VASP. */
export const Named = z
  .discriminatedUnion('kind', [NaturalNamed, LegalNamed], { error: 'should be `natural` or `legal`' })
  .meta({ id: 'Named', description: 'A natural person, or a legal person with its representatives.' });
export type Named = z.infer<typeof Named>;

/** The same with a customer who has one name. */
export type NamedCustomer = Named | { kind: 'natural'; names: CustomerNames };
