import { builtFile } from '../../kernel/built-file.ts';
import { keepChecksum } from '../../kernel/eip55.ts';

/** Of one phrase. */
export interface BuiltAddresses {
  mnemonic: string;
  /** By index, with their checksums. */
  addresses: string[];
}

let built: BuiltAddresses | undefined;

/**
 * The first addresses of the development phrase, in lower case. To derive them and their checksums takes a tenth of a
 * start, so the build makes the file beside the bundle. From `src/` there is none.
 */
export function builtAddresses(mnemonic: string): readonly string[] {
  built ??= read();
  return built.mnemonic === mnemonic ? built.addresses : [];
}

function read(): BuiltAddresses {
  const file = builtFile('addresses.json');
  if (!file) return { mnemonic: '', addresses: [] };
  const { mnemonic, addresses }: BuiltAddresses = JSON.parse(file.toString('utf8'));
  addresses.forEach(keepChecksum);
  return { mnemonic, addresses: addresses.map(address => address.toLowerCase()) };
}
