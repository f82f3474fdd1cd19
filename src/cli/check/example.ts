import { writeFile } from 'node:fs/promises';
import { wrongUsage } from '../command.ts';
import { cannotWrite } from '../input.ts';

const EXAMPLE = {
  customers: [
    {
      id: 'main',
      kind: 'natural',
      names: { lastName: 'Barnes', firstName: 'Robert' },
      dateOfBirth: '1990-02-28',
      placeOfBirth: 'Seoul',
      accounts: { ETH: '0x5811001506550d8356a215be229c15b6ef371a9b', XRP: 'rYOURADDRESS:1' },
      kyc: true,
    },
  ],
  nobody: { ETH: '0x000000000000000000000000000000000000dEaD', XRP: 'rYOURADDRESS:999' },
};

/** Throws a `Failure` when the file exists. */
export async function writeExample(path: string): Promise<string> {
  try {
    await writeFile(path, `${JSON.stringify(EXAMPLE, null, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw wrongUsage(`${path} exists; it is not overwritten`);
    cannotWrite(path)(error as NodeJS.ErrnoException);
  }
  return `${path} is written. Put in a customer of your VASP with the real deposit addresses.`;
}
