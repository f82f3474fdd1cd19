import { writeFile } from 'node:fs/promises';
import { CUSTOMERS } from '../../reference-vasp/customers.ts';
import { wrongUsage } from '../command.ts';
import { cannotWrite } from '../input.ts';

const XRP_ADDRESS = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
const ETH_ADDRESSES = [
  '0x5811001506550d8356a215be229c15b6ef371a9b',
  '0x6f1b1c9f2b5f0a7f4f6b6f0d3a1c2e4d5b7a8c90',
  '0x2d9a7c41e8b3f65017a4c9d8e2b6f3a05c1d7e84',
  '0x91c4d0b7a35e2f86c1d9e40b7f2a6835ce017b4d',
];
const EXAMPLE = {
  customers: CUSTOMERS.map((customer, index) => ({
    ...customer,
    accounts: { ETH: ETH_ADDRESSES[index], XRP: `${XRP_ADDRESS}:${index + 1}` },
  })),
  nobody: { ETH: '0x000000000000000000000000000000000000dEaD', XRP: `${XRP_ADDRESS}:999` },
};

/** Throws a `Failure` when the file exists. */
export async function writeExample(path: string): Promise<string> {
  try {
    await writeFile(path, `${JSON.stringify(EXAMPLE, null, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw wrongUsage(`${path} exists; it is not overwritten`);
    cannotWrite(path)(error as NodeJS.ErrnoException);
  }
  return `${path} is written. Put in customers of your VASP with their real deposit addresses. Take out those that you do not have: the modules about them are then skipped.`;
}
