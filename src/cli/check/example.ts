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
      accounts: {
        ETH: '0x5811001506550d8356a215be229c15b6ef371a9b',
        XRP: 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY:1',
      },
      kyc: true,
    },
    {
      id: 'company',
      kind: 'legal',
      names: { legalName: 'Han River Trading', representatives: [{ lastName: 'Moss', firstName: 'Kate' }] },
      dateOfBirth: '1984-11-03',
      placeOfBirth: 'Busan',
      accounts: {
        ETH: '0x6f1b1c9f2b5f0a7f4f6b6f0d3a1c2e4d5b7a8c90',
        XRP: 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY:2',
      },
      kyc: true,
    },
    {
      id: 'without-kyc',
      kind: 'natural',
      names: { lastName: 'Okafor', firstName: 'Chidi' },
      accounts: {
        ETH: '0x2d9a7c41e8b3f65017a4c9d8e2b6f3a05c1d7e84',
        XRP: 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY:3',
      },
      kyc: false,
    },
    {
      id: 'hangul',
      kind: 'natural',
      names: { lastName: '홍', firstName: '길동' },
      dateOfBirth: '1988-05-01',
      placeOfBirth: '부산',
      accounts: {
        ETH: '0x91c4d0b7a35e2f86c1d9e40b7f2a6835ce017b4d',
        XRP: 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY:4',
      },
      kyc: true,
    },
  ],
  nobody: {
    ETH: '0x000000000000000000000000000000000000dEaD',
    XRP: 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY:999',
  },
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
  return `${path} is written. Put in customers of your VASP with their real deposit addresses. Take out those that you do not have: the modules about them are then skipped.`;
}
