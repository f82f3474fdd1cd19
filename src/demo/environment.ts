import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../app/config.ts';
import type { Info, RobotUser } from '../client/answers.ts';
import { type Client, client } from '../client/client.ts';
import { type Running, serve } from '../main.ts';
import { joinSandbox } from '../reference-vasp/join.ts';
import type { ReferenceVasp } from '../reference-vasp/vasp.ts';

/** The sandbox, and the reference VASP as the tested one. */
export interface DemoEnvironment {
  url: string;
  api: Client;
  vasp: ReferenceVasp;
  info: Info;
  user(id: string): RobotUser;
}

/** Uses free ports and a temporary folder. `opened` receives one undo function per resource, in the order of opening. */
export async function startEnvironment(
  opened: (undo: () => Promise<unknown>) => void,
): Promise<DemoEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-vasp-demo-'));
  opened(() => rm(folder, { recursive: true, force: true }));
  const running = await startSandbox(folder);
  opened(() => running.stop());
  const { url } = running;
  const vasp = await joinSandbox({ url });
  opened(() => vasp.stop());
  const api = client(url);
  const info = await api.info();
  const user = (id: string) => info.users.find(each => each.id === id)!;
  return { url, api, vasp, info, user };
}

async function startSandbox(folder: string): Promise<Running> {
  const running = await serve(
    loadConfig({
      PORT: '0',
      DATABASE_PATH: join(folder, 'robot.sqlite'),
      XRPL_CLOSE_INTERVAL: '250ms',
      LOG_LEVEL: 'error',
    }),
  );
  await running.ready().catch(async error => {
    await running.stop();
    throw error;
  });
  return running;
}
