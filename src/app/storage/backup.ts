import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { addFile, copyDatabase, openArchive, readHeight, verifyArchive } from '../../db/archive.ts';
import { type FolderLock, lockFolder } from '../../db/folder-lock.ts';
import { refuseNoFile } from '../../db/open.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { sleep } from '../../kernel/interval.ts';
import { StartProblem } from '../../kernel/start-problem.ts';
import { companionPath, companionsOf, copyProblem, removeDatabase } from './files.ts';

export interface BackedUp {
  file: string;
  bytes: number;
  /** The other contents of the copy, beside the database. */
  companions: string[];
}

/** A running program saves the state of its Ethereum chain once a second when there is a new block; a busy one later. */
const SAVED_WITHIN_MS = 3_000;
const GIVE_UP_AFTER_MS = 60_000;
const LOOK_AGAIN_MS = 50;

/**
 * Copies the database and its embedded chains into one file, also beside a running program, and verifies the copy. The
 * chains are copied last: they may know more than the database, never less. Throws `StartProblem`.
 */
export async function backup(databasePath: string, file: string): Promise<BackedUp> {
  if (!existsSync(databasePath))
    throw new StartProblem(`There is no database ${databasePath}: set DATABASE_PATH to it.`);
  refuseNoFile(databasePath);
  if (existsSync(file)) throw new StartProblem(`The file ${file} exists: choose another name.`);
  requireWritable(dirname(resolve(file)));
  const lock = lockIfIdle(databasePath);
  const part = `${resolve(file)}.part`;
  removeDatabase(part);
  try {
    await copyDatabase(databasePath, part);
    if (!lock) await chainSaved(companionPath(databasePath, '.ethereum.json'), readHeight(part, 'ETH'));
    const companions = await addCompanions(databasePath, part, !lock);
    verifyArchive(part);
    finish(part, file);
    return { file, bytes: statSync(file).size, companions };
  } catch (error) {
    throw copyProblem(error, dirname(resolve(file)), 'choose a file on another disk');
  } finally {
    removeDatabase(part);
    lock?.release();
  }
}

function requireWritable(folder: string): void {
  try {
    // The point: a file has no folder below it.
    accessSync(`${folder}/.`, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartProblem(
      `The folder ${folder} cannot be written (${code}): choose a file in a folder that this user may write.`,
    );
  }
}

async function addCompanions(databasePath: string, part: string, isRunning: boolean): Promise<string[]> {
  const archive = openArchive(part);
  const copy = `${part}.copy`;
  try {
    const companions = companionsOf(databasePath, isRunning);
    for (const companion of companions) {
      const path = companionPath(databasePath, companion.ending);
      if (companion.kind === 'sqlite') await copyDatabase(path, copy);
      addFile(archive, companion.ending, companion.kind === 'sqlite' ? copy : path);
      removeDatabase(copy);
    }
    return companions.map(({ ending }) => ending);
  } finally {
    removeDatabase(copy);
    archive.close();
  }
}

/** Undefined: a program runs in the folder. */
function lockIfIdle(databasePath: string): FolderLock | undefined {
  try {
    return lockFolder(databasePath);
  } catch (error) {
    if (error instanceof StartProblem) return undefined;
    throw error;
  }
}

/**
 * Resolves when the saved state has the newest block that the copy knows, and is newer than this moment or has nothing
 * new to save. There is no state while the chain starts over. Throws `StartProblem`.
 */
async function chainSaved(statePath: string, height: number): Promise<void> {
  const savedAt = () => statSync(statePath, { throwIfNoEntry: false })?.mtimeMs;
  const before = savedAt();
  if (before === undefined && !existsSync(`${statePath}.genesis`)) return;
  for (const began = elapsedMs(); ; await sleep(LOOK_AGAIN_MS)) {
    const waitedMs = elapsedMs() - began;
    const isNew = savedAt() !== before || waitedMs > SAVED_WITHIN_MS;
    if (isNew && existsSync(statePath) && headIn(statePath) >= height) return;
    if (waitedMs > GIVE_UP_AFTER_MS)
      throw new StartProblem(
        `The state of the Ethereum chain in ${statePath} stays behind the database: try again later. If the chain is given by ETH_RPC_URL, remove this file and ${statePath}.genesis.`,
      );
  }
}

/** The number of the newest block: it stands first in the state of the node. */
function headIn(statePath: string): number {
  const handle = openSync(statePath, 'r');
  const start = Buffer.alloc(64);
  readSync(handle, start, 0, start.length, 0);
  closeSync(handle);
  return Number(/"number":"?(0x[0-9a-f]+|\d+)/.exec(start.toString())?.[1] ?? -1);
}

/** The name appears when the bytes are on the disk. */
function finish(part: string, file: string): void {
  const handle = openSync(part, 'r+');
  fsyncSync(handle);
  closeSync(handle);
  renameSync(part, file);
}
