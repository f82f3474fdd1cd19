import * as z from 'zod';

/** The names of a person or company, in the form of the fixtures and of the customers file. */

export const NameText = z.string().trim().min(1).max(256).meta({ pattern: '\\S' });

export const PersonNames = z
  .strictObject({ lastName: NameText, firstName: NameText })
  .meta({ id: 'PersonNames', description: 'The names of a natural person.' });
export type PersonNames = z.infer<typeof PersonNames>;

export const CompanyNames = z
  .strictObject({
    legalName: NameText,
    representatives: z.array(PersonNames).min(1),
  })
  .meta({ id: 'CompanyNames', description: 'The names of a legal person and of its representatives.' });
export type CompanyNames = z.infer<typeof CompanyNames>;

export const NaturalNamed = z
  .object({ kind: z.literal('natural'), names: PersonNames })
  .meta({ id: 'NaturalNamed', description: 'A natural person.' });
export const LegalNamed = z
  .object({ kind: z.literal('legal'), names: CompanyNames })
  .meta({ id: 'LegalNamed', description: 'A legal person with its representatives.' });

/** Anybody with a name: a user of the robot, a customer of the tested VASP. */
export const Named = z
  .discriminatedUnion('kind', [NaturalNamed, LegalNamed], { error: 'should be `natural` or `legal`' })
  .meta({ id: 'Named', description: 'A natural person, or a legal person with its representatives.' });
export type Named = z.infer<typeof Named>;
