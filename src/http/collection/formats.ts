import { bru } from './bru.ts';
import { bruno } from './bruno.ts';
import { har } from './har.ts';
import { hurl } from './hurl.ts';
import { postman } from './postman.ts';
import type { ApiDocument } from './saved-requests.ts';

interface Format {
  mediaType: string;
  fileName: string;
  /** `url`: address of the sandbox. */
  make(document: ApiDocument, url: string): string | Uint8Array<ArrayBuffer>;
}

const JSON_TYPE = 'application/json; charset=UTF-8';

export const COLLECTION_FORMATS: Readonly<Record<string, Format>> = {
  postman: { mediaType: JSON_TYPE, fileName: 'robot-vasp.postman_collection.json', make: postman },
  hurl: { mediaType: 'text/plain; charset=UTF-8', fileName: 'robot-vasp.hurl', make: hurl },
  har: { mediaType: JSON_TYPE, fileName: 'robot-vasp.har', make: har },
  bruno: { mediaType: JSON_TYPE, fileName: 'robot-vasp.bruno.json', make: bruno },
  bru: { mediaType: 'application/x-tar', fileName: 'robot-vasp.tar', make: bru },
};
