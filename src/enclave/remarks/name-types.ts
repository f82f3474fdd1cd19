import { LEGAL_NAME_TYPES, NATURAL_NAME_TYPES, type Persons } from '../../contract/ivms101.ts';
import type { RemarkFinding } from '../../db/remarks.ts';
import { namesIn } from './person-paths.ts';

const TYPES = { natural: NATURAL_NAME_TYPES, legal: LEGAL_NAME_TYPES };

/** D-27: name types that IVMS101 does not know. */
export const nameTypeFindings = (persons: Persons, root: string): RemarkFinding[] =>
  namesIn(persons, root).flatMap(({ path, kind, type }) =>
    type === null || type === undefined || TYPES[kind].includes(type.trim().toUpperCase())
      ? []
      : [
          {
            code: 'UNKNOWN-NAME-TYPE' as const,
            field: path,
            expected: TYPES[kind].join(', '),
            got: type,
          },
        ],
  );
